// The vertex program of Choi & Ko 2005, appendix III, for WebGL2: φ and ψ in a float texture, so
// that the number of modes is not limited by vertex attributes.
//
// Deviates from the paper's program, which gives 0/0 at w = 0, and from GLSL's sin and cos, which
// are good to 2e-4 only: the coefficients are polynomials in x = |w|², good on 0 ≤ |w| ≤ π, and a
// larger angle is first brought there by whole turns.
import { TEXEL_ROW } from "../net/model";

/** Four amplitudes a vector; WebGL2 promises 256 vectors, three.js needs some itself. */
export const MOST_MODES = 256;

/** Terms of each series: the next one, π²⁰/21!, is 1.7e-10 and so below a float's rounding. */
const TERMS = 10;

/** Horner's form of Σ (−x)ⁿ · weight(n) / (2n+1)!. */
function series(weight: (n: number) => number): string {
  let factorial = 1;
  const factors: number[] = [];
  for (let n = 0; n < TERMS; ++n) {
    if (n > 0) factorial *= 2 * n * (2 * n + 1);
    factors.push(((n % 2 === 0 ? 1 : -1) * weight(n)) / factorial);
  }
  const literal = (value: number) => value.toExponential(9);
  return factors.reduceRight(
    (inner, factor) => (inner === "" ? literal(factor) : `(${literal(factor)} + x * ${inner})`),
    "",
  );
}

/** 2π in two parts, the first with few enough bits that k·first is exact for k < 2¹¹. */
const TURN_HIGH = "6.28125";
const TURN_LOW = (2 * Math.PI - 6.28125).toExponential(9);

export const WARP_GLSL = /* glsl */ `
uniform highp sampler2D modeTexels;
uniform int vertexCount;
uniform int modePairs;
uniform int warped;
uniform highp vec4 amplitudes[${MOST_MODES / 4}];

highp vec4 modeTexel(int index) {
  return texelFetch(modeTexels, ivec2(index & ${TEXEL_ROW - 1}, index >> ${Math.log2(TEXEL_ROW)}), 0);
}

// u = Phi q and w = Psi q of one vertex; two modes in three texels (net/model.ts).
void superpose(int vertex, out highp vec3 u, out highp vec3 w) {
  u = vec3(0.0);
  w = vec3(0.0);
  int texel = vertex;
  for (int pair = 0; pair < modePairs; ++pair) {
    highp vec4 four = amplitudes[pair >> 1];
    highp vec2 q = (pair & 1) == 0 ? four.xy : four.zw;
    highp vec4 t0 = modeTexel(texel);
    highp vec4 t1 = modeTexel(texel + vertexCount);
    highp vec4 t2 = modeTexel(texel + 2 * vertexCount);
    u += q.x * t0.xyz + q.y * vec3(t0.w, t1.xy);
    w += q.x * vec3(t1.zw, t2.x) + q.y * t2.yzw;
    texel += 3 * vertexCount;
  }
}

// x: sin a / a, y: (1 - cos a) / a^2, z: (a - sin a) / a^3, for the angle a = |w|.
highp vec3 rodrigues(highp vec3 w) {
  highp float square = dot(w, w);
  highp float angle = sqrt(square);
  highp float turns = angle > 3.1415927 ? floor(angle / 6.2831853 + 0.5) : 0.0;
  highp float a = (angle - turns * ${TURN_HIGH}) - turns * ${TURN_LOW};
  highp float x = turns > 0.0 ? a * a : square;
  highp float sine = ${series(() => 1)};
  highp float versine = ${series((n) => 1 / (2 * n + 2))};
  if (turns > 0.0) {
    highp float s = a * sine;
    return vec3(s / angle, x * versine / square, (angle - s) / (angle * square));
  }
  return vec3(sine, versine, ${series((n) => 1 / ((2 * n + 2) * (2 * n + 3)))});
}

// Where a vertex goes and how its normal turns; without warping to first order.
void deformVertex(int vertex, inout highp vec3 place, inout highp vec3 normalAt) {
  highp vec3 u, w;
  superpose(vertex, u, w);
  if (warped == 0) {
    place += u;
    normalAt = normalize(normalAt + cross(w, normalAt));
    return;
  }
  highp vec3 c = rodrigues(w);
  highp vec3 wu = cross(w, u);
  place += u + c.y * wu + c.z * cross(w, wu);
  highp vec3 wn = cross(w, normalAt);
  normalAt += c.x * wn + c.y * cross(w, wn);
}
`;

// One vertex of modal warping in double precision: what the vertex program must agree with.
// Symbols: u = Φq its displacement, w = Ψq its rotation vector, R(w) = exp [w]×,
// R~(w) = ∫₀¹ R(τw) dτ (Choi & Ko 2005, appendix II).

export interface Coefficients {
  /** sin θ / θ */
  sine: number;
  /** (1 − cos θ) / θ² */
  versine: number;
  /** (θ − sin θ) / θ³ */
  remainder: number;
}

/** Below this angle the series beats the closed forms: (θ−sin θ)/θ³ loses digits as 1e-16/θ³. */
const SERIES_BELOW = 0.5;

/** Deviates from the paper's program: even functions of θ, so that θ = 0 is no special case. */
export function coefficients(theta: number): Coefficients {
  const x = theta * theta;
  if (theta < SERIES_BELOW) {
    let sine = 0;
    let versine = 0;
    let remainder = 0;
    let term = 1; // (−x)ⁿ / (2n+1)!; at n = 9 below 1e-22
    for (let n = 0; n < 10; ++n) {
      sine += term;
      versine += term / (2 * n + 2);
      remainder += term / ((2 * n + 2) * (2 * n + 3));
      term *= -x / ((2 * n + 2) * (2 * n + 3));
    }
    return { sine, versine, remainder };
  }
  return {
    sine: Math.sin(theta) / theta,
    versine: (1 - Math.cos(theta)) / x,
    remainder: (theta - Math.sin(theta)) / (theta * x),
  };
}

export type Triple = [number, number, number];

export function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** v + first·(w × v) + second·(w × (w × v)) */
function turn(v: Triple, w: Triple, first: number, second: number): Triple {
  const wv = cross(w, v);
  const wwv = cross(w, wv);
  return [
    v[0] + first * wv[0] + second * wwv[0],
    v[1] + first * wv[1] + second * wwv[1],
    v[2] + first * wv[2] + second * wwv[2],
  ];
}

/** R~(w) u */
export function warpDisplacement(u: Triple, w: Triple): Triple {
  const c = coefficients(Math.hypot(w[0], w[1], w[2]));
  return turn(u, w, c.versine, c.remainder);
}

/** R(w) v */
export function rotate(v: Triple, w: Triple): Triple {
  const c = coefficients(Math.hypot(w[0], w[1], w[2]));
  return turn(v, w, c.sine, c.versine);
}

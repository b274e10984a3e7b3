// Runs the vertex program on the body itself, reads the result back through transform feedback
// and compares it with double precision. The page does so once for every model: a driver that
// computes too coarsely is found here, and the CPU takes over.
import { TEXEL_ROW, type BodyModel } from "../net/model";
import { deform } from "./deform";
import { MOST_MODES, WARP_GLSL } from "./program";

/** Larger than any healthy float error (about 1e-6), smaller than what the eye sees. */
export const ACCEPTABLE_ERROR = 1e-4;

const CHECKED_VERTICES = 512;

export interface CheckResult {
  /** Largest distance from double precision over the body's size, and between unit normals. */
  positionError: number;
  normalError: number;
}

/** How many texture rows the modes need. */
export function texelRows(body: BodyModel): number {
  return body.modeTexels.length / (4 * TEXEL_ROW);
}

/** Can the GPU hold this body's modes at all? */
export function fitsTextures(body: BodyModel, largestTexture: number): boolean {
  return (
    largestTexture >= TEXEL_ROW &&
    texelRows(body) <= largestTexture &&
    body.modeCount <= MOST_MODES
  );
}

const VERTEX_SHADER = `#version 300 es
precision highp float;
precision highp int;
in vec3 place;
in vec3 normalAt;
out vec3 warpedPlace;
out vec3 warpedNormal;
${WARP_GLSL}
void main() {
  warpedPlace = place;
  warpedNormal = normalAt;
  deformVertex(gl_VertexID, warpedPlace, warpedNormal);
  gl_Position = vec4(0.0);
}`;

const FRAGMENT_SHADER = `#version 300 es
precision highp float;
out vec4 colour;
void main() { colour = vec4(0.0); }`;

/** Throws when the context cannot compile or run the program. */
export function checkWarp(
  gl: WebGL2RenderingContext,
  body: BodyModel,
  q: Float32Array,
  warped = true,
): CheckResult {
  const count = Math.min(body.vertexCount, CHECKED_VERTICES);
  return compare(body, q, warped, count, readBack(gl, body, q, warped, count));
}

/** What the vertex program makes of the first `count` vertices. Throws as checkWarp does. */
export function readBack(
  gl: WebGL2RenderingContext,
  body: BodyModel,
  q: Float32Array,
  warped: boolean,
  count: number,
): Captured {
  const program = link(gl);
  gl.useProgram(program);
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, TEXEL_ROW, texelRows(body), 0, gl.RGBA, gl.FLOAT,
    body.modeTexels);
  const at = (name: string) => gl.getUniformLocation(program, name);
  const amplitudes = new Float32Array(MOST_MODES);
  amplitudes.set(q.subarray(0, body.modeCount));
  gl.uniform1i(at("modeTexels"), 0);
  gl.uniform1i(at("vertexCount"), body.vertexCount);
  gl.uniform1i(at("modePairs"), Math.ceil(body.modeCount / 2));
  gl.uniform1i(at("warped"), warped ? 1 : 0);
  gl.uniform4fv(at("amplitudes"), amplitudes);
  const result = capture(gl, program, body, count);
  gl.deleteTexture(texture);
  gl.deleteProgram(program);
  return result;
}

function link(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, VERTEX_SHADER],
    [gl.FRAGMENT_SHADER, FRAGMENT_SHADER],
  ] as const) {
    const shader = gl.createShader(kind);
    if (shader === null) throw new Error("The graphics context is lost.");
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      throw new Error(gl.getShaderInfoLog(shader) ?? "The vertex program does not compile.");
    }
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.transformFeedbackVaryings(program, ["warpedPlace", "warpedNormal"], gl.SEPARATE_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program) ?? "The vertex program does not link.");
  }
  return program;
}

export interface Captured {
  positions: Float32Array;
  normals: Float32Array;
}

function capture(
  gl: WebGL2RenderingContext,
  program: WebGLProgram,
  body: BodyModel,
  count: number,
): Captured {
  const vertexArray = gl.createVertexArray();
  gl.bindVertexArray(vertexArray);
  const inputs = [
    ["place", body.restPositions],
    ["normalAt", body.restNormals],
  ] as const;
  const buffers = inputs.map(([name, data]) => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data.subarray(0, 3 * count), gl.STATIC_DRAW);
    const location = gl.getAttribLocation(program, name);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 0, 0);
    return buffer;
  });
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  const feedback = gl.createTransformFeedback();
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
  const outputs = [0, 1].map((index) => {
    const buffer = gl.createBuffer();
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, index, buffer);
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 12 * count, gl.STREAM_READ);
    return buffer;
  });
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, count);
  gl.endTransformFeedback();
  gl.disable(gl.RASTERIZER_DISCARD);
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
  const [positions, normals] = outputs.map((buffer) => {
    const values = new Float32Array(3 * count);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffer);
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, values);
    return values;
  });
  gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
  gl.bindVertexArray(null);
  gl.deleteVertexArray(vertexArray);
  gl.deleteTransformFeedback(feedback);
  [...buffers, ...outputs].forEach((buffer) => gl.deleteBuffer(buffer));
  return { positions: positions!, normals: normals! };
}

function compare(
  body: BodyModel,
  q: Float32Array,
  warped: boolean,
  count: number,
  got: Captured,
): CheckResult {
  const positions = new Float32Array(3 * count);
  const normals = new Float32Array(3 * count);
  deform(body, q, warped, positions, normals, 0, count);
  const furthest = (a: Float32Array, b: Float32Array) => {
    let largest = 0;
    for (let i = 0; i < a.length; i += 3) {
      const distance = Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!, a[i + 2]! - b[i + 2]!);
      if (!(distance <= largest)) largest = distance; // a NaN stays
    }
    return largest;
  };
  return {
    positionError: furthest(positions, got.positions) / body.size,
    normalError: furthest(normals, got.normals),
  };
}

/** Amplitudes that turn the body's vertices by up to about `angle` radians. */
export function testAmplitudes(body: BodyModel, angle: number): Float32Array {
  const q = new Float32Array(body.modeCount);
  // A fixed sequence without a pattern: fractions of multiples of the golden ratio.
  for (let i = 0; i < q.length; ++i) q[i] = (((i + 1) * 0.618034) % 1) - 0.5;
  let largest = 0;
  const stride = 4 * body.vertexCount;
  const t = body.modeTexels;
  for (let vertex = 0; vertex < Math.min(body.vertexCount, CHECKED_VERTICES); ++vertex) {
    const w = [0, 0, 0];
    for (let mode = 0; mode < q.length; ++mode) {
      const at = 4 * vertex + 3 * stride * (mode >> 1);
      const psi = mode % 2 === 0
        ? [at + stride + 2, at + stride + 3, at + 2 * stride]
        : [at + 2 * stride + 1, at + 2 * stride + 2, at + 2 * stride + 3];
      for (let c = 0; c < 3; ++c) w[c]! += q[mode]! * t[psi[c]!]!;
    }
    largest = Math.max(largest, Math.hypot(w[0]!, w[1]!, w[2]!));
  }
  const factor = largest > 0 ? angle / largest : 0;
  return q.map((value) => value * factor);
}

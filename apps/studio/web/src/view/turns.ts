// How points of the surface are turned: small axes on some of them, red x, green y, blue z of the rest shape.
import * as THREE from "three";
import type { Bodies } from "./bodies";
import type { BodyView } from "./body_view";
import { laneLayer, type Stage } from "./stage";

/** Of a body. */
const POINTS = 48;
/** An axis, in parts of the body's size. */
const LENGTH = 0.045;
const COLOURS = [0xd62728, 0x2ca02c, 0x1f77b4].map((hex) => new THREE.Color(hex));

/** Vertices far from each other: each next one is the furthest from all before it. */
export function spreadVertices(positions: Float32Array, wanted: number): number[] {
  const count = positions.length / 3;
  const nearest = new Float64Array(count).fill(Infinity);
  const chosen: number[] = [];
  let next = 0;
  while (chosen.length < Math.min(wanted, count) && (chosen.length === 0 || nearest[next]! > 0)) {
    chosen.push(next);
    let furthest = 0;
    for (let v = 0; v < count; ++v) {
      const square = (positions[3 * v]! - positions[3 * chosen.at(-1)!]!) ** 2 + (positions[3 * v + 1]! - positions[3 * chosen.at(-1)! + 1]!) ** 2 +
        (positions[3 * v + 2]! - positions[3 * chosen.at(-1)! + 2]!) ** 2;
      nearest[v] = Math.min(nearest[v]!, square);
      if (nearest[v]! > nearest[furthest]!) furthest = v;
    }
    next = furthest;
  }
  return chosen;
}

/** Orthonormal columns: along a triangle's first edge, within it, and its normal. */
function triangleFrame(positions: Float32Array, [a, b, c]: readonly [number, number, number]): THREE.Quaternion | undefined {
  const at = (vertex: number) => new THREE.Vector3().fromArray(positions, 3 * vertex);
  const x = at(b).sub(at(a));
  const z = x.clone().cross(at(c).sub(at(a)));
  if (x.lengthSq() === 0 || z.lengthSq() === 0) return undefined;
  x.normalize();
  z.normalize();
  return new THREE.Quaternion().setFromRotationMatrix(new THREE.Matrix4().makeBasis(x, z.clone().cross(x), z));
}

/** How the surface around a vertex is turned from rest: the mean over its triangles. */
export function ringTurn(rest: Float32Array, now: Float32Array, ring: readonly (readonly [number, number, number])[]): THREE.Quaternion {
  const sum = new THREE.Vector4(0, 0, 0, 0);
  let first: THREE.Quaternion | undefined;
  for (const triangle of ring) {
    const [before, after] = [triangleFrame(rest, triangle), triangleFrame(now, triangle)];
    if (before === undefined || after === undefined) continue;
    const turn = after.multiply(before.invert());
    first ??= turn;
    const sign = first.dot(turn) < 0 ? -1 : 1; // q and −q are one turn
    sum.add(new THREE.Vector4(turn.x, turn.y, turn.z, turn.w).multiplyScalar(sign));
  }
  if (sum.lengthSq() === 0) return new THREE.Quaternion();
  sum.normalize();
  return new THREE.Quaternion(sum.x, sum.y, sum.z, sum.w);
}

interface Chosen {
  vertices: number[];
  rings: [number, number, number][][];
}

export class Turns {
  on = false;
  private chosen = new WeakMap<object, Chosen>();
  private lines: THREE.LineSegments[] = [];

  constructor(
    private readonly stage: Stage,
    private readonly bodies: Bodies,
  ) {}

  /** Points whose axes are drawn now. */
  get count(): number {
    return this.lines.reduce((sum, line) => sum + (line.visible ? line.geometry.getAttribute("position").count / 6 : 0), 0);
  }

  setOn(on: boolean): void {
    this.on = on;
    if (on) this.update();
    else this.hideFrom(0);
  }

  /** Once a frame that was shown. */
  update(): void {
    if (!this.on) return;
    let number = 0;
    this.bodies.each((view, lane) => {
      const line = (this.lines[number++] ??= this.make());
      line.layers.set(laneLayer(lane));
      line.visible = view.object.visible;
      line.geometry.setAttribute("position", new THREE.BufferAttribute(this.axesOf(view), 3));
      if (line.geometry.getAttribute("color")?.count !== line.geometry.getAttribute("position").count) this.paint(line);
    });
    this.hideFrom(number);
  }

  private hideFrom(number: number): void {
    for (const line of this.lines.slice(number)) line.visible = false;
  }

  private choose(view: BodyView): Chosen {
    const { model } = view.assets;
    let found = this.chosen.get(model);
    if (found === undefined) {
      const vertices = spreadVertices(model.restPositions, POINTS);
      const rings: [number, number, number][][] = vertices.map(() => []);
      const place = new Map(vertices.map((vertex, i) => [vertex, i]));
      for (let t = 0; t + 2 < model.triangles.length; t += 3) {
        const corners = [model.triangles[t]!, model.triangles[t + 1]!, model.triangles[t + 2]!] as [number, number, number];
        for (const corner of corners) rings[place.get(corner) ?? -1]?.push(corners);
      }
      this.chosen.set(model, (found = { vertices, rings }));
    }
    return found;
  }

  /** Six ends a point, in the world. */
  private axesOf(view: BodyView): Float32Array {
    const { model } = view.assets;
    const { vertices, rings } = this.choose(view);
    const now = view.positions();
    const ends = new Float32Array(18 * vertices.length);
    const length = LENGTH * model.size;
    vertices.forEach((vertex, i) => {
      const w = new THREE.Vector3(...view.rotationOf(vertex));
      const angle = w.length();
      const turn = view.hasModes() ? new THREE.Quaternion().setFromAxisAngle(angle > 0 ? w.divideScalar(angle) : w, angle)
        : ringTurn(model.restPositions, now, rings[i]!);
      turn.premultiply(view.object.quaternion);
      const from = new THREE.Vector3().fromArray(now, 3 * vertex).applyQuaternion(view.object.quaternion).add(view.object.position);
      for (let axis = 0; axis < 3; ++axis) {
        from.toArray(ends, 18 * i + 6 * axis);
        new THREE.Vector3().setComponent(axis, length).applyQuaternion(turn).add(from).toArray(ends, 18 * i + 6 * axis + 3);
      }
    });
    return ends;
  }

  private paint(line: THREE.LineSegments): void {
    const count = line.geometry.getAttribute("position").count;
    const colours = new Float32Array(3 * count);
    for (let end = 0; end < count; ++end) COLOURS[(end >> 1) % 3]!.toArray(colours, 3 * end);
    line.geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  }

  private make(): THREE.LineSegments {
    const line = new THREE.LineSegments(new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, fog: false }));
    line.frustumCulled = false;
    line.renderOrder = 7;
    this.stage.scene.add(line);
    return line;
  }
}

// A brush on the surface: the vertices under it, stroke by stroke.
import type { Command } from "../net/protocol";
import type { Bodies } from "./bodies";

export type BrushMode = "off" | "fixed" | "free" | "young";

/** Vertices in one message: it may have 64 kB. */
const MOST_AT_ONCE = 8000;
/** Shown until the server's body arrives. */
const TINT: Readonly<Record<Exclude<BrushMode, "off">, readonly [number, number, number]>> = {
  fixed: [0.15, 0.15, 0.15], free: [1, 1, 1], young: [0.8, 0.25, 0.55] };

/** Vertices within `radius` of a vertex, at rest. */
export function verticesNear(restPositions: Float32Array, vertex: number, radius: number): number[] {
  const near: number[] = [];
  const [x, y, z] = [0, 1, 2].map((c) => restPositions[3 * vertex + c]!) as [number, number, number];
  for (let v = 0; 3 * v < restPositions.length; ++v) {
    const dx = restPositions[3 * v]! - x;
    const dy = restPositions[3 * v + 1]! - y;
    const dz = restPositions[3 * v + 2]! - z;
    if (dx * dx + dy * dy + dz * dz <= radius * radius) near.push(v);
  }
  return near;
}

export class Brush {
  mode: BrushMode = "off";
  /** In parts of the body's size. */
  radius = 0.06;
  /** Young's modulus over the body's own. */
  factor = 10;
  private stroke: { body: number; vertices: Set<number> } | undefined;

  constructor(
    private readonly bodies: () => Bodies,
    private readonly send: (command: Command) => void,
    /** Young's modulus of a body, Pa. */
    private readonly young: (body: number) => number,
    private readonly modeChanged: (mode: BrushMode) => void,
  ) {}

  setMode(mode: BrushMode): void {
    this.mode = mode;
    this.modeChanged(mode);
  }

  /** True when the brush takes the pointer. */
  down(clientX: number, clientY: number): boolean {
    if (this.mode === "off") return false;
    const hit = this.bodies().hit(clientX, clientY);
    if (hit === undefined) return false;
    this.stroke = { body: hit.body, vertices: new Set() };
    this.move(clientX, clientY);
    return true;
  }

  move(clientX: number, clientY: number): void {
    const { stroke, mode } = this;
    const hit = this.bodies().hit(clientX, clientY);
    const model = this.bodies().loaded?.bodies[stroke?.body ?? 0];
    if (stroke === undefined || mode === "off" || hit?.body !== stroke.body || model === undefined) return;
    const near = verticesNear(model.restPositions, hit.vertex, this.radius * model.size);
    const fresh = near.filter((vertex) => !stroke.vertices.has(vertex));
    fresh.forEach((vertex) => stroke.vertices.add(vertex));
    this.bodies().tint(stroke.body, fresh, TINT[mode]);
  }

  up(): void {
    const { stroke, mode } = this;
    this.stroke = undefined;
    if (stroke === undefined || mode === "off") return;
    const { body } = stroke;
    const all = [...stroke.vertices].sort((a, b) => a - b);
    for (let from = 0; from < all.length; from += MOST_AT_ONCE) {
      const vertices = all.slice(from, from + MOST_AT_ONCE);
      if (mode === "young") {
        const young = this.factor === 1 ? null : this.young(body) * this.factor;
        this.send({ do: "paint", body, what: "young", young, vertices });
      } else this.send({ do: "paint", body, what: mode, vertices });
    }
  }
}

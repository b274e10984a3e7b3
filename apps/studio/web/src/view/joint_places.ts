// Where joints may be at the scene's start, from what the page knows of it.
import type { Model } from "../net/model";
import type { JointSide, JointState, StudioState, Vec3 } from "../net/protocol";
import { atStart } from "./joint_picker";

/** What a weld holds around it where the scene does not say: a quarter of the smaller body, as the library takes it. */
export function weldRadius(joint: Pick<JointState, "radius" | "bodies">, state: Pick<StudioState, "bodies">, model: Model | undefined): number {
  if (joint.radius > 0) return joint.radius;
  const sizes = state.bodies.flatMap((body, i) => joint.bodies.includes(body.name) ? [model?.bodies[i]?.size ?? 0] : [])
    .filter((size) => size > 0);
  return sizes.length === 0 ? 0 : Math.min(...sizes) / 4;
}

const away = (a: Vec3, b: Vec3) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/**
 * A point of each that are near to each other: the vertex of the first nearest to the second's middle, and the
 * second's vertex nearest to that. Of an obstacle its middle; of the world where the first is highest, so that
 * it hangs.
 */
export function nearestPlaces(state: StudioState | undefined, model: Model | undefined, a: JointSide, b: JointSide): [Vec3, Vec3] | undefined {
  if (state === undefined || model === undefined || a === null) return undefined;
  const points = (side: JointSide): Vec3[] => {
    if (side === null) return [];
    if ("obstacle" in side) return [state.obstacles[side.obstacle]?.position ?? [0, 0, 0]];
    const body = model.bodies[side.body];
    const start = state.bodies[side.body]?.start;
    if (body === undefined || start === undefined) return [];
    return Array.from({ length: body.vertexCount }, (_, v) => atStart(body.restPositions, v, start));
  };
  const [first, second] = [points(a), points(b)];
  if (first.length === 0) return undefined;
  if (b === null) {
    const top = first.reduce((best, point) => (point[1] > best[1] ? point : best));
    return [top, top];
  }
  if (second.length === 0) return undefined;
  const middle = [0, 1, 2].map((c) => second.reduce((sum, point) => sum + point[c]!, 0) / second.length) as unknown as Vec3;
  const nearest = (all: Vec3[], to: Vec3) => all.reduce((best, point) => (away(point, to) < away(best, to) ? point : best));
  const at = nearest(first, middle);
  return [at, nearest(second, at)];
}

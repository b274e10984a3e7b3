// A joint by two clicks: the first on a body or an obstacle, the second on another or beside all,
// which is the world. The stage shows the scene's start meanwhile: there joints are what they are.
import * as THREE from "three";
import type { Command, JointKind, JointSide, StudioState, Vec3 } from "../net/protocol";
import type { Bodies } from "./bodies";
import type { Obstacles } from "./obstacles";
import type { Stage } from "./stage";

/** A pointer that moved less between down and up was a click, CSS pixels. */
const CLICK = 5;

export interface Picked {
  side: JointSide;
  /** m, world, where the scene begins. */
  at: Vec3;
}

/** A vertex where the scene has it at its start. */
export function atStart(rest: Float32Array, vertex: number, start: StudioState["bodies"][number]["start"]): Vec3 {
  const at = new THREE.Vector3().fromArray(rest, 3 * vertex)
    .applyQuaternion(new THREE.Quaternion(...start.rotation)).add(new THREE.Vector3(...start.position));
  return [at.x, at.y, at.z];
}

/** Points that were clicked on two things are joined half-way; a distance keeps both. */
export function jointCommand(kind: JointKind, first: Picked, second: Picked): Extract<Command, { do: "add_joint" }> {
  const middle = first.at.map((c, k) => (c + second.at[k]!) / 2) as unknown as Vec3;
  const at = kind === "distance" || second.side === null ? first.at : middle;
  return { do: "add_joint", kind, a: first.side, b: second.side, at, to: kind === "distance" ? second.at : null };
}

export const sameSide = (a: JointSide, b: JointSide) => JSON.stringify(a) === JSON.stringify(b);

export class JointPicker {
  kind: JointKind | undefined;
  first: Picked | undefined;
  private wasPlaying = true;
  private press: { x: number; y: number } | undefined;
  private readonly mark = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14),
    new THREE.MeshBasicMaterial({ color: 0xe69f00, depthTest: false, fog: false }));

  constructor(
    private readonly stage: Stage,
    private readonly bodies: Bodies,
    private readonly obstacles: Obstacles,
    private readonly state: () => StudioState | undefined,
    private readonly send: (command: Command) => void,
    private readonly changed: () => void,
  ) {
    this.mark.visible = false;
    this.mark.renderOrder = 10;
    stage.scene.add(this.mark);
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.kind !== undefined && document.querySelector("dialog[open]") === null) this.cancel();
    });
    stage.canvas.addEventListener("pointerup", (event) => this.up(event));
  }

  get active(): boolean {
    return this.kind !== undefined;
  }

  start(kind: JointKind): void {
    const state = this.state();
    if (state === undefined) return;
    if (!this.active) this.wasPlaying = state.playing;
    this.kind = kind;
    this.first = undefined;
    if (state.take !== 0) this.send({ do: "take_show", id: 0, looping: state.take_looping });
    if (state.playing) this.send({ do: "play", playing: false });
    this.send({ do: "reset" });
    this.show();
  }

  cancel(): void {
    this.kind = undefined;
    this.first = undefined;
    if (this.wasPlaying) this.send({ do: "play", playing: true });
    this.show();
  }

  /** Takes the pointer where there is something under it; beside all it looks around, or is the world. */
  down(event: PointerEvent): boolean {
    const found = this.under(event.clientX, event.clientY);
    this.press = { x: event.clientX, y: event.clientY };
    if (found === undefined) return false;
    this.press = undefined;
    this.take(found);
    return true;
  }

  private up(event: PointerEvent): void {
    const { press, first } = this;
    this.press = undefined;
    if (!this.active || first === undefined || press === undefined) return;
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > CLICK) return;
    const { raycaster } = this.stage.rayAt(event.clientX, event.clientY);
    const normal = this.stage.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, new THREE.Vector3(...first.at));
    const at = raycaster.ray.intersectPlane(plane, new THREE.Vector3());
    this.take({ side: null, at: at === null ? first.at : [at.x, at.y, at.z] });
  }

  private take(picked: Picked): void {
    const { kind, first } = this;
    if (kind === undefined) return;
    if (first === undefined || sameSide(first.side, picked.side)) {
      this.first = picked; // of the same thing another point
      this.show();
      return;
    }
    this.send(jointCommand(kind, first, picked));
    this.cancel();
  }

  private under(x: number, y: number): Picked | undefined {
    const state = this.state();
    const { lane, raycaster } = this.stage.rayAt(x, y);
    const body = this.bodies.hit(x, y);
    const obstacle = this.obstacles.hit(raycaster, [lane]);
    if (obstacle !== undefined && (body === undefined || obstacle.distance < body.distance)) {
      const { x: px, y: py, z: pz } = obstacle.point;
      return { side: { obstacle: obstacle.obstacle }, at: [px, py, pz] };
    }
    const model = body === undefined ? undefined : this.bodies.loaded?.bodies[body.body];
    const start = body === undefined ? undefined : state?.bodies[body.body]?.start;
    if (body === undefined || model === undefined || start === undefined) return undefined;
    return { side: { body: body.body }, at: atStart(model.restPositions, body.vertex, start) };
  }

  private show(): void {
    this.mark.visible = this.first !== undefined;
    if (this.first !== undefined) {
      this.mark.position.set(...this.first.at);
      this.mark.scale.setScalar(0.006 * this.stage.camera.position.distanceTo(this.mark.position) / (this.stage.flat ? 20 : 1));
    }
    this.changed();
  }
}

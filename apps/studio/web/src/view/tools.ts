// What the pointer does to the bodies: grab, turn, pin, push, shake, hit. Everything else of the
// pointer is the camera's.
import * as THREE from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import type { Command, Handle, Vec3 } from "../net/protocol";
import type { Bodies, BodyHit } from "./bodies";
import type { Brush } from "./brush";
import type { JointPicker } from "./joint_picker";
import type { Markers } from "./markers";
import type { Obstacles } from "./obstacles";
import type { Stage } from "./stage";
import { Swing } from "./swing";

export const TOOLS = ["grab", "turn", "pin", "push", "shake", "hit"] as const;
export type Tool = (typeof TOOLS)[number];

/** A drag by the body's size pushes with so many times its weight. */
const FORCE_PER_WEIGHT = 4;
const GRAVITY = 9.81;
/** A drag by the body's size and let go hits so that the whole body would fly by so many sizes a second. */
const SIZES_PER_SECOND = 3;
/** Nothing is thrown faster than this, sizes a second. */
const FASTEST_THROW = 10;
/** The support is tilted by so much at most, rad: a half turn has two ways back. */
const MOST_TILT = 0.9 * Math.PI;
/** How near to a marker the pointer must be to take it, CSS pixels; fingers are wider. */
const MARKER_REACH = { mouse: 12, pen: 16, touch: 28 } as const;

export interface ToolHost {
  send(command: Command): boolean;
  handles(): readonly Handle[];
  /** The page's own picture of a handle, until the server's arrives. */
  showHandle(handle: Handle | undefined, id: number): void;
  /** Mass of a body, kg. */
  mass(body: number): number;
  /** Something else than the simulation is shown: there is nothing to take hold of. */
  handsOff(): boolean;
  /** How fast the scene's time shall go. */
  speed(): number;
  selectionChanged(): void;
  /** The pointer took hold of something. */
  touched(what: { body: number } | { obstacle: number }): void;
}

type Drag =
  | { kind: "handle"; handle: Handle; lane: number; begins: boolean; plane: THREE.Plane; offset: THREE.Vector3; swing: Swing }
  | { kind: "push" | "hit"; hit: BodyHit; plane: THREE.Plane }
  | { kind: "obstacle"; obstacle: number; begins: boolean; at: Vec3; plane: THREE.Plane; offset: THREE.Vector3 }
  | { kind: "brush"; plane: THREE.Plane }
  | { kind: "shake"; start: THREE.Vector3; plane: THREE.Plane; x: number; y: number };

const triple = (v: THREE.Vector3): Vec3 => [v.x, v.y, v.z];

export class Tools {
  tool: Tool = "grab";
  selected: number | undefined;
  /** Takes the pointer instead of the hand while it is in use. */
  brush: Brush | undefined;
  /** The same while a joint is being made. */
  picker: JointPicker | undefined;
  private drag: Drag | undefined;
  private pointer: number | undefined;
  private readonly gizmo: TransformControls;
  private readonly gizmoTarget = new THREE.Object3D();

  constructor(
    private readonly stage: Stage,
    private readonly bodies: Bodies,
    private readonly markers: Markers,
    private readonly obstacles: Obstacles,
    private readonly host: ToolHost,
  ) {
    const { canvas } = stage;
    this.gizmo = new TransformControls(stage.camera, canvas);
    this.gizmo.setMode("rotate");
    this.gizmo.setSize(0.7);
    stage.scene.add(this.gizmoTarget, this.gizmo.getHelper());
    this.gizmo.addEventListener("dragging-changed", (event) => {
      stage.controls.enabled = event.value !== true;
      this.turnBegins = event.value === true;
    });
    this.gizmo.addEventListener("objectChange", () => this.turned());
    // Before the camera's own listeners, so that a hand on the body is not also an orbit.
    canvas.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    addEventListener("pointermove", (event) => this.move(event));
    addEventListener("pointerup", (event) => this.up(event));
    addEventListener("pointercancel", (event) => this.up(event));
  }

  get dragging(): boolean {
    return this.drag !== undefined || this.gizmo.dragging;
  }

  get dragged(): number | undefined {
    if (this.drag?.kind === "handle") return this.drag.handle.id;
    return this.gizmo.dragging ? this.selected : undefined;
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    if (tool !== "turn") this.gizmo.detach();
    else this.attachGizmo();
    this.host.selectionChanged();
  }

  select(id: number | undefined): void {
    this.selected = id;
    this.attachGizmo();
    this.host.selectionChanged();
  }

  /** Keeps the held handle where it is when the pointer lets go. */
  pinHeld(): void {
    const handle = this.drag?.kind === "handle" ? this.drag.handle : this.selectedHandle();
    if (handle === undefined) return;
    const pinned = !handle.pinned;
    this.place({ ...handle, pinned });
    if (this.drag?.kind === "handle") this.drag.handle.pinned = pinned;
  }

  removeSelected(): void {
    if (this.selected === undefined) return;
    this.host.send({ do: "release", id: this.selected });
    this.host.showHandle(undefined, this.selected);
    this.select(undefined);
  }

  /** Once a frame: the gizmo rides on its vertex, a selection that is gone is dropped. */
  update(): void {
    if (this.selected !== undefined && this.selectedHandle() === undefined && !this.dragging) {
      this.select(undefined);
    }
    const handle = this.selectedHandle();
    if (handle !== undefined && !this.gizmo.dragging) {
      this.gizmoTarget.position.copy(this.placeOf(handle, 0));
    }
    if (this.drag?.kind === "push" || this.drag?.kind === "hit") {
      const { hit } = this.drag;
      const from = this.bodies.vertexInWorld(hit.lane, hit.body, hit.vertex);
      this.markers.showForce(from, this.pushEnd);
    }
  }

  private pushEnd: THREE.Vector3 | undefined;
  /** The gizmo was taken and has not turned anything yet. */
  private turnBegins = false;

  private selectedHandle(): Handle | undefined {
    return this.host.handles().find((handle) => handle.id === this.selected);
  }

  private place(handle: Handle): void {
    this.host.send({ do: "handle", handle });
    this.host.showHandle(handle, handle.id);
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || this.drag !== undefined) return;
    if (this.gizmo.axis !== null && this.tool === "turn") return; // the gizmo takes it
    if (!this.begin(event)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.pointer = event.pointerId;
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.stage.controls.enabled = false;
  }

  /** True when the tool takes the pointer. */
  private begin(event: PointerEvent): boolean {
    if (this.host.handsOff()) return false;
    if (this.picker?.active === true) return this.picker.down(event);
    if (this.brush?.down(event.clientX, event.clientY) === true) {
      this.drag = { kind: "brush", plane: this.screenPlane(this.stage.controls.target) };
      return true;
    }
    if (this.brush !== undefined && this.brush.mode !== "off") return false;
    if (this.tool === "shake") return this.beginShake(event);
    const marker = this.markerAt(event);
    const hit = marker === undefined ? this.bodies.hit(event.clientX, event.clientY) : undefined;
    if (marker === undefined && this.beginObstacle(event, hit)) return true;
    if (hit !== undefined) this.host.touched({ body: hit.body });
    if (marker === undefined && hit === undefined) {
      this.select(undefined);
      return false;
    }
    switch (this.tool) {
      case "grab":
        return this.beginGrab(event, marker, hit);
      case "turn":
        this.select((marker ?? this.addHandle(hit!, event.shiftKey ? "orientation" : "both", true)).id);
        if (marker !== undefined && marker.kind === "position") {
          this.place({ ...marker, kind: "both" });
        }
        return true;
      case "pin":
        if (marker === undefined) this.select(this.addHandle(hit!, "position", true).id);
        else {
          this.selected = marker.id;
          this.removeSelected();
        }
        return true;
      case "push":
      case "hit":
        if (hit === undefined) return false;
        this.drag = { kind: this.tool, hit, plane: this.screenPlane(hit.point) };
        return true;
    }
  }

  private beginGrab(event: PointerEvent, marker: Handle | undefined, hit?: BodyHit): boolean {
    const { lane } = this.stage.rayAt(event.clientX, event.clientY);
    const start = marker === undefined ? hit!.point : this.placeOf(marker, lane);
    const handle = marker === undefined ? this.addHandle(hit!, "position", event.shiftKey)
      : { ...marker, target: triple(start) };
    if (marker?.kind === "orientation") this.place({ ...handle, kind: "both" });
    const plane = this.screenPlane(start);
    const on = this.onPlane(event, plane);
    if (on === undefined) return false;
    // The hand keeps its distance from the vertex it took, so nothing jumps at the first move.
    const offset = marker === undefined ? new THREE.Vector3() : start.clone().sub(on);
    const swing = new Swing();
    swing.push(event.timeStamp, handle.target);
    this.drag = { kind: "handle", handle: { ...handle }, lane,
      begins: marker !== undefined, plane, offset, swing };
    this.select(handle.id);
    return true;
  }

  /** An obstacle in front of the body, taken by whatever tool. */
  private beginObstacle(event: PointerEvent, body: BodyHit | undefined): boolean {
    const { lane, raycaster } = this.stage.rayAt(event.clientX, event.clientY);
    const lanes = this.stage.layout === "over" ? Array.from({ length: this.stage.lanes }, (_, i) => i) : [lane];
    const hit = this.obstacles.hit(raycaster, lanes);
    if (hit === undefined || (body !== undefined && body.distance < hit.distance)) return false;
    const at = this.obstacles.placeOf(hit.obstacle, hit.lane);
    if (at === undefined) return false;
    this.host.touched({ obstacle: hit.obstacle });
    if (!this.obstacles.movable(hit.obstacle)) return false;
    const offset = new THREE.Vector3(...at).sub(hit.point);
    this.drag = { kind: "obstacle", obstacle: hit.obstacle, begins: true, at, plane: this.screenPlane(hit.point), offset };
    return true;
  }

  private beginShake(event: PointerEvent): boolean {
    const plane = this.screenPlane(this.stage.controls.target);
    const start = this.onPlane(event, plane);
    if (start === undefined) return false;
    this.drag = { kind: "shake", start, plane, x: event.clientX, y: event.clientY };
    return true;
  }

  private move(event: PointerEvent): void {
    if (this.drag === undefined || event.pointerId !== this.pointer) return;
    if (this.drag.kind === "brush") {
      this.brush?.move(event.clientX, event.clientY);
      return;
    }
    const point = this.onPlane(event, this.drag.plane);
    if (point === undefined) return;
    if (this.drag.kind === "handle") {
      const { handle } = this.drag;
      handle.target = triple(point.add(this.drag.offset));
      this.drag.swing.push(event.timeStamp, handle.target);
      this.host.showHandle(handle, handle.id);
      this.host.send({ do: "move", id: handle.id, target: handle.target, rotation: handle.rotation,
        begins: this.drag.begins });
      this.drag.begins = false;
    } else if (this.drag.kind === "obstacle") {
      this.drag.at = triple(point.add(this.drag.offset));
      this.moveObstacle(this.drag, false);
      this.drag.begins = false;
    } else if (this.drag.kind !== "shake") {
      this.pushEnd = point;
      if (this.drag.kind === "push") this.push(this.drag.hit, point);
    } else if (event.shiftKey) {
      this.tilt(event.clientX - this.drag.x, event.clientY - this.drag.y);
    } else {
      const by = point.sub(this.drag.start);
      this.host.send({ do: "support", position: triple(by), rotation: [0, 0, 0, 1] });
    }
  }

  /** Turns the support as if the pointer rolled a ball under it, as high as the view. */
  private tilt(dx: number, dy: number): void {
    const length = Math.hypot(dx, dy);
    if (length === 0) return;
    const angle = Math.min(MOST_TILT, (Math.PI * length) / this.stage.canvas.clientHeight);
    const axis = new THREE.Vector3(dy / length, dx / length, 0)
      .applyQuaternion(this.stage.camera.quaternion);
    const { x, y, z, w } = new THREE.Quaternion().setFromAxisAngle(axis, angle);
    this.host.send({ do: "support", position: [0, 0, 0], rotation: [x, y, z, w] });
  }

  private up(event: PointerEvent): void {
    if (event.pointerId !== this.pointer) return;
    this.pointer = undefined;
    this.stage.controls.enabled = true;
    const { drag } = this;
    this.drag = undefined;
    if (drag?.kind === "brush") this.brush?.up();
    else if (drag?.kind === "handle" && !drag.handle.pinned) {
      this.letGo(drag.handle, event.type === "pointerup" ? drag.swing.velocity(event.timeStamp) : undefined);
      this.select(undefined);
    } else if (drag?.kind === "push" || drag?.kind === "hit") {
      const { body, vertex } = drag.hit;
      if (drag.kind === "push") this.host.send({ do: "force", body, vertex, force: [0, 0, 0] });
      else if (event.type === "pointerup") this.hit(drag.hit);
      this.markers.showForce(undefined);
      this.pushEnd = undefined;
    } else if (drag?.kind === "obstacle") {
      if (!drag.begins) this.moveObstacle(drag, true);
    } else if (drag?.kind === "shake") {
      this.host.send({ do: "support", position: [0, 0, 0], rotation: [0, 0, 0, 1] });
    }
  }

  /** In a swing a free body takes the hand's velocity along, seen by the scene's clock. */
  private letGo({ id, body }: Handle, swing: Vec3 | undefined): void {
    this.host.showHandle(undefined, id);
    if (swing === undefined) {
      this.host.send({ do: "release", id });
      return;
    }
    const size = this.bodies.loaded?.bodies[body]?.size ?? 1;
    const metres = Math.hypot(...swing) / this.host.speed();
    const most = Math.min(1, (FASTEST_THROW * size) / metres);
    const [x, y, z] = swing.map((c) => (c * most) / this.host.speed()) as [number, number, number];
    this.host.send({ do: "release", id, velocity: [x, y, z] });
  }

  private moveObstacle(drag: { obstacle: number; begins: boolean; at: Vec3 }, letGo: boolean): void {
    this.host.send({ do: "move_obstacle", obstacle: drag.obstacle, position: drag.at, begins: drag.begins,
      let_go: letGo });
  }

  private push(hit: BodyHit, end: THREE.Vector3): void {
    const from = this.bodies.vertexInWorld(hit.lane, hit.body, hit.vertex);
    const size = this.bodies.loaded?.bodies[hit.body]?.size ?? 1;
    if (from === undefined) return;
    const newton = (FORCE_PER_WEIGHT * this.host.mass(hit.body) * GRAVITY) / size;
    const force = triple(end.clone().sub(from).multiplyScalar(newton));
    this.host.send({ do: "force", body: hit.body, vertex: hit.vertex, force });
  }

  /** A blow along the arrow; without one, straight away from the eye. */
  private hit(hit: BodyHit): void {
    const from = this.bodies.vertexInWorld(hit.lane, hit.body, hit.vertex);
    const size = this.bodies.loaded?.bodies[hit.body]?.size ?? 1;
    if (from === undefined) return;
    const way = this.pushEnd?.clone().sub(from) ??
      this.stage.camera.getWorldDirection(new THREE.Vector3()).multiplyScalar(size / 3);
    const impulse = triple(way.multiplyScalar(SIZES_PER_SECOND * this.host.mass(hit.body)));
    this.host.send({ do: "hit", body: hit.body, vertex: hit.vertex, impulse });
  }

  private turned(): void {
    const handle = this.selectedHandle();
    if (handle === undefined) return;
    const { x, y, z, w } = this.gizmoTarget.quaternion;
    const sine = Math.hypot(x, y, z);
    const angle = 2 * Math.atan2(sine, w);
    // The vector nearest to the one before: whole turns add up instead of jumping back.
    const axis: Vec3 = sine > 1e-9 ? [x / sine, y / sine, z / sine] : [0, 0, 0];
    const along = axis.reduce((sum, a, c) => sum + a * handle.rotation[c]!, 0);
    const nearest = angle + 2 * Math.PI * Math.round((along - angle) / (2 * Math.PI));
    const rotation: Vec3 = [axis[0] * nearest, axis[1] * nearest, axis[2] * nearest];
    const turned: Handle = { ...handle, rotation };
    this.host.showHandle(turned, handle.id);
    this.host.send({ do: "move", id: handle.id, target: handle.target, rotation,
      begins: this.turnBegins });
    this.turnBegins = false;
  }

  private attachGizmo(): void {
    const handle = this.selectedHandle();
    if (handle === undefined || this.tool !== "turn") {
      this.gizmo.detach();
      return;
    }
    const w = new THREE.Vector3(...handle.rotation);
    const angle = w.length();
    this.gizmoTarget.quaternion.setFromAxisAngle(angle > 0 ? w.divideScalar(angle) : w, angle);
    this.gizmoTarget.position.copy(this.placeOf(handle, 0));
    this.gizmo.attach(this.gizmoTarget);
  }

  private addHandle(hit: BodyHit, kind: Handle["kind"], pinned: boolean): Handle {
    const handle: Handle = {
      id: Math.floor(Math.random() * 0x7fffffff),
      body: hit.body,
      vertex: hit.vertex,
      kind,
      target: triple(hit.point),
      rotation: this.bodies.rotationOf(hit.lane, hit.body, hit.vertex),
      pinned,
    };
    this.place(handle);
    return handle;
  }

  private markerAt(event: PointerEvent): Handle | undefined {
    const reach = MARKER_REACH[event.pointerType as keyof typeof MARKER_REACH] ?? 12;
    const { lane } = this.stage.rayAt(event.clientX, event.clientY);
    return this.host.handles().find((handle) => {
      const at = this.stage.toPage(this.placeOf(handle, lane), lane);
      return Math.hypot(at.x - event.clientX, at.y - event.clientY) < reach;
    });
  }

  /** Where its marker is: at its target, or riding on its vertex when it only turns that. */
  private placeOf(handle: Handle, lane: number): THREE.Vector3 {
    const vertex = handle.kind === "orientation"
      ? this.bodies.vertexInWorld(lane, handle.body, handle.vertex) : undefined;
    return vertex ?? new THREE.Vector3(...handle.target);
  }

  /** Through a point, facing the camera. */
  private screenPlane(point: THREE.Vector3): THREE.Plane {
    const normal = this.stage.camera.getWorldDirection(new THREE.Vector3());
    return new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point);
  }

  private onPlane(event: PointerEvent, plane: THREE.Plane): THREE.Vector3 | undefined {
    const { raycaster } = this.stage.rayAt(event.clientX, event.clientY);
    return raycaster.ray.intersectPlane(plane, new THREE.Vector3()) ?? undefined;
  }
}

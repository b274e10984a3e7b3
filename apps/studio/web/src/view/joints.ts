// Joints of all lanes on the stage: a mark for each kind, which goes where the joint is now.
import * as THREE from "three";
import { jointsIn, type Frame, type JointKind, type JointNow, type JointState, type Vec3 } from "../net/protocol";
import { laneLayer, type Stage } from "./stage";

const COLOUR = 0x9467bd;
const CHOSEN = 0xe69f00;
const BROKEN = 0x8a8578;
/** Of the scene's size: the dot, the rod along an axis, and half its length by kind. */
const DOT = 0.014;
const ROD = 0.005;
const HALF_LENGTH: Readonly<Partial<Record<JointKind, number>>> = { hinge: 0.09, slider: 0.2 };

interface Mark {
  root: THREE.Group;
  /** Turned along the axis. */
  turned: THREE.Group;
  far: THREE.Mesh;
  line: THREE.Line;
  material: THREE.MeshBasicMaterial;
}

/** Where the scene has a joint before a frame says where it is. */
export function startOf(joint: Pick<JointState, "at" | "to" | "axis">): JointNow {
  const length = Math.hypot(...(joint.axis ?? [0, 0, 1])) || 1;
  const axis = (joint.axis ?? [0, 0, 1]).map((c) => c / length) as unknown as Vec3;
  return { a: joint.at, b: joint.to ?? joint.at, axis, force: 0, broken: false };
}

export class Joints {
  private marks: Mark[][] = []; // by lane, then joint
  private made = "";
  private chosen: number | undefined;
  private now: JointNow[] = [];

  constructor(private readonly stage: Stage) {}

  /** Of the first lane. */
  get shown(): readonly JointNow[] {
    return this.now;
  }

  /** `radius` gives what a weld holds around it, m. */
  update(joints: JointState[], lanes: number, sceneSize: number, radius: (joint: JointState) => number): void {
    const key = JSON.stringify([joints, lanes, sceneSize]);
    if (key === this.made) return;
    this.made = key;
    for (const { root } of this.marks.flat()) this.stage.scene.remove(root);
    this.marks = Array.from({ length: lanes }, (_, lane) =>
      joints.map((joint) => this.make(joint, lane, sceneSize, radius(joint))));
    this.now = joints.map(startOf);
    this.marks.forEach((lane) => lane.forEach((mark, k) => this.place(mark, this.now[k]!, k)));
  }

  /** A replayed take has none: they are away meanwhile. */
  show(frame: Frame): void {
    this.marks.forEach((lane, index) => {
      const numbers = frame.joints[index];
      const joints = numbers === undefined ? [] : jointsIn(numbers);
      lane.forEach((mark, k) => {
        mark.root.visible = joints.length === lane.length;
        if (mark.root.visible) this.place(mark, joints[k]!, k);
      });
      if (index === 0 && joints.length === lane.length) this.now = joints;
    });
  }

  choose(joint: number | undefined): void {
    this.chosen = joint;
    this.marks.forEach((lane) => lane.forEach((mark, k) => {
      if (this.now[k] !== undefined) this.place(mark, this.now[k], k);
    }));
  }

  private place(mark: Mark, now: JointNow, index: number): void {
    mark.root.position.set(...now.a);
    mark.turned.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...now.axis).normalize());
    const away = new THREE.Vector3(...now.b).sub(mark.root.position);
    mark.far.position.copy(away);
    mark.line.visible = !now.broken;
    mark.line.geometry.setFromPoints([new THREE.Vector3(), away]);
    const colour = index === this.chosen ? CHOSEN : now.broken ? BROKEN : COLOUR;
    mark.material.color.setHex(colour);
    (mark.line.material as THREE.LineBasicMaterial).color.setHex(colour);
  }

  private make(joint: JointState, lane: number, sceneSize: number, radius: number): Mark {
    const material = new THREE.MeshBasicMaterial({ color: COLOUR, depthTest: false, fog: false, transparent: true, opacity: 0.9 });
    const root = new THREE.Group();
    const turned = new THREE.Group();
    const dot = DOT * sceneSize;
    const solid = (geometry: THREE.BufferGeometry) => new THREE.Mesh(geometry, material);
    const far = solid(joint.bodies.includes(null) ? new THREE.BoxGeometry(1.5 * dot, 1.5 * dot, 1.5 * dot)
      : new THREE.SphereGeometry(0.7 * dot, 16, 12));
    const line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: COLOUR, depthTest: false, fog: false }));
    root.add(turned, far, line, solid(new THREE.SphereGeometry(dot, 20, 14)));
    const half = (HALF_LENGTH[joint.kind] ?? 0) * sceneSize;
    if (half > 0) {
      turned.add(solid(new THREE.CylinderGeometry(ROD * sceneSize, ROD * sceneSize, 2 * half, 12)));
      if (joint.kind === "slider") {
        for (const end of [1, -1]) {
          const cone = solid(new THREE.ConeGeometry(0.8 * dot, 2 * dot, 16));
          cone.position.y = end * half;
          if (end < 0) cone.rotation.x = Math.PI;
          turned.add(cone);
        }
      }
    }
    if (joint.kind === "weld") {
      root.add(new THREE.Mesh(new THREE.SphereGeometry(radius, 28, 20),
        new THREE.MeshBasicMaterial({ color: COLOUR, transparent: true, opacity: 0.22, depthWrite: false, fog: false })));
    }
    root.traverse((thing) => {
      thing.layers.set(laneLayer(lane));
      thing.frustumCulled = false;
      thing.renderOrder = 9;
    });
    this.stage.scene.add(root);
    return { root, turned, far, line, material };
  }
}

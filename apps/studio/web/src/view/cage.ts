// The tetrahedra around a body at rest, as lines.
import * as THREE from "three";
import type { BodyState, CageMessage } from "../net/protocol";
import type { Stage } from "./stage";

const COLOUR = 0xcc3377;

export class Cage {
  private readonly lines: THREE.LineSegments;

  constructor(stage: Stage) {
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: COLOUR, transparent: true, opacity: 0.5, fog: false, depthTest: false }));
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    this.lines.renderOrder = 7;
    this.lines.layers.enableAll();
    stage.scene.add(this.lines);
  }

  /** Edges that are drawn now. */
  get count(): number {
    return this.lines.visible ? (this.lines.geometry.getIndex()?.count ?? 0) / 2 : 0;
  }

  show(message: CageMessage | undefined, start?: BodyState["start"]): void {
    this.lines.visible = message !== undefined;
    if (message === undefined) return;
    this.lines.geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(message.positions), 3));
    this.lines.geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(message.edges), 1));
    this.lines.position.set(...(start?.position ?? [0, 0, 0]));
    this.lines.quaternion.set(...(start?.rotation ?? [0, 0, 0, 1]));
  }
}

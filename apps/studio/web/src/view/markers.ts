// What hands look like: a dot on the vertex, a ring at its target, a line between; a force arrow.
import * as THREE from "three";
import type { Handle } from "../net/protocol";

const HANDLE_COLOUR = 0xe69f00;
const PINNED_COLOUR = 0x222222;
const FORCE_COLOUR = 0xd55e00;
/** Of the view's height. */
const DOT_SIZE = 0.011;

interface Marker {
  dot: THREE.Mesh;
  line: THREE.Line;
  root: THREE.Group;
}

export class Markers {
  private readonly root = new THREE.Group();
  private readonly markers = new Map<number, Marker>();
  private readonly arrow = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(),
    1, FORCE_COLOUR);
  private readonly sphere = new THREE.SphereGeometry(1, 20, 14);

  constructor(
    scene: THREE.Scene,
    private readonly camera: THREE.PerspectiveCamera,
  ) {
    this.arrow.visible = false;
    scene.add(this.root, this.arrow);
  }

  /** `vertexOf` gives where the handle's vertex is now. */
  update(
    handles: readonly Handle[],
    selected: number | undefined,
    vertexOf: (handle: Handle) => THREE.Vector3 | undefined,
  ): void {
    const alive = new Set(handles.map((handle) => handle.id));
    for (const [id, marker] of this.markers) {
      if (alive.has(id)) continue;
      this.root.remove(marker.root);
      this.markers.delete(id);
    }
    for (const handle of handles) {
      const vertex = vertexOf(handle);
      const marker = this.markers.get(handle.id) ?? this.make(handle.id);
      marker.root.visible = vertex !== undefined;
      if (vertex === undefined) continue;
      const hasTarget = handle.kind !== "orientation";
      const target = hasTarget ? new THREE.Vector3(...handle.target) : vertex;
      marker.dot.position.copy(target);
      const distance = this.camera.position.distanceTo(target);
      const size = DOT_SIZE * distance * Math.tan((this.camera.fov * Math.PI) / 360) * 2;
      marker.dot.scale.setScalar(size * (handle.id === selected ? 1.35 : 1));
      const colour = handle.pinned ? PINNED_COLOUR : HANDLE_COLOUR;
      (marker.dot.material as THREE.MeshBasicMaterial).color.setHex(
        handle.id === selected ? HANDLE_COLOUR : colour);
      marker.line.geometry.setFromPoints([vertex, target]);
    }
  }

  showForce(from: THREE.Vector3 | undefined, to?: THREE.Vector3): void {
    this.arrow.visible = from !== undefined && to !== undefined;
    if (from === undefined || to === undefined) return;
    const along = to.clone().sub(from);
    const length = along.length();
    if (length < 1e-9) {
      this.arrow.visible = false;
      return;
    }
    this.arrow.position.copy(from);
    this.arrow.setDirection(along.divideScalar(length));
    this.arrow.setLength(length, 0.2 * length, 0.1 * length);
  }

  private make(id: number): Marker {
    const root = new THREE.Group();
    const dot = new THREE.Mesh(this.sphere,
      new THREE.MeshBasicMaterial({ color: HANDLE_COLOUR, depthTest: false, fog: false }));
    dot.renderOrder = 10;
    const line = new THREE.Line(new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: PINNED_COLOUR, depthTest: false, fog: false }));
    line.renderOrder = 9;
    line.frustumCulled = false;
    root.add(dot, line);
    this.root.add(root);
    const marker = { root, dot, line };
    this.markers.set(id, marker);
    return marker;
  }
}

// Where bodies touch, and with what force: a dot and a line for each contact.
import * as THREE from "three";
import { laneLayer, type Stage } from "./stage";

const COLOUR = 0xcc3377;
/** The largest force is drawn as long as this part of the scene. */
const LONGEST = 0.25;
/** The scale follows falling forces slowly, so that a resting pile does not flicker. */
const FADE = 0.98;

interface LaneMarks {
  dots: THREE.Points;
  lines: THREE.LineSegments;
}

/** Ends of the lines: six numbers a contact, point and point + force · scale. */
export function forceLines(numbers: Float32Array, scale: number): Float32Array {
  const lines = new Float32Array(numbers.length);
  for (let i = 0; i + 5 < numbers.length; i += 6) {
    for (let c = 0; c < 3; ++c) {
      lines[i + c] = numbers[i + c]!;
      lines[i + 3 + c] = numbers[i + c]! + scale * numbers[i + 3 + c]!;
    }
  }
  return lines;
}

export class Touching {
  private lanes: LaneMarks[] = [];
  private strongest = 0;

  constructor(private readonly stage: Stage) {}

  /** Contacts that are drawn now. */
  get count(): number {
    return this.lanes.reduce((sum, { dots }) =>
      sum + (dots.visible ? dots.geometry.getAttribute("position").count : 0), 0);
  }

  show(touching: Float32Array[], sceneSize: number): void {
    while (this.lanes.length < touching.length) this.lanes.push(this.make(this.lanes.length));
    this.strongest *= FADE;
    for (const numbers of touching) {
      for (let i = 3; i + 2 < numbers.length; i += 6) {
        this.strongest = Math.max(this.strongest, Math.hypot(numbers[i]!, numbers[i + 1]!, numbers[i + 2]!));
      }
    }
    const scale = this.strongest > 0 ? (LONGEST * sceneSize) / this.strongest : 0;
    this.lanes.forEach(({ dots, lines }, lane) => {
      const numbers = touching[lane];
      dots.visible = lines.visible = numbers !== undefined && numbers.length > 0;
      if (numbers === undefined || numbers.length === 0) return;
      const ends = forceLines(numbers, scale);
      const points = new Float32Array(ends.length / 2);
      for (let i = 0; i < ends.length; i += 6) points.set(ends.subarray(i, i + 3), i / 2);
      lines.geometry.setAttribute("position", new THREE.BufferAttribute(ends, 3));
      dots.geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
    });
  }

  private make(lane: number): LaneMarks {
    const dots = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ color: COLOUR,
      size: 7, sizeAttenuation: false, depthTest: false, fog: false }));
    const lines = new THREE.LineSegments(new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: COLOUR, depthTest: false, fog: false }));
    for (const thing of [dots, lines]) {
      thing.frustumCulled = false;
      thing.renderOrder = 8;
      thing.layers.set(laneLayer(lane));
      this.stage.scene.add(thing);
    }
    return { dots, lines };
  }
}

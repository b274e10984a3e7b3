// A mode as a ghost: its shape swings translucent where the body is, while the body goes on.
import * as THREE from "three";
import type { Instance } from "../net/protocol";
import type { Bodies, ModePreview } from "./bodies";
import { BodyView, type BodyAssets } from "./body_view";
import { laneLayer, type Stage } from "./stage";

const COLOUR = "#e69f00";
const OPACITY = 0.38;

const middle = (positions: Float32Array): THREE.Vector3 => {
  const sum = new THREE.Vector3();
  for (let i = 0; i < positions.length; i += 3) sum.add(new THREE.Vector3().fromArray(positions, i));
  return sum.divideScalar(Math.max(1, positions.length / 3));
};

export class ModeGhost {
  private view: BodyView | undefined;
  private of: BodyAssets | undefined;

  constructor(
    private readonly stage: Stage,
    private readonly bodies: Bodies,
  ) {}

  /** Whether one is drawn now. */
  get visible(): boolean {
    return this.view?.object.visible === true;
  }

  /** At `phase` of its swing (rad), over the first lane's body; none without a mode. */
  show(mode: ModePreview | undefined, phase: number): void {
    const body = mode === undefined ? undefined : this.bodies.view(0, mode.body);
    if (this.of !== undefined && this.of !== body?.assets) this.drop();
    if (mode === undefined || body === undefined) return;
    if (this.view === undefined) this.make(body.assets);
    const values = new Float32Array(body.assets.model.modeCount);
    values[mode.mode] = mode.amplitude * Math.sin(phase);
    this.view!.show({ ...this.placeOf(body), kind: "warped", values, volumeRatio: 1, error: 0 });
  }

  /** Where the body's frame is; positions have none, and the ghost's middle goes where theirs is. */
  private placeOf(body: BodyView): Pick<Instance, "position" | "rotation"> {
    const { position: p, quaternion: q } = body.object;
    if (body.hasModes() || body.assets.model.clamped) return { position: [p.x, p.y, p.z], rotation: [q.x, q.y, q.z, q.w] };
    const way = middle(body.positions()).sub(middle(body.assets.model.restPositions));
    return { position: [way.x, way.y, way.z], rotation: [0, 0, 0, 1] };
  }

  private make(assets: BodyAssets): void {
    this.of = assets;
    this.view = new BodyView(assets, COLOUR, laneLayer(0));
    this.view.setOpacity(OPACITY);
    this.view.object.traverse((thing) => {
      thing.layers.set(0); // every lane sees it
      thing.renderOrder = 6;
    });
    this.stage.scene.add(this.view.object);
  }

  private drop(): void {
    if (this.view === undefined) return;
    this.stage.scene.remove(this.view.object);
    this.view.dispose();
    this.view = this.of = undefined;
  }
}

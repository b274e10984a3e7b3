// From where the scene is looked at: all of it, as a project was left, or where one stands.
import * as THREE from "three";
import type { SavedView, StudioState, Vec3 } from "../net/protocol";
import type { Bodies } from "./bodies";
import type { Stage } from "./stage";

export class Looking {
  /** Of all bodies and the floor under them, m. */
  sceneSize = 1;
  private openedSeen = -1;

  constructor(
    private readonly stage: Stage,
    private readonly bodies: Bodies,
    private readonly state: () => StudioState | undefined,
  ) {}

  /** Of all bodies where the scene has them at its start. */
  box(): THREE.Box3 {
    return this.bodies.box(this.state()?.bodies.map((body) => body.start) ?? []);
  }

  fit(): void {
    const { min, max } = this.box();
    if (min.x <= max.x) this.stage.frame(min, max, this.bodies.loaded?.floor ?? null);
  }

  /** Light, floor and the camera's limits fit what was loaded; the eye stays. */
  surround(): void {
    const { min, max } = this.box();
    if (min.x > max.x) return;
    this.sceneSize = this.stage.surround(min, max, this.bodies.loaded?.floor ?? null).size;
  }

  /** Another scene is looked at as it was when it was saved; gives its view the first time. */
  takeView(): { saved: SavedView | null } | undefined {
    const state = this.state();
    if (state === undefined || state.opened === this.openedSeen) return undefined;
    this.openedSeen = state.opened;
    this.fit();
    if (state.view !== null) this.stage.lookFrom(state.view.eye, state.view.target);
    return { saved: state.view };
  }

  view(hidden: ReadonlySet<string>): SavedView {
    const [eye, target] = [this.stage.camera.position, this.stage.controls.target]
      .map((v) => [v.x, v.y, v.z] as Vec3);
    return { eye: eye!, target: target!, hidden: [...hidden] };
  }
}

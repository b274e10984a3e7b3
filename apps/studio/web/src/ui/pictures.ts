// Pictures of the stage: screenshots of any size, and those of key poses on the time line.
import * as THREE from "three";
import type { Frame, StudioState } from "../net/protocol";
import type { Bodies } from "../view/bodies";
import type { Stage } from "../view/stage";
import { download, type Messages } from "./overlays";
import { thumbnail } from "./thumbnail";
import type { Timeline } from "./timeline";

/** A pose is passed within so many seconds. */
const PASSING = 0.03;

export class Pictures {
  constructor(
    private readonly stage: Stage,
    private readonly bodies: Bodies,
    private readonly messages: Messages,
    private readonly timeline: Timeline,
  ) {}

  /** As large as the stage stands on the page. */
  screenshot(): void {
    const { clientWidth, clientHeight } = this.stage.canvas;
    const ratio = Math.min(devicePixelRatio, 2);
    void this.save(Math.round(clientWidth * ratio), Math.round(clientHeight * ratio));
  }

  async save(width: number, height: number): Promise<void> {
    const blob = await this.stage.picture(width, height);
    if (blob === null) {
      this.messages.say("This browser makes no picture that large.", "error");
      return;
    }
    const address = URL.createObjectURL(blob);
    download(address, "limber.png");
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    this.messages.say("The screenshot is in your downloads.");
  }

  /** Of a pose that was just kept the picture on the stage, of others when the motion passes them. */
  takeThumbnail(frame: Frame, { interpolation }: StudioState): void {
    const { active, poses } = interpolation;
    const lacking = poses.find((pose) => !this.timeline.hasPicture(pose.id) &&
      (active ? Math.abs(frame.time - pose.time) < PASSING : pose.id === this.timeline.newest));
    const view = this.bodies.view(0, 0);
    if (lacking === undefined || view === undefined) return;
    const box = new THREE.Box3();
    const positions = view.worldPositions();
    const at = new THREE.Vector3();
    for (let i = 0; i < positions.length; i += 3) {
      const { x, y } = this.stage.toPage(at.fromArray(positions, i));
      box.expandByPoint(at.set(x, y, 0));
    }
    this.timeline.setPicture(lacking.id, thumbnail(this.stage.canvas, box));
  }
}

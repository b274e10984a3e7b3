// The time line under the picture: poses as marks that can be moved, a scrubber, play and loop.
import type { StudioState } from "../net/protocol";
import { button } from "./controls";
import { make, setText } from "./dom";
import type { Desk } from "./panel";

/** Past the last pose, so that there is room to move it. */
const ROOM = 1.15;

export class Timeline {
  readonly element: HTMLElement;
  private readonly track = make("div", { className: "track", tabIndex: 0, role: "slider",
    aria: { label: "Time", valuemin: "0" } });
  private readonly head = make("i", { className: "head" });
  private readonly clock = make("output");
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private span = 1;
  private held: number | "head" | undefined;
  private marks = "";

  constructor(private readonly desk: Desk) {
    this.play = button("Play the poses", () => this.settings({ toggle: "active" }), "primary");
    this.loop = button("Loop", () => this.settings({ toggle: "looping" }));
    this.track.append(this.head);
    this.element = make("div", { className: "timeline", hidden: true }, this.play, this.loop,
      this.track, this.clock);
    this.track.addEventListener("pointerdown", (event) => {
      const mark = (event.target as HTMLElement).dataset["pose"];
      this.held = mark === undefined ? "head" : Number(mark);
      this.track.setPointerCapture(event.pointerId);
      this.move(event);
    });
    this.track.addEventListener("pointermove", (event) => this.move(event));
    this.track.addEventListener("pointerup", () => (this.held = undefined));
    this.track.addEventListener("keydown", (event) => this.key(event));
  }

  update(state: StudioState): void {
    const { poses, active, looping, time, duration } = state.interpolation;
    if (typeof this.held !== "number") this.span = Math.max(ROOM * duration, 1);
    setText(this.play, active ? "Stop" : "Play the poses");
    this.play.disabled = poses.length < 2;
    this.loop.setAttribute("aria-pressed", String(looping));
    if (this.held !== "head") this.place(time);
    const key = JSON.stringify([poses, this.span]);
    if (key === this.marks) return;
    this.marks = key;
    this.track.querySelectorAll(".mark").forEach((mark) => mark.remove());
    for (const pose of poses) {
      const left = `left: ${(100 * pose.time) / this.span}%`;
      this.track.append(make("button", { type: "button", className: "mark", style: left,
        title: `${pose.name}, ${pose.time.toFixed(2)} s; drag to move, double-click to remove`,
        data: { pose: String(pose.id) },
        ondblclick: () => this.desk.send({ do: "pose_remove", id: pose.id }) },
        make("span", {}, pose.name)));
    }
  }

  /** The time of the newest frame while the poses are played. */
  showTime(time: number): void {
    if (this.held !== "head") this.place(time);
  }

  private place(time: number): void {
    this.head.style.left = `${(100 * Math.min(time, this.span)) / this.span}%`;
    this.track.setAttribute("aria-valuenow", time.toFixed(2));
    this.track.setAttribute("aria-valuemax", this.span.toFixed(2));
    setText(this.clock, `${time.toFixed(2)} s`);
  }

  private settings({ toggle }: { toggle: "active" | "looping" }): void {
    const now = this.desk.state()?.interpolation;
    if (now === undefined) return;
    const active = toggle === "active" ? !now.active : now.active;
    const looping = toggle === "looping" ? !now.looping : now.looping;
    this.desk.send({ do: "interpolation", active, looping, modes: now.modes });
  }

  private move(event: PointerEvent): void {
    if (this.held === undefined) return;
    const box = this.track.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const time = part * this.span;
    if (this.held === "head") this.scrub(time);
    else this.desk.send({ do: "pose_time", id: this.held, time });
  }

  private scrub(time: number): void {
    this.place(time);
    this.desk.send({ do: "scrub", time });
  }

  private key(event: KeyboardEvent): void {
    const now = this.desk.state()?.interpolation;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (now === undefined || by === undefined) return;
    event.preventDefault();
    this.scrub(Math.min(this.span, Math.max(0, now.time + by / 30)));
  }
}

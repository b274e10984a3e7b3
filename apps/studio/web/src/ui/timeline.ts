// The time line under the picture: poses as marks that can be moved, a scrubber, play and loop.
import type { StudioState } from "../net/protocol";
import { button } from "./controls";
import { make, setText } from "./dom";
import type { Desk } from "./panel";

/** Seconds between ticks: the shortest of these that leaves room for its words. */
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 600];
const MOST_TICKS = 12;

/** Times of the ticks on a line of that length, s. */
export function ticks(span: number): number[] {
  const step = STEPS.find((one) => span / one <= MOST_TICKS) ?? 3600;
  return Array.from({ length: Math.floor(span / step + 1e-9) + 1 }, (_, i) => Number((i * step).toFixed(3)));
}

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
  private pictures = new Map<number, string>();
  private known = new Set<number>();
  /** The pose that came last. */
  newest = 0;

  constructor(private readonly desk: Desk) {
    this.play = button("Play the poses", () => this.settings({ toggle: "active" }), "primary");
    this.loop = button("Loop", () => this.settings({ toggle: "looping" }));
    this.track.append(this.head);
    this.element = make("div", { className: "timeline", hidden: true }, this.play, this.loop,
      this.track, this.clock);
    this.track.addEventListener("pointerdown", (event) => {
      const mark = (event.target as HTMLElement).closest<HTMLElement>("[data-pose]")?.dataset["pose"];
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
    for (const { id } of poses) if (!this.known.has(id)) this.newest = id;
    this.known = new Set(poses.map(({ id }) => id));
    for (const id of this.pictures.keys()) if (!this.known.has(id)) this.pictures.delete(id);
    const key = JSON.stringify([poses, this.span, [...this.pictures.keys()]]);
    if (key === this.marks) return;
    this.marks = key;
    this.track.querySelectorAll(".mark, .tick").forEach((mark) => mark.remove());
    for (const time of ticks(this.span)) {
      this.track.append(make("i", { className: "tick", style: `left: ${(100 * time) / this.span}%` }, make("span", {}, `${time}`)));
    }
    for (const pose of poses) {
      const left = `left: ${(100 * pose.time) / this.span}%`;
      this.track.append(make("button", { type: "button", className: "mark", style: left,
        title: `${pose.name}, ${pose.time.toFixed(2)} s; drag to move, double-click to remove`,
        data: { pose: String(pose.id) },
        ondblclick: () => this.desk.send({ do: "pose_remove", id: pose.id }) },
        ...this.faces(pose.id), make("b"), make("span", {}, pose.name)));
    }
  }

  hasPicture(pose: number): boolean {
    return this.pictures.has(pose);
  }

  setPicture(pose: number, address: string): void {
    this.pictures.set(pose, address);
    const state = this.desk.state();
    if (state !== undefined) this.update(state);
  }

  private faces(pose: number): HTMLElement[] {
    const address = this.pictures.get(pose);
    return address === undefined ? [] : [make("img", { src: address, alt: "" })];
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

// Names of the lanes over their views, and what became of a lane that cannot go on.
import type { LaneFault, Method, StudioState } from "../net/protocol";
import { METHOD_COLOUR, METHOD_NAME } from "../view/colours";
import type { Layout, ViewRectangle } from "../view/stage";
import { make } from "./dom";

/** Stands any compression, so it goes on where others turn inside out. */
const SURE: Method = "neo-hookean";

export interface LaneActions {
  /** Plays a lane by another method from here on. */
  goOn(lane: number, method: Method): void;
  reset(): void;
}

/** The method that a stopped lane can be played by instead; none when that is what stopped. */
export function wayOn(state: Pick<StudioState, "lanes" | "methods">, lane: number): Method | undefined {
  return state.methods.includes(SURE) && state.lanes[lane] !== SURE ? SURE : undefined;
}

export class LaneLabels {
  readonly element = make("div", { className: "lane-labels" });
  private shown = "";

  constructor(private readonly actions: LaneActions) {}

  /** Made anew only when something changed: a button must outlive the press on it. */
  update(state: StudioState, views: ViewRectangle[], layout: Layout): void {
    const { lanes, faults, methods, bodies } = state;
    const key = JSON.stringify([lanes, faults, methods, bodies.length, views, layout]);
    if (key === this.shown) return;
    this.shown = key;
    this.element.replaceChildren(...lanes.flatMap((method, lane) => {
      const fault = faults.find((f) => f.lane === lane);
      if (lanes.length === 1 && fault === undefined) return [];
      const view = views[Math.min(lane, views.length - 1)]!;
      const top = view.y + 14 + (layout === "over" ? 30 * lane : 0);
      return [make("div", { className: "lane-label", data: { lane: String(lane) },
        style: `left: ${view.x + view.width / 2}px; top: ${top}px; max-width: ${view.width - 16}px` },
        make("span", { className: "lane-name" },
          make("i", { className: "swatch", style: `background: ${METHOD_COLOUR[method]}` }),
          METHOD_NAME[method]),
        fault === undefined ? undefined : this.stopped(state, lane, fault))];
    }));
  }

  private stopped(state: StudioState, lane: number, fault: LaneFault): HTMLElement {
    const way = wayOn(state, lane);
    const name = state.bodies.length > 1 ? `${state.bodies[fault.body]?.name ?? ""} stopped` : "Stopped";
    return make("div", { className: "lane-fault", role: "alert", data: { test: "fault" } },
      make("strong", {}, `${name} at ${fault.time.toFixed(2)} s`),
      make("span", {}, fault.message),
      make("div", { className: "row wrap" },
        way === undefined ? undefined : make("button", { type: "button", className: "button primary",
          data: { test: "go-on" }, onclick: () => this.actions.goOn(lane, way) },
          `Go on by ${METHOD_NAME[way]}`),
        make("button", { type: "button", className: "button", data: { test: "fault-reset" },
          onclick: () => this.actions.reset() }, "Back to rest")));
  }
}

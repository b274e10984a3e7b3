// Energy, momentum and angular momentum of the chosen body over the scene's time.
import { motionIn, type Frame, type StudioState } from "../net/protocol";
import { METHOD_COLOUR, METHOD_NAME } from "../view/colours";
import { withPrefix } from "./controls";
import { make, setText } from "./dom";
import type { Desk } from "./panel";
import { Plot } from "./plot";

const PARTS = [["moving", "#0072b2"], ["elastic", "#d55e00"], ["height", "#8a8578"], ["together", "#009e73"]] as const;

export interface MotionPlots {
  element: HTMLElement;
  update(state: StudioState): void;
  push(frame: Frame): void;
  draw(): void;
  clear(): void;
}

export function motionPlots(desk: Desk): MotionPlots {
  const energy = new Plot({ title: "Energy", format: (v) => withPrefix(v, "J") });
  const momentum = new Plot({ title: "Momentum", includes: [0], format: (v) => withPrefix(v, "kg m/s") });
  const angular = new Plot({ title: "Angular momentum about its middle", includes: [0], format: (v) => withPrefix(v, "kg m²/s") });
  const all = [energy, momentum, angular];
  const name = make("h2");
  const hint = make("p", { className: "hint" });
  const element = make("section", { className: "section", data: { test: "motion" } }, name, ...all.map((plot) => plot.element), hint);
  let shown = "";
  /** Heights count from where the plot began. */
  let ground: number[] = [];
  return { element, update, push, draw: () => all.forEach((plot) => plot.draw()), clear };

  function clear(): void {
    all.forEach((plot) => plot.clear());
    ground = [];
  }

  function update(state: StudioState): void {
    const body = state.bodies[desk.local().body];
    const key = JSON.stringify([body?.name, state.lanes, state.gravity]);
    if (key !== shown) {
      shown = key;
      clear();
    }
    setText(name, `Motion of ${body?.name ?? ""}`);
    momentum.element.hidden = angular.element.hidden = body?.free !== true;
    setText(hint, body?.free === true ? "" : "A held body gives momentum to what holds it: only free ones have plots of it.");
    hint.hidden = body?.free === true;
  }

  function push(frame: Frame): void {
    const state = desk.state();
    if (state === undefined || frame.motion.length !== state.lanes.length) return;
    const motions = frame.motion.map((numbers) => motionIn(numbers, desk.local().body));
    if (motions.some((motion) => motion === undefined)) return;
    const lanes = state.lanes.map((m) => ({ name: METHOD_NAME[m], colour: METHOD_COLOUR[m] }));
    motions.forEach((motion, lane) => {
      if (ground[lane] === undefined && Number.isFinite(motion!.potential)) ground[lane] = motion!.potential;
    });
    const height = (lane: number) => motions[lane]!.potential - (ground[lane] ?? 0);
    const together = motions.map((motion, lane) => motion!.kinetic + motion!.elastic + height(lane));
    if (lanes.length === 1) {
      energy.push(frame.time, [motions[0]!.kinetic, motions[0]!.elastic, height(0), together[0]!],
        PARTS.map(([part, colour]) => ({ name: part, colour })));
    } else energy.push(frame.time, together, lanes);
    momentum.push(frame.time, motions.map((motion) => motion!.momentum), lanes);
    angular.push(frame.time, motions.map((motion) => motion!.angular), lanes);
  }
}

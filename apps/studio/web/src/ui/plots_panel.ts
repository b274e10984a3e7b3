// Live readings: what a frame and a step cost, contacts and volume; energy and momentum.
import { METHOD_COLOUR, METHOD_NAME } from "../view/colours";
import type { Frame, StudioState } from "../net/protocol";
import { section } from "./controls";
import { make, setText } from "./dom";
import type { Desk, Panel } from "./panel";
import { motionPlots } from "./motion_plots";
import { Plot } from "./plot";
import type { SeeSection } from "./see_section";

const GREY = "#8a8578";

export function plotsPanel(desk: Desk, where: () => string[], see: SeeSection): Panel {
  const frameTime = new Plot({ title: "Picture to picture", includes: [0],
    format: (v) => `${v.toFixed(1)} ms` });
  const stepTime = new Plot({ title: "One step on the server", includes: [0],
    format: (v) => (v < 1000 ? `${v.toFixed(0)} µs` : `${(v / 1000).toFixed(1)} ms`) });
  const volume = new Plot({ title: "Volume over rest", includes: [1], format: (v) => v.toFixed(3) });
  const contacts = new Plot({ title: "Contacts", includes: [0, 1], format: (v) => v.toFixed(0) });
  const plots = [frameTime, stepTime, volume, contacts];
  const motion = motionPlots(desk);
  const warping = make("p", { className: "hint" });
  const element = make("div", {}, see.element, section("Live", ...plots.map((plot) => plot.element), warping), motion.element);
  let generation = -1;
  let warps = false; // positions arrive ready
  return { id: "plots", title: "Plots", element, update, frame, draw };

  function update(state: StudioState): void {
    see.update(state);
    motion.update(state);
    if (state.generation !== generation) {
      generation = state.generation;
      plots.forEach((plot) => plot.clear());
      motion.clear();
      contacts.element.hidden = true; // until something touches
    }
  }

  function frame(frame: Frame, milliseconds: number): void {
    motion.push(frame);
    const lanes = desk.state()?.lanes ?? [];
    const bodies = frame.instances.length / Math.max(1, lanes.length);
    warps = frame.instances.some((instance) => instance.kind !== "positions");
    const curves = lanes.map((m) => ({ name: METHOD_NAME[m], colour: METHOD_COLOUR[m] }));
    frameTime.push(frame.time, [milliseconds], [{ name: "picture", colour: GREY }]);
    if (frame.laneCosts.length === lanes.length) stepTime.push(frame.time, [...frame.laneCosts], curves);
    else stepTime.push(frame.time, [frame.stepMicroseconds], [{ name: "step", colour: GREY }]);
    if (frame.contacts > 0) contacts.element.hidden = false;
    if (!contacts.element.hidden) {
      contacts.push(frame.time, [frame.contacts], [{ name: "contacts", colour: "#cc79a7" }]);
    }
    volume.push(frame.time, lanes.map((_, lane) => frame.instances[lane * bodies]?.volumeRatio ?? 1), curves);
  }

  function draw(): void {
    const places = new Set(where());
    setText(warping, places.size === 0 || !warps ? "" : places.has("cpu")
      ? "Surfaces are warped on the CPU: the modes do not fit this graphics driver."
      : "Surfaces are warped by the vertex program on the GPU.");
    plots.forEach((plot) => plot.draw());
    motion.draw();
  }
}

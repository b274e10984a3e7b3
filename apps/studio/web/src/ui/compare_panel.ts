// The same body by two to four methods at once.
import { METHOD_COLOUR, METHOD_NAME } from "../view/colours";
import type { Frame, Method, StudioState } from "../net/protocol";
import type { Layout } from "../view/stage";
import { button, section, segmented, select } from "./controls";
import { make } from "./dom";
import type { Desk, Panel } from "./panel";
import { Plot } from "./plot";

const MOST_LANES = 4;

export function comparePanel(desk: Desk): Panel {
  const lanes = make("div", { className: "lanes" });
  const layout = segmented<Layout>("Layout", [
    { value: "side", label: "Side by side" },
    { value: "over", label: "Overlaid" },
  ], (value) => desk.setLocal({ layout: value }));
  const add = button("Add a method", () => {
    const state = desk.state();
    if (state === undefined) return;
    const now = lanesOf(state);
    const free = state.methods.find((m) => !now.includes(m)) ?? state.methods[0];
    if (free !== undefined) setLanes([...now, free], state.truth);
  });
  add.dataset["test"] = "add-lane";
  const truth = select<string>("Measured against", (value) => {
    const state = desk.state();
    if (state !== undefined) setLanes(lanesOf(state), Number(value));
  });
  const error = new Plot({ title: "Error of the size", includes: [0],
    format: (v) => `${(100 * v).toFixed(1)} %` });
  const volume = new Plot({ title: "Volume over rest", includes: [1], format: (v) => v.toFixed(3) });
  const stopped = make("p", { className: "hint", data: { test: "truth-stopped" } },
    "The method that the others are measured against has stopped: there are no errors against it.");
  const measured = make("div", {},
    section("Against the truth", truth.element, stopped, error.element, volume.element));
  const alone = make("p", { className: "hint" },
    "Add a second method to see both move under the same hands, with live errors.");
  const element = make("div", {},
    section("Methods", lanes, add, alone, layout.element), measured);
  let shown = "";
  /** As asked for here and not yet known to the server: the next click builds on it. */
  let wanted: Method[] | undefined;
  return { id: "compare", title: "Compare", element, update, frame, draw };

  function lanesOf(state: StudioState): Method[] {
    return wanted ?? state.wanted_lanes;
  }

  function setLanes(methods: Method[], truthLane: number): void {
    wanted = methods;
    const state = desk.state();
    if (state !== undefined) showRows(state);
    desk.send({ do: "lanes", methods, truth: Math.min(truthLane, methods.length - 1) });
  }

  function update(state: StudioState): void {
    if (wanted?.join() === state.wanted_lanes.join()) wanted = undefined;
    const several = state.lanes.length > 1;
    stopped.hidden = !state.faults.some((fault) => fault.lane === state.truth);
    alone.hidden = several;
    layout.element.hidden = !several;
    measured.hidden = !several;
    layout.set(desk.local().layout);
    truth.options(state.lanes.map((m, i) => ({ value: String(i), label: METHOD_NAME[m] })));
    truth.set(String(state.truth));
    showRows(state);
  }

  function showRows(state: StudioState): void {
    const now = lanesOf(state);
    add.disabled = now.length >= MOST_LANES;
    const key = JSON.stringify([now, state.methods]);
    if (key === shown) return;
    shown = key;
    lanes.replaceChildren(...now.map((method, lane) => laneRow(state, now, method, lane)));
  }

  function laneRow(state: StudioState, now: Method[], method: Method, lane: number): HTMLElement {
    const truthNow = () => desk.state()?.truth ?? 0;
    const choice = select<Method>(`Method ${lane + 1}`, (value) => {
      setLanes(now.map((m, i) => (i === lane ? value : m)), truthNow());
    });
    choice.options(state.methods.map((m) => ({ value: m, label: METHOD_NAME[m] })));
    choice.set(method);
    const remove = make("button", { type: "button", className: "quiet", title: "Remove",
      disabled: now.length === 1, textContent: "×", data: { test: "remove-lane" },
      onclick: () => setLanes(now.filter((_, i) => i !== lane), truthNow()) });
    return make("div", { className: "row" },
      make("i", { className: "swatch", style: `background: ${METHOD_COLOUR[method]}` }),
      choice.element, remove);
  }

  function frame(frame: Frame): void {
    const state = desk.state();
    if (state === undefined || state.lanes.length < 2) return;
    const curves = state.lanes.map((m) => ({ name: METHOD_NAME[m], colour: METHOD_COLOUR[m] }));
    const bodies = frame.instances.length / state.lanes.length;
    const first = state.lanes.map((_, lane) => frame.instances[lane * bodies]);
    if (first.some((instance) => instance === undefined)) return;
    error.push(frame.time, first.map((instance) => instance!.error), curves);
    volume.push(frame.time, first.map((instance) => instance!.volumeRatio), curves);
  }

  function draw(): void {
    error.draw();
    volume.draw();
  }
}

// How many modes are played, and a list of them: a click lets one swing alone.
import type { StudioState } from "../net/protocol";
import { section, segmented, slider } from "./controls";
import { make } from "./dom";
import type { Desk, Panel } from "./panel";

export function modesPanel(desk: Desk): Panel {
  const count = slider({ label: "Modes played", low: 1, high: 64, whole: true, lazy: true,
    format: (v) => v.toFixed(0),
    act: (v) => desk.send({ do: "modes", body: desk.local().body, count: v }) });
  const swing = slider({ label: "Swing", low: 0.02, high: 0.6, hint: "Of the shown mode, in parts of the body's size",
    format: (v) => `${(100 * v).toFixed(0)} %`,
    act: (v) => desk.setLocal({ previewPart: v }) });
  const how = segmented<"alone" | "ghost">("How a mode is shown", [
    { value: "alone", label: "Alone", hint: "The body stands still and swings in this mode" },
    { value: "ghost", label: "As a ghost", hint: "The mode swings translucent over the body, which goes on" }],
    (value) => desk.setLocal({ ghost: value === "ghost" }));
  how.element.dataset["test"] = "mode-how";
  const list = make("ol", { className: "modes", aria: { label: "Modes" } });
  const empty = make("p", { className: "hint" },
    "This body has no modes: it is played by a full-space method. Choose a modal method to see them.");
  const element = make("div", {},
    section("Modes", count.element, swing.element, how.element,
      make("p", { className: "hint" }, "Click a mode to see it swing; click again to go back.")),
    make("section", { className: "section" }, list, empty));
  let shown = "";
  return { id: "modes", title: "Modes", element, update };

  function update(state: StudioState): void {
    const { body: index, preview, previewPart } = desk.local();
    const body = state.bodies[index];
    empty.hidden = body !== undefined && body.frequencies_hz.length > 0;
    if (body === undefined) return;
    count.limits(1, Math.max(2, body.modes_available));
    count.set(body.modes);
    swing.set(previewPart);
    how.set(desk.local().ghost ? "ghost" : "alone");
    const key = JSON.stringify([index, body.frequencies_hz, body.modes]);
    if (key !== shown) {
      shown = key;
      const largest = Math.max(...body.frequencies_hz, 1e-9);
      list.replaceChildren(...body.frequencies_hz.map((hz, mode) =>
        modeButton(desk, index, mode, hz, hz / largest, mode < body.modes)));
    }
    [...list.children].forEach((item, mode) => {
      const on = preview?.body === index && preview.mode === mode;
      item.firstElementChild?.setAttribute("aria-pressed", String(on));
    });
  }
}

function modeButton(desk: Desk, body: number, mode: number, hz: number, part: number,
  played: boolean): HTMLLIElement {
  const toggle = () => {
    const now = desk.local().preview;
    const same = now?.body === body && now.mode === mode;
    desk.setLocal({ preview: same ? undefined : { body, mode, amplitude: 0 } });
  };
  return make("li", { className: played ? "" : "unplayed" },
    make("button", { type: "button", onclick: toggle, data: { mode: String(mode) } },
      make("span", { className: "mode-number" }, String(mode + 1)),
      make("span", { className: "mode-bar" },
        make("i", { style: `width: ${(100 * part).toFixed(1)}%` })),
      make("span", { className: "mode-hz" }, `${Number(hz.toPrecision(3))} Hz`)));
}

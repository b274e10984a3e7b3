// How bodies are looked at: colours by what happens to them, with a legend; wireframe; a slice.
import type { StudioState } from "../net/protocol";
import type { Colouring, ColouringKind } from "../view/colouring";
import { mapColour } from "../view/fields";
import { SLICES, type SliceAxis } from "../view/slice";
import { section, segmented, select, slider, withPrefix } from "./controls";
import { make, setText } from "./dom";
import type { Desk } from "./panel";

const NAME: Readonly<Record<ColouringKind, string>> = { plain: "As they are", strain: "Strain of the surface",
  stress: "Stress (von Mises)",
  error: "Error against the truth", pressure: "Contact pressure", stiffness: "Painted stiffness" };
const TEXT: Readonly<Record<ColouringKind, string>> = { plain: "",
  strain: "The largest stretch or squeeze within the surface.",
  stress: "Von Mises' stress of the elements, by each method's own law: what a tensile test as severe would read.",
  error: "Distance from where the truth has it, in parts of the body's size. Compare at least two methods.",
  pressure: "Force of the contacts over the area around the nearest vertex.",
  stiffness: "Young's modulus over the body's own, powers of ten." };

const percent = (value: number) => `${Number((100 * value).toPrecision(3))} %`;
const format = (kind: ColouringKind, value: number) => kind === "pressure" || kind === "stress" ? withPrefix(value, "Pa")
  : kind === "stiffness" ? `× ${Number((10 ** value).toPrecision(2))}` : percent(value);

export interface SeeHost {
  colour(kind: ColouringKind): void;
  wireframe(on: boolean): void;
  turns(on: boolean): void;
  slice(axis: SliceAxis, part: number): void;
}

export interface SeeSection {
  element: HTMLElement;
  /** Over the picture. */
  legend: HTMLElement;
  update(state: StudioState): void;
  draw(colouring: Colouring): void;
}

export function seeSection(desk: Desk, host: SeeHost): SeeSection {
  let kind: ColouringKind = "plain";
  let axis: SliceAxis = "off";
  let part = 0.5;
  let askedContacts = false;
  const text = make("p", { className: "hint" });
  const colour = select<ColouringKind>("Colour", (value) => {
    kind = value;
    // Pressure comes with the contacts, and they go with it.
    const shown = desk.state()?.contacts_shown;
    if (kind === "pressure" && shown === false) {
      desk.send({ do: "contacts", shown: true });
      askedContacts = true;
    } else if (kind !== "pressure" && askedContacts) {
      if (shown === true) desk.send({ do: "contacts", shown: false });
      askedContacts = false;
    }
    sendStress();
    host.colour(kind);
    show();
  });
  colour.element.dataset["test"] = "colour";
  colour.options(Object.entries(NAME).map(([value, label]) => ({ value: value as ColouringKind, label })));
  const wire = make("input", { type: "checkbox", data: { test: "wireframe" }, onchange: () => host.wireframe(wire.checked) });
  const turns = make("input", { type: "checkbox", data: { test: "turns" }, onchange: () => host.turns(turns.checked) });
  const cut = segmented<SliceAxis>("Slice", SLICES.map((value) => ({ value, label: value === "off" ? "Whole" : `Cut ${value}` })), (value) => {
    axis = value;
    host.slice(axis, part);
    show();
  });
  cut.element.dataset["test"] = "slice";
  const depth = slider({ label: "Cut at", low: 0, high: 1, format: percent, act: (value) => {
    part = value;
    host.slice(axis, part);
  } });
  const low = make("span");
  const high = make("span");
  const title = make("span", { className: "map-title" });
  const stops = Array.from({ length: 8 }, (_, i) => `rgb(${mapColour(i / 7).map(Math.round).join(" ")})`);
  const legend = make("div", { className: "map-legend", hidden: true, role: "img", data: { test: "map-legend" } }, title,
    make("i", { style: `background: linear-gradient(to right, ${stops.join(", ")})` }), make("div", {}, low, high));
  const element = section("Look", colour.element, text, make("label", { className: "check" }, wire, "Wireframe"),
    make("label", { className: "check", title: "Small axes, x red, y green, z blue, on points all over the surface" }, turns, "Turns of the nodes"), cut.element, depth.element);
  depth.set(part);
  show();
  return { element, legend, update: (state) => {
    // Others may look at this scene too, and a project may have been opened.
    if (kind === "stress" && !state.stress_shown) sendStress();
    show();
  }, draw };

  /** The server reckons it while somebody looks. */
  function sendStress(): void {
    const state = desk.state();
    if (state !== undefined && state.stress_shown !== (kind === "stress")) desk.send({ do: "stress", shown: kind === "stress" });
  }

  function show(): void {
    setText(text, TEXT[kind]);
    text.hidden = kind === "plain";
    colour.set(kind);
    cut.set(axis);
    depth.element.hidden = axis === "off";
    legend.hidden = kind === "plain";
    setText(title, NAME[kind]);
  }

  function draw(colouring: Colouring): void {
    const { end } = colouring;
    setText(low, kind === "stiffness" ? format(kind, -end) : format(kind, 0));
    setText(high, end > 0 ? format(kind, end) : "nothing yet");
    legend.setAttribute("aria-label", `${NAME[kind]}: from ${low.textContent} to ${high.textContent}`);
  }
}

// A body in the making: how finely it is filled, with its cage to look at, and a brush for what is held
// and how stiff it is.
import type { CageMessage, StudioState } from "../net/protocol";
import type { Brush, BrushMode } from "../view/brush";
import { button, section, segmented, slider, withPrefix } from "./controls";
import { make, setText } from "./dom";
import type { Desk } from "./panel";

/** What the library takes where the scene says nothing. */
const USUAL_CELLS = 24;

export interface MakeSection {
  element: HTMLElement;
  update(state: StudioState): void;
  cage(message: CageMessage): void;
}

export function makeSection(desk: Desk, brush: Brush, showCage: (message: CageMessage | undefined) => void): MakeSection {
  const number = () => desk.local().body;
  let caged = false;
  let wanted = 0;
  const facts = make("p", { className: "hint", data: { test: "cage-facts" } });
  const ask = (cells: number) => {
    wanted = cells;
    if (caged) desk.send({ do: "cage", body: number(), cells });
  };
  const cells = slider({ label: "Cells along it", low: 4, high: 80, whole: true, logarithmic: true,
    format: (v) => v.toFixed(0), hint: "The cage shows what they would be; Fill makes it so", act: (v) => {
      if (!caged) check.click();
      ask(v);
    } });
  const check = make("input", { type: "checkbox", data: { test: "cage" }, onchange: () => {
    caged = check.checked;
    if (caged) ask(0);
    else showCage(undefined);
    facts.hidden = !caged;
  } });
  const fill = button("Fill", () => desk.send({ do: "fill", body: number(), cells: wanted || USUAL_CELLS }));
  fill.dataset["test"] = "fill";
  const resolution = make("div", {}, cells.element, fill);
  const mode = segmented<BrushMode>("Brush", [
    { value: "off", label: "Off" },
    { value: "fixed", label: "Fix", hint: "What is painted is held" },
    { value: "free", label: "Unfix", hint: "What is painted is let go" },
    { value: "young", label: "Stiffness", hint: "What is painted is stiffer or softer" }],
  (value) => {
    brush.setMode(value);
    show();
  });
  mode.element.dataset["test"] = "brush";
  const radius = slider({ label: "Brush", low: 1, high: 50, logarithmic: true, unit: "%",
    format: (v) => `${v.toFixed(0)} %`, hint: "Of the body's size", act: (v) => (brush.radius = v / 100) });
  const factor = slider({ label: "Times as stiff", low: 0.01, high: 1000, logarithmic: true,
    format: (v) => `${Number(v.toPrecision(2))} ×`, hint: "As the body itself; 1 wipes it off", act: (v) => {
      brush.factor = Number(v.toPrecision(2));
      show();
    } });
  const words = make("p", { className: "hint", data: { test: "brush-hint" } });
  const element = make("div", {},
    section("Mesh", make("label", { className: "check" }, check, "Show the cage"), facts, resolution),
    section("Brush", mode.element, radius.element, factor.element, words));
  radius.set(100 * brush.radius);
  factor.set(brush.factor);
  facts.hidden = true;
  show();
  return { element, update, cage };

  function show(): void {
    mode.set(brush.mode);
    radius.element.hidden = brush.mode === "off";
    factor.element.hidden = brush.mode !== "young";
    const young = (desk.state()?.bodies[number()]?.young ?? 0) * brush.factor;
    setText(words, brush.mode === "off" ? "Paint what is held and how stiff it is, straight onto the body."
      : brush.mode === "young" ? (brush.factor === 1 ? "Wipes painted stiffness off." : `Paints ${withPrefix(young, "Pa")}.`)
        : brush.mode === "fixed" ? "Paint what is held; held parts are dark." : "Paint what is let go.");
  }

  function update(state: StudioState): void {
    const body = state.bodies[number()];
    if (body === undefined) return;
    resolution.hidden = !body.filled;
    if (wanted === 0) cells.set(body.cells || USUAL_CELLS);
    show();
  }

  function cage(message: CageMessage): void {
    if (!caged) return;
    setText(facts, `${message.nodes.toLocaleString("en")} nodes, ${message.tets.toLocaleString("en")} tetrahedra` +
      (message.cells === 0 ? "." : ` with ${message.cells} cells.`));
    showCage(message);
  }
}

// Asked before a mesh is opened: which units its numbers are, which of its axes points up. A guess is
// chosen already; Enter takes it.
import type { MeshImport, MeshSurvey } from "../net/backend";
import { button, segmented, select, withPrefix } from "./controls";
import { make, setText } from "./dom";
import { guess, sizeInMetres, UNITS, type Unit } from "./import_guess";
import { parseNumber } from "./numbers";
import { Sheet } from "./overlays";

export class ImportSheet extends Sheet {
  private survey: MeshSurvey = { low: [0, 0, 0], high: [1, 1, 1], vertices: 0, tets: 0 };
  private unit: Unit = "m";
  private up: MeshImport["up"] = "y";
  private answer: (mesh: MeshImport | undefined) => void = () => undefined;
  private readonly found = make("p", { className: "facts" });
  private readonly why = make("p", { className: "hint" });
  private readonly size = make("p", { className: "facts", data: { test: "import-size" } });
  private readonly units = select<Unit>("Units of the file", (unit) => this.choose({ unit }));
  private readonly axes = segmented<MeshImport["up"]>("Axis that points up",
    (["x", "y", "z"] as const).map((axis) => ({ value: axis, label: axis.toUpperCase() })), (up) => this.choose({ up }));
  private readonly scale = make("input", { type: "text", className: "number", inputMode: "decimal", value: "1",
    aria: { label: "Scale" }, data: { test: "import-scale" }, oninput: () => this.show() });
  private readonly open = button("Open", () => this.take(), "primary");

  constructor() {
    super("Open a mesh", "import");
    this.open.dataset["test"] = "import-open";
    this.units.options(UNITS.map(({ value, label }) => ({ value, label })));
    this.content.append(this.found,
      make("div", { className: "import-row" }, make("span", {}, "Its numbers are"), this.units.element),
      make("div", { className: "import-row" }, make("span", {}, "Its axis up is"), this.axes.element),
      make("div", { className: "import-row" }, make("span", {}, "Scaled by"), this.scale),
      this.why, this.size, make("div", { className: "row" }, this.open, button("Cancel", () => this.element.close())));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || (event.target as HTMLElement).tagName === "BUTTON") return;
      event.preventDefault();
      this.take();
    });
    this.element.addEventListener("close", () => {
      this.answer(undefined);
      this.answer = () => undefined;
    });
  }

  /** How it shall be opened; undefined when it shall not. */
  ask(name: string, survey: MeshSurvey): Promise<MeshImport | undefined> {
    this.answer(undefined);
    this.survey = survey;
    const { unit, up, why } = guess(name, survey);
    this.scale.value = "1";
    const kind = survey.tets > 0 ? `${survey.tets.toLocaleString("en")} tetrahedra` : "a surface";
    const [x, y, z] = survey.high.map((c, i) => Number((c - survey.low[i]!).toPrecision(3)));
    setText(this.found, `${name}: ${kind}, ${survey.vertices.toLocaleString("en")} vertices, ${x} × ${y} × ${z} units.`);
    setText(this.why, `A guess: ${why}`);
    this.choose({ unit, up });
    if (!this.element.open) this.element.showModal();
    this.open.focus();
    return new Promise((resolve) => (this.answer = resolve));
  }

  private choose(change: { unit?: Unit; up?: MeshImport["up"] }): void {
    this.unit = change.unit ?? this.unit;
    this.up = change.up ?? this.up;
    this.units.set(this.unit);
    this.axes.set(this.up);
    this.show();
  }

  private chosen(): MeshImport | undefined {
    const factor = parseNumber(this.scale.value);
    if (factor === undefined || !(factor >= 1e-6 && factor <= 1e6)) return undefined;
    return { scale: factor * UNITS.find(({ value }) => value === this.unit)!.metres, up: this.up };
  }

  private show(): void {
    const mesh = this.chosen();
    this.scale.classList.toggle("wrong", mesh === undefined);
    this.open.disabled = mesh === undefined;
    if (mesh === undefined) return;
    const [width, height, depth] = sizeInMetres(this.survey, mesh).map((metres) => withPrefix(metres, "m"));
    setText(this.size, `It will be ${height} high, ${width} wide and ${depth} deep.`);
  }

  private take(): void {
    const mesh = this.chosen();
    if (mesh === undefined) return;
    this.answer(mesh);
    this.answer = () => undefined;
    this.element.close();
  }
}

// One curve over the modes, edited by hand: drag a point, double-click to add or remove one.
import type { Curve } from "../net/protocol";
import { make, svg } from "./dom";
import { addPoint, evaluate, movePoint, removePoint } from "./spline";

const WIDTH = 272;
const HEIGHT = 92;
const INSET = 8;

export interface CurveOptions {
  title: string;
  hint: string;
  low: number;
  high: number;
  colour: string;
  act: (curve: Curve) => void;
}

export class CurveEditor {
  readonly element: HTMLElement;
  private readonly root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curve" });
  private readonly line = svg("polyline", { fill: "none", "stroke-width": 2 });
  private readonly points = svg("g");
  private curve: Curve = { at: [0, 1], value: [0, 0] };
  private held: number | undefined;

  constructor(private readonly options: CurveOptions) {
    const zero = this.y(Math.min(options.high, Math.max(options.low, 0)));
    this.root.append(
      svg("line", { x1: INSET, x2: WIDTH - INSET, y1: zero, y2: zero, class: "curve-zero" }),
      this.line, this.points);
    this.line.setAttribute("stroke", options.colour);
    this.root.setAttribute("role", "img");
    this.root.setAttribute("aria-label", `${options.title}, slow modes left, fast modes right`);
    this.element = make("figure", { className: "curve-figure", title: options.hint },
      make("figcaption", {}, options.title), this.root as unknown as Node);
    this.root.addEventListener("pointermove", (event) => this.drag(event));
    this.root.addEventListener("pointerup", () => (this.held = undefined));
    this.root.addEventListener("pointercancel", () => (this.held = undefined));
    this.root.addEventListener("dblclick", (event) => {
      if (event.target !== this.root && event.target !== this.line) return;
      const { x, y } = this.locate(event);
      this.change(addPoint(this.curve, x, y));
    });
    this.draw();
  }

  set(curve: Curve): void {
    if (this.held !== undefined || JSON.stringify(curve) === JSON.stringify(this.curve)) return;
    this.curve = curve;
    this.draw();
  }

  private change(curve: Curve): void {
    this.curve = curve;
    this.draw();
    this.options.act(curve);
  }

  private x(part: number): number {
    return INSET + part * (WIDTH - 2 * INSET);
  }

  private y(value: number): number {
    const { low, high } = this.options;
    return INSET + ((high - value) / (high - low)) * (HEIGHT - 2 * INSET);
  }

  private locate(event: MouseEvent): { x: number; y: number } {
    const box = this.root.getBoundingClientRect();
    const { low, high } = this.options;
    const px = ((event.clientX - box.left) / box.width) * WIDTH;
    const py = ((event.clientY - box.top) / box.height) * HEIGHT;
    const value = high - ((py - INSET) / (HEIGHT - 2 * INSET)) * (high - low);
    return {
      x: Math.min(1, Math.max(0, (px - INSET) / (WIDTH - 2 * INSET))),
      y: Math.min(high, Math.max(low, value)),
    };
  }

  private drag(event: PointerEvent): void {
    if (this.held === undefined) return;
    const { x, y } = this.locate(event);
    this.change(movePoint(this.curve, this.held, x, y));
  }

  private draw(): void {
    const samples = Array.from({ length: 65 }, (_, i) => i / 64);
    this.line.setAttribute("points",
      samples.map((s) => `${this.x(s)},${this.y(evaluate(this.curve, s))}`).join(" "));
    this.points.replaceChildren(...this.curve.at.map((at, index) => {
      const point = svg("circle", { cx: this.x(at), cy: this.y(this.curve.value[index]!), r: 5,
        fill: this.options.colour, class: "curve-point" });
      point.addEventListener("pointerdown", (event) => {
        this.held = index;
        this.root.setPointerCapture(event.pointerId);
        event.preventDefault();
      });
      point.addEventListener("dblclick", () => this.change(removePoint(this.curve, index)));
      return point;
    }));
  }
}

// A live plot over the scene's time: axes, a legend that reads at the cursor, zoom by the wheel,
// and its numbers as CSV.
import { make, setText } from "./dom";
import { roundStep, Series } from "./series";

/** A range that holds all values, with round ends, and does not shrink to nothing. */
export function niceRange(low: number, high: number): [number, number] {
  const span = Math.max(high - low, 1e-9, 1e-3 * Math.max(Math.abs(low), Math.abs(high)));
  const step = 10 ** Math.floor(Math.log10(span)) / 2;
  const from = Math.floor(low / step) * step;
  return [from, Math.max(Math.ceil(high / step) * step, from + step)];
}

export interface PlotOptions {
  title: string;
  format: (value: number) => string;
  /** Values that the range always holds. */
  includes?: number[];
}

export interface PlotCurve {
  name: string;
  colour: string;
}

/** Seconds shown at first, and the least and most that the wheel goes to. */
const SPAN = { first: 6, least: 0.2, most: 60 };
const FOOT = 14; // of the time axis, CSS pixels

export class Plot {
  readonly element: HTMLElement;
  private readonly canvas = make("canvas", { tabIndex: 0 });
  private readonly legend = make("div", { className: "plot-legend" });
  private readonly series = new Series();
  private curves: PlotCurve[] = [];
  private span = SPAN.first;
  /** Where the pointer is, in parts of the width; the newest values are read without one. */
  private cursor: number | undefined;

  constructor(private readonly options: PlotOptions) {
    this.canvas.setAttribute("aria-label", `${options.title} over time`);
    this.canvas.setAttribute("role", "img");
    const save = make("button", { type: "button", className: "quiet plot-save", title: "Save as CSV",
      aria: { label: `Save ${options.title} as CSV` }, data: { test: "csv" }, onclick: () => this.save() }, "⤓");
    this.element = make("figure", { className: "plot" },
      make("figcaption", {}, make("span", {}, options.title), save), this.canvas, this.legend);
    this.canvas.addEventListener("pointermove", (event) => {
      const box = this.canvas.getBoundingClientRect();
      this.cursor = (event.clientX - box.left) / box.width;
      this.draw();
    });
    this.canvas.addEventListener("pointerleave", () => {
      this.cursor = undefined;
      this.draw();
    });
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8);
    }, { passive: false });
    this.canvas.addEventListener("dblclick", () => this.zoom(SPAN.first / this.span));
    this.canvas.addEventListener("keydown", (event) => {
      const by = { "+": 0.8, "=": 0.8, "-": 1.25 }[event.key];
      if (by !== undefined) this.zoom(by);
    });
  }

  /** One value a curve at the scene's time, s; what is no number leaves a gap. */
  push(time: number, values: number[], curves: PlotCurve[]): void {
    this.series.push(time, values);
    this.curves = curves;
  }

  clear(): void {
    this.series.clear();
  }

  /** Seconds that are shown. */
  get shown(): number {
    return this.span;
  }

  csv(): string {
    return this.series.csv(this.curves.map((curve) => curve.name));
  }

  draw(): void {
    const { canvas, series } = this;
    const ratio = Math.min(devicePixelRatio, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0) return; // the panel is hidden
    if (canvas.width !== Math.round(width * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = canvas.getContext("2d");
    if (context === null) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const end = Math.max(series.last ?? 0, this.span);
    const start = end - this.span;
    const first = Math.max(0, series.indexAt(start) - 1);
    const [low, high] = this.range(first);
    const x = (time: number) => ((time - start) / this.span) * width;
    const y = (value: number) => 2 + (1 - (value - low) / (high - low)) * (height - FOOT - 4);
    this.axes(context, width, height, start, end, x, low, high);
    this.curves.forEach(({ colour }, curve) => this.line(context, colour, curve, first, x, y));
    const at = this.cursor === undefined ? undefined : start + this.cursor * this.span;
    if (at !== undefined) {
      context.fillStyle = this.ink("--soft");
      context.fillRect(x(at), 0, 1, height - FOOT);
    }
    this.read(at);
  }

  private zoom(factor: number): void {
    this.span = Math.min(SPAN.most, Math.max(SPAN.least, this.span * factor));
    this.draw();
  }

  private save(): void {
    const address = URL.createObjectURL(new Blob([this.csv()], { type: "text/csv" }));
    const name = `${this.options.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.csv`;
    const link = make("a", { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  private ink(name: string): string {
    return getComputedStyle(this.canvas).getPropertyValue(name);
  }

  private axes(context: CanvasRenderingContext2D, width: number, height: number, start: number,
    end: number, x: (time: number) => number, low: number, high: number): void {
    context.fillStyle = this.ink("--soft");
    context.strokeStyle = this.ink("--line");
    context.lineWidth = 1;
    context.font = "10px system-ui, sans-serif";
    context.fillText(this.options.format(high), 2, 10);
    context.fillText(this.options.format(low), 2, height - FOOT - 3);
    const step = roundStep(this.span, 4);
    context.beginPath();
    for (let time = Math.ceil(start / step) * step; time <= end; time += step) {
      context.moveTo(x(time), 0);
      context.lineTo(x(time), height - FOOT);
      const text = `${Number(time.toFixed(2))} s`;
      const wide = context.measureText(text).width;
      context.fillText(text, Math.max(0, Math.min(x(time) - wide / 2, width - wide)), height - 3);
    }
    context.stroke();
  }

  private line(context: CanvasRenderingContext2D, colour: string, curve: number, first: number,
    x: (time: number) => number, y: (value: number) => number): void {
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.beginPath();
    let gap = true;
    for (let i = first; i < this.series.length; ++i) {
      const value = this.series.value(i, curve);
      const missing = Number.isNaN(value);
      if (!missing && gap) context.moveTo(x(this.series.time(i)), y(value));
      else if (!missing) context.lineTo(x(this.series.time(i)), y(value));
      gap = missing;
    }
    context.stroke();
  }

  /** The values at a time, or the newest. */
  private read(at: number | undefined): void {
    const { series, curves } = this;
    const index = Math.min(series.length - 1, at === undefined ? Infinity : series.indexAt(at));
    while (this.legend.children.length > curves.length) this.legend.lastElementChild!.remove();
    curves.forEach((curve, number) => {
      let item = this.legend.children[number] as HTMLElement | undefined;
      if (item === undefined) {
        item = make("span", {}, make("i", { className: "swatch" }), make("span"));
        this.legend.append(item);
      }
      const value = index >= 0 && number < series.curves ? series.value(index, number) : NaN;
      (item.firstElementChild as HTMLElement).style.background = curve.colour;
      setText(item.lastElementChild as HTMLElement,
        `${curve.name} ${Number.isNaN(value) ? "–" : this.options.format(value)}`);
    });
    this.legend.dataset["time"] = index >= 0 ? series.time(index).toFixed(3) : "";
  }

  private range(first: number): [number, number] {
    let low = Math.min(...(this.options.includes ?? []));
    let high = Math.max(...(this.options.includes ?? []));
    for (let i = first; i < this.series.length; ++i) {
      for (let curve = 0; curve < this.series.curves; ++curve) {
        const value = this.series.value(i, curve);
        if (Number.isNaN(value)) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    return Number.isFinite(low) ? niceRange(low, high) : [0, 1];
  }
}

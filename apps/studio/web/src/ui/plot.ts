// A small live plot: the last few seconds of one to four curves.
import { make, setText } from "./dom";

const CAPACITY = 300;

/** The last values of one curve, oldest first. */
export class Ring {
  private readonly values = new Float64Array(CAPACITY);
  private next = 0;
  private filled = 0;

  push(value: number): void {
    this.values[this.next] = value;
    this.next = (this.next + 1) % CAPACITY;
    this.filled = Math.min(this.filled + 1, CAPACITY);
  }

  get length(): number {
    return this.filled;
  }

  at(index: number): number {
    return this.values[(this.next - this.filled + index + CAPACITY) % CAPACITY]!;
  }

  clear(): void {
    this.filled = 0;
  }
}

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

export class Plot {
  readonly element: HTMLElement;
  private readonly canvas = make("canvas");
  private readonly reading = make("output");
  private readonly rings: Ring[] = [];
  private colours: string[] = [];

  constructor(private readonly options: PlotOptions) {
    this.element = make("figure", { className: "plot" },
      make("figcaption", {}, make("span", {}, options.title), this.reading), this.canvas);
  }

  /** One value a curve; another number of curves starts afresh. */
  push(values: number[], colours: string[]): void {
    if (values.length !== this.rings.length) {
      this.rings.splice(0, this.rings.length, ...values.map(() => new Ring()));
    }
    this.colours = colours;
    // A value that is no number leaves a gap.
    values.forEach((value, curve) => this.rings[curve]!.push(Number.isFinite(value) ? value : NaN));
  }

  clear(): void {
    this.rings.forEach((ring) => ring.clear());
  }

  draw(): void {
    const { canvas } = this;
    const ratio = Math.min(devicePixelRatio, 2);
    const width = canvas.clientWidth * ratio;
    const height = canvas.clientHeight * ratio;
    if (width === 0) return; // the panel is hidden
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const context = canvas.getContext("2d");
    if (context === null) return;
    context.clearRect(0, 0, width, height);
    const [low, high] = this.range();
    const y = (value: number) => height - ((value - low) / (high - low)) * (height - 4) - 2;
    context.fillStyle = "#8a8578";
    context.font = `${10 * ratio}px system-ui, sans-serif`;
    context.fillText(this.options.format(high), 2, 10 * ratio);
    context.fillText(this.options.format(low), 2, height - 3);
    this.rings.forEach((ring, curve) => {
      context.strokeStyle = this.colours[curve] ?? "#0072b2";
      context.lineWidth = 1.5 * ratio;
      context.beginPath();
      let gap = true;
      for (let i = 0; i < ring.length; ++i) {
        const value = ring.at(i);
        const x = (width * (CAPACITY - ring.length + i)) / (CAPACITY - 1);
        if (Number.isNaN(value)) gap = true;
        else if (gap) context.moveTo(x, y(value));
        else context.lineTo(x, y(value));
        gap = Number.isNaN(value);
      }
      context.stroke();
    });
    const last = this.rings.filter((ring) => ring.length > 0).map((ring) => ring.at(ring.length - 1));
    setText(this.reading, last.map((v) => (Number.isNaN(v) ? "–" : this.options.format(v))).join(" · "));
  }

  private range(): [number, number] {
    let low = Math.min(...(this.options.includes ?? []));
    let high = Math.max(...(this.options.includes ?? []));
    for (const ring of this.rings) {
      for (let i = 0; i < ring.length; ++i) {
        if (Number.isNaN(ring.at(i))) continue;
        low = Math.min(low, ring.at(i));
        high = Math.max(high, ring.at(i));
      }
    }
    return Number.isFinite(low) ? niceRange(low, high) : [0, 1];
  }
}

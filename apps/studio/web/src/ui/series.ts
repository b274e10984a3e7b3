// What a plot remembers: rows of values at ascending times, the oldest forgotten.
const CAPACITY = 3600; // a minute of pictures

export class Series {
  private times: number[] = [];
  private rows: number[][] = [];

  /** One value a curve. Another number of curves, or time that goes back, starts afresh. */
  push(time: number, values: number[]): void {
    const width = this.rows[0]?.length ?? values.length;
    if (width !== values.length || time < (this.times.at(-1) ?? -Infinity)) this.clear();
    if (time === this.times.at(-1)) return; // the scene stands still
    this.times.push(time);
    this.rows.push(values.map((value) => (Number.isFinite(value) ? value : NaN)));
    if (this.times.length > CAPACITY) {
      this.times.splice(0, CAPACITY / 10);
      this.rows.splice(0, CAPACITY / 10);
    }
  }

  clear(): void {
    this.times = [];
    this.rows = [];
  }

  get length(): number {
    return this.times.length;
  }

  get curves(): number {
    return this.rows[0]?.length ?? 0;
  }

  time(index: number): number {
    return this.times[index]!;
  }

  value(index: number, curve: number): number {
    return this.rows[index]![curve]!;
  }

  get last(): number | undefined {
    return this.times.at(-1);
  }

  /** The first row at or after a time. */
  indexAt(time: number): number {
    let [low, high] = [0, this.times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  csv(names: string[]): string {
    const cell = (name: string) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
    const lines = this.times.map((time, i) =>
      [time, ...this.rows[i]!].map((v) => (Number.isNaN(v) ? "" : String(Number(v.toPrecision(9))))).join(","));
    return `${["time", ...names].map(cell).join(",")}\n${lines.join("\n")}\n`;
  }
}

/** Round steps of 1, 2 or 5 that cut a span into some `parts`. */
export function roundStep(span: number, parts: number): number {
  const raw = span / parts;
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * ([1, 2, 5].find((step) => step * power >= raw) ?? 10);
}

// How a hand moves while it opens: what a thrown body takes along.
import type { Vec3 } from "../net/protocol";

/** The last part of a drag that counts, ms. */
const WINDOW = 100;
/** A hand that has waited so long before it opens throws nothing, ms. */
const REST = 80;

interface Sample {
  /** ms */
  time: number;
  at: Vec3;
}

/** Where a pointer was, by the clock of its own events: what the page does meanwhile counts nothing. */
export class Swing {
  private samples: Sample[] = [];

  push(time: number, at: Vec3): void {
    this.samples.push({ time, at });
    while (this.samples.length > 2 && this.samples[1]!.time < time - WINDOW) this.samples.shift();
  }

  /** m/s over the last tenth of a second before `time`; undefined where the hand was at rest. */
  velocity(time: number): Vec3 | undefined {
    const last = this.samples.at(-1);
    if (last === undefined || time - last.time > REST) return undefined;
    // Where events are rarer than that, the last two.
    const inside = this.samples.findIndex((one) => one.time >= last.time - WINDOW);
    const first = this.samples[Math.max(0, Math.min(inside, this.samples.length - 2))]!;
    const seconds = (last.time - first.time) / 1000;
    if (!(seconds > 0)) return undefined;
    const [x, y, z] = last.at.map((c, i) => (c - first.at[i]!) / seconds) as [number, number, number];
    return Math.hypot(x, y, z) > 0 ? [x, y, z] : undefined;
  }
}

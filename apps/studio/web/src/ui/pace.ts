// How fast the scene's time goes against the clock on the wall, over the last second or so.

/** Times of frames, both in seconds; oldest first. */
interface Sample {
  wall: number;
  scene: number;
}

const WINDOW = 1.5;

export class Pace {
  private samples: Sample[] = [];

  /** A scene that goes back in time, or stands still, starts afresh. */
  push(wall: number, scene: number): void {
    const last = this.samples.at(-1);
    if (last !== undefined && scene < last.scene) this.samples = [];
    this.samples.push({ wall, scene });
    while (this.samples.length > 2 && wall - this.samples[0]!.wall > WINDOW) this.samples.shift();
  }

  clear(): void {
    this.samples = [];
  }

  /** Scene seconds a second; nothing before there is half a window of frames. */
  get factor(): number | undefined {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (first === undefined || last === undefined || last.wall - first.wall < WINDOW / 2) return undefined;
    return (last.scene - first.scene) / (last.wall - first.wall);
  }
}

/** "1.0× real time", "0.4× real time: stvk" when somebody is to blame. */
export function paceText(factor: number | undefined, wanted: number, slowest: string | undefined): string {
  if (factor === undefined) return "";
  const late = factor < 0.9 * wanted;
  const digits = factor < 0.1 ? 2 : 1;
  return `${factor.toFixed(digits)}× real time${late && slowest !== undefined ? `: ${slowest}` : ""}`;
}

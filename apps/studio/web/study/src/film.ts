// A motion as src/limber/study/film.cpp wrote it: shape, balls and camera at any time.

export interface CameraPath {
  target: [number, number, number];
  field_of_view: number;
  eye?: [number, number, number];
  orbit?: { radii: [number, number]; height: number; from: number; to: number; period: number; back_and_forth: boolean };
}

export interface Shot {
  time: number;
  muzzle: [number, number, number];
  direction: [number, number, number];
}

interface Header {
  pictures: number;
  frame_rate: number;
  duration: number;
  vertices: number;
  faces: number;
  radius: number;
  shots: Shot[];
  camera: CameraPath;
  low?: [number, number, number];
  span?: number;
}

export class Film {
  readonly header: Header;
  readonly faces: Uint32Array;
  private readonly data: ArrayBuffer;
  private readonly start: number;
  private readonly stride: number;
  private readonly ballsAt: number;

  constructor(bytes: ArrayBuffer) {
    const length = new DataView(bytes).getUint32(0, true);
    this.header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as Header;
    this.faces = new Uint32Array(bytes, 4 + length, 3 * this.header.faces);
    this.data = bytes;
    this.start = 4 + length + this.faces.byteLength;
    this.ballsAt = Math.ceil((6 * this.header.vertices) / 4) * 4;
    this.stride = this.ballsAt + 12 * this.header.shots.length;
  }

  get duration(): number {
    return this.header.duration;
  }

  /** Between two pictures along the straight line. */
  at(time: number, vertices: Float32Array, balls: Float32Array): void {
    const last = this.header.pictures - 1;
    const picture = Math.min(Math.max(time * this.header.frame_rate, 0), last);
    const before = Math.min(Math.floor(picture), Math.max(last - 1, 0));
    const after = Math.min(before + 1, last);
    const part = picture - before;
    const shape = (k: number) => new Uint16Array(this.data, this.start + k * this.stride, 3 * this.header.vertices);
    const place = (k: number) =>
      new Float32Array(this.data, this.start + k * this.stride + this.ballsAt, 3 * this.header.shots.length);
    const [a, b, low, scale] = [shape(before), shape(after), this.header.low!, this.header.span! / 65535];
    for (let i = 0; i < a.length; ++i) vertices[i] = low[i % 3]! + scale * (a[i]! + part * (b[i]! - a[i]!));
    const [c, d] = [place(before), place(after)];
    for (let i = 0; i < c.length; ++i) balls[i] = c[i]! + part * (d[i]! - c[i]!);
  }
}

/** Where the camera is at a time. */
export function eyeAt(camera: CameraPath, time: number): [number, number, number] {
  const orbit = camera.orbit;
  if (orbit === undefined) return camera.eye!;
  const turns = time / orbit.period;
  const way = orbit.back_and_forth ? (1 - Math.cos(2 * Math.PI * turns)) / 2 : turns;
  const angle = ((orbit.from + (orbit.to - orbit.from) * way) * Math.PI) / 180;
  return [camera.target[0] + orbit.radii[0] * Math.sin(angle), orbit.height,
    camera.target[2] + orbit.radii[1] * Math.cos(angle)];
}

import { describe, expect, it } from "vitest";
import { decodeFrame, sameGeneration } from "./protocol";

/** A frame as the server writes it: header, one placed modal body, one of three vertices. */
function frameBytes(): ArrayBuffer {
  const bytes = new ArrayBuffer(24 + (12 + 28 + 8) + (12 + 36));
  const view = new DataView(bytes);
  view.setUint8(0, 1);
  view.setUint16(2, 65535, true);
  view.setUint32(4, 1234, true);
  view.setFloat64(8, 20.5, true);
  view.setFloat32(16, 3.5, true);
  view.setUint16(20, 7, true);
  view.setUint16(22, 9, true);
  view.setUint8(24, 1);
  view.setUint8(25, 1);
  view.setUint16(26, 2, true);
  view.setFloat32(28, 1.25, true);
  view.setFloat32(32, 0.5, true);
  [1, 2, 3, 0, 0, 0, 1, -0.5, 0.25].forEach((v, i) => view.setFloat32(36 + 4 * i, v, true));
  view.setUint8(72, 2);
  view.setUint16(74, 3, true);
  for (let i = 0; i < 9; ++i) view.setFloat32(84 + 4 * i, i, true);
  return bytes;
}

describe("a frame", () => {
  it("is read field by field", () => {
    const frame = decodeFrame(frameBytes());
    expect(frame).toMatchObject({ generation: 65535, step: 1234, time: 20.5, stepMicroseconds: 3.5 });
    expect(frame).toMatchObject({ contacts: 7, inputs: 9 });
    expect(frame.instances[0]).toEqual({
      kind: "warped",
      volumeRatio: 1.25,
      error: 0.5,
      position: [1, 2, 3],
      rotation: [0, 0, 0, 1],
      values: Float32Array.of(-0.5, 0.25),
    });
    expect(frame.instances[1]!.kind).toBe("positions");
    expect(frame.instances[1]!.values).toEqual(Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8));
    expect(frame.instances[1]!.rotation).toEqual([0, 0, 0, 1]);
  });
  it("belongs to a generation counted modulo 65536", () => {
    const frame = decodeFrame(frameBytes());
    expect(sameGeneration(frame, 65535)).toBe(true);
    expect(sameGeneration(frame, 65536 + 65535)).toBe(true);
    expect(sameGeneration(frame, 1)).toBe(false);
  });
  it("that is cut short or of another kind is refused", () => {
    const whole = frameBytes();
    for (const length of [1, 23, 40, 71, 90]) {
      expect(() => decodeFrame(whole.slice(0, length))).toThrow(RangeError);
    }
    new DataView(whole).setUint8(0, 2);
    expect(() => decodeFrame(whole)).toThrow(RangeError);
  });
});

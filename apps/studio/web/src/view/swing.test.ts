import { describe, expect, it } from "vitest";
import { Swing } from "./swing";

const swung = (times: number[], velocity = 2) => {
  const swing = new Swing();
  for (const time of times) swing.push(time, [0, (velocity * time) / 1000, 1]);
  return swing;
};

describe("a swing", () => {
  it("has the hand's velocity, however often it was seen", () => {
    for (const pause of [1, 8, 16, 33, 90]) {
      const times = Array.from({ length: 12 }, (_, i) => i * pause);
      const velocity = swung(times).velocity(11 * pause + 5)!;
      expect(velocity[0]).toBe(0);
      expect(velocity[1]).toBeCloseTo(2, 9);
      expect(velocity[2]).toBe(0);
    }
  });

  it("counts its last tenth of a second alone", () => {
    const swing = new Swing();
    for (let time = 0; time <= 300; time += 10) swing.push(time, [time < 200 ? 50 : -(time - 200) / 1000, 0, 0]);
    expect(swing.velocity(300)![0]).toBeCloseTo(-1, 9);
  });

  it("is none where the hand waited, stood still or never moved", () => {
    expect(swung([0, 10, 20]).velocity(120)).toBeUndefined();
    expect(swung([0, 10, 20], 0).velocity(21)).toBeUndefined();
    expect(swung([0]).velocity(1)).toBeUndefined();
    expect(new Swing().velocity(0)).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { SKIN_STEP, skinsAround } from "./onion";

describe("onion skins", () => {
  it("lie before and behind the time that is shown, not on it", () => {
    expect(skinsAround(8 * SKIN_STEP)).toEqual([5, 6, 7, 9, 10, 11]);
    expect(skinsAround(0)).toEqual([1, 2, 3]);
    for (const number of skinsAround(8.3 * SKIN_STEP)) expect(Math.abs(number - 8.3)).toBeGreaterThan(0.5);
  });
});

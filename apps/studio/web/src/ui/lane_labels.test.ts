import { describe, expect, it } from "vitest";
import { wayOn } from "./lane_labels";

describe("a lane that stopped", () => {
  const methods = ["modal-warping", "stvk", "neo-hookean"] as const;
  it("is offered the method that stands any compression", () => {
    expect(wayOn({ lanes: ["modal-warping", "stvk"], methods: [...methods] }, 1)).toBe("neo-hookean");
  });
  it("is not offered the method that stopped, nor one that is not built", () => {
    expect(wayOn({ lanes: ["neo-hookean"], methods: [...methods] }, 0)).toBeUndefined();
    expect(wayOn({ lanes: ["stvk"], methods: ["stvk"] }, 0)).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { withPrefix } from "./controls";

describe("numbers with a prefix", () => {
  it("keep three digits", () => {
    expect(withPrefix(1e6, "Pa")).toBe("1 MPa");
    expect(withPrefix(123456, "Pa")).toBe("123 kPa");
    expect(withPrefix(0.0123, "s")).toBe("12.3 ms");
    expect(withPrefix(0, "s")).toBe("0 s");
    expect(withPrefix(2.5, "Hz")).toBe("2.5 Hz");
  });
  it("stop at the last prefix rather than running out of names", () => {
    expect(withPrefix(1e18, "Pa")).toBe("1000000 TPa");
    expect(withPrefix(1e-15, "s")).toBe("0.000001 ns");
  });
});

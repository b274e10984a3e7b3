import { describe, expect, it } from "vitest";
import { matching } from "./palette";

const commands = ["Play or pause", "Look along x", "Look along y", "Display in the dark"].map((name) =>
  ({ name, act: () => undefined }));
const names = (typed: string) => matching(commands, typed).map((command) => command.name);

describe("the search of commands", () => {
  it("shows all of them before anything is typed", () => expect(names("")).toHaveLength(4));
  it("wants every word, in any order and case", () => {
    expect(names("ALONG look")).toEqual(["Look along x", "Look along y"]);
    expect(names("along z")).toEqual([]);
  });
  it("puts names that begin so in front", () => expect(names("pla")[0]).toBe("Play or pause"));
});

// The vertex program on the GPU against double precision, read back by transform feedback.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, untilMoving, type Browser } from "./browser";
import { startBar, type StudioServer } from "./server";

let server: StudioServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  server = await startBar(24, 6);
  browser = await openBrowser(640, 480);
  page = await browser.newPage(server.address);
  await untilMoving(page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

interface Errors {
  positionError: number;
  normalError: number;
}

describe("the vertex program", () => {
  for (const [name, angle] of [["rest", 0], ["small rotations", 1e-4], ["half a turn", Math.PI],
    ["just beyond", Math.PI + 1e-3], ["a whole turn", 2 * Math.PI], ["three turns", 6 * Math.PI]] as const) {
    for (const modes of [1, 7, 64]) {
      it(`agrees with double precision to 1e-5 at ${name}, ${modes} modes`, async () => {
        const errors = (await page.evaluate(`window.limber.checkWarp(200, ${modes}, ${angle}, true)`)) as Errors;
        // Floats carry 6e-8; sums of 64 modes and angles of 20 rad make some 1e-6 of it.
        expect(errors.positionError).toBeLessThan(1e-5);
        expect(errors.normalError).toBeLessThan(1e-5);
      });
    }
  }
  it("plays linear modes too", async () => {
    const errors = (await page.evaluate("window.limber.checkWarp(200, 9, 0.5, false)")) as Errors;
    expect(errors.positionError).toBeLessThan(1e-5);
    expect(errors.normalError).toBeLessThan(1e-5);
  });
});

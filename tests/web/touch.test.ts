// A finger on the body, and a page whose graphics driver cannot hold the modes.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, until, untilMoving, type Browser } from "./browser";
import { startBar, type StudioServer } from "./server";

let server: StudioServer;
let browser: Browser;
beforeAll(async () => {
  server = await startBar(24, 6);
  browser = await openBrowser(800, 600, true);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe("a finger", () => {
  it("pulls the body and lets go", async () => {
    const page = await browser.newPage(server.address);
    await untilMoving(page);
    await page.evaluate("window.limber.studio.send({ do: 'play', playing: false })");
    await until(page, "!s.state.playing && !s.fresh");
    const at = (await page.evaluate(`(() => {
      const s = window.limber.studio;
      const box = s.stage.canvas.getBoundingClientRect();
      for (let y = box.top + 5; y < box.bottom; y += 6) {
        for (let x = box.right - 5; x > box.left; x -= 6) {
          if (s.bodies.hit(x, y) !== undefined && document.elementFromPoint(x, y) === s.stage.canvas) return { x, y };
        }
      }
    })()`)) as { x: number; y: number };
    const client = await page.context().newCDPSession(page);
    const touch = (type: string, points: { x: number; y: number }[]) =>
      client.send("Input.dispatchTouchEvent", { type: type as "touchStart", touchPoints: points });
    await touch("touchStart", [at]);
    await until(page, "s.state.handles.length === 1");
    await touch("touchMove", [{ x: at.x, y: at.y - 40 }]);
    await until(page, `s.handles.length === 1 && Math.abs(s.stage.toPage(
      s.stage.controls.target.clone().set(...s.handles[0].target)).y - ${at.y - 40}) < 3`);
    await touch("touchEnd", []);
    await until(page, "s.state.handles.length === 0");
    await page.evaluate("window.limber.studio.send({ do: 'play', playing: true })");
    await until(page, "s.state.playing");
    await page.close();
  });
});

describe("a driver with small textures", () => {
  it("leaves the warping to the CPU, and the page says so", async () => {
    const page = await browser.context.newPage();
    await page.addInitScript(`(() => {
      const ask = WebGL2RenderingContext.prototype.getParameter;
      WebGL2RenderingContext.prototype.getParameter = function (name) {
        return name === 0x0d33 ? 2048 : ask.call(this, name); // MAX_TEXTURE_SIZE
      };
    })()`);
    await page.goto(server.address);
    await untilMoving(page);
    expect(await page.evaluate("window.limber.studio.bodies.where[0]")).toBe("cpu");
    await page.click("[data-panel=plots]");
    await page.waitForSelector("text=on the CPU", { timeout: 90000 });
    expect(await page.isHidden("figure:has-text('Contacts')"), "nothing touches here").toBe(true);
  });
});

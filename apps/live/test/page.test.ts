// The built page in a browser, from a server of plain files: it falls, it is grabbed, it is thrown.
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, type Browser } from "../../../tests/web/browser";
import { serve } from "./static_server";

const BUILD = fileURLToPath(new URL("../../../build/live/", import.meta.url));
const PAGE = join(BUILD, "page");
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

const missing = !existsSync(join(PAGE, "limber.wasm.gz")) ? "the page is not built: scripts/wasm needs em++ (package emscripten)"
  : !existsSync(CHROMIUM) ? "chromium is not installed" : undefined;
if (missing !== undefined) console.warn(`apps/live: skipped, ${missing}`);

/** All files together, as they lie there. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => sum +
    (entry.isDirectory() ? bytesOf(join(folder, entry.name)) : statSync(join(folder, entry.name)).size), 0);
}

describe.skipIf(missing !== undefined)("the page", () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serve>>;
  let page: Page;
  const faults: string[] = [];
  let milliseconds = 0;

  /** Until an expression of `l`, the page's Live, holds. */
  async function until(condition: string, timeout = 120000): Promise<void> {
    const code = `(() => { const l = window.limber?.live; return l !== undefined && !!(${condition}); })()`;
    const end = Date.now() + timeout;
    while (!(await page.evaluate(code))) {
      if (Date.now() > end) throw new Error(`waited in vain for ${condition}; faults: ${faults.join("; ")}`);
      await page.waitForTimeout(100);
    }
  }
  const value = <T>(code: string) => page.evaluate(`(() => { const l = window.limber.live; return ${code}; })()`) as Promise<T>;

  beforeAll(async () => {
    server = await serve(PAGE);
    browser = await openBrowser(1000, 640);
    page = await browser.newPage(`${server.address}?bodies=10`);
    page.on("pageerror", (error) => faults.push(error.message));
    await until("l.newest !== undefined && l.bodies.loaded !== undefined");
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test("ten bodies fall and come to lie", async () => {
    await until("l.newest.instances.length === 10 && l.newest.contacts > 20");
    // All in motion and touching: the mean of the last thirty steps.
    await until("l.newest.time > 1.2");
    milliseconds = await value<number>("l.newest.stepMicroseconds / 1000");
    await until("l.newest.time > 4");
    const heights = await value<number[]>("l.newest.instances.map((i) => i.position[1])");
    expect(Math.min(...heights)).toBeGreaterThan(-0.5);
    expect(Math.max(...heights)).toBeLessThan(3);
  });

  test("a hand drags one up and throws it", async () => {
    const at = await value<{ x: number; y: number; body: number }>(`(() => {
      const { x, y } = l.stage.canvas.getBoundingClientRect();
      for (let px = 300; px < 700; px += 10) for (let py = 200; py < 520; py += 10) {
        const hit = l.bodies.hit(x + px, y + py);
        if (hit !== undefined) return { x: x + px, y: y + py, body: hit.body };
      }
      return undefined;
    })()`);
    const height = () => value<number>(`l.newest.instances[${at.body}].position[1]`);
    const before = await height();
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x, at.y - 60, { steps: 4 });
    await page.mouse.move(at.x, Math.max(60, at.y - 220), { steps: 8 });
    await until(`l.newest.instances[${at.body}].position[1] > ${before} + 0.15`);
    mkdirSync(BUILD, { recursive: true });
    await page.screenshot({ path: join(BUILD, "page.png") });
    await page.mouse.up();
    const raised = await height();
    await until(`l.newest.instances[${at.body}].position[1] < ${raised} - 0.1`);
  });

  test("one more comes, and Again puts all back", async () => {
    expect(await value<number>("l.newest.instances[5].position[1]")).toBeLessThan(0.65);
    await page.click("#more");
    await until("l.newest.instances.length === 11");
    await page.click("#again");
    await until("l.newest.instances[5].position[1] > 0.65"); // where it starts: 0.8
    expect(faults).toEqual([]);
    expect(await value<string>("document.querySelector('#words').className")).toBe("");
  });

  test("it is small, and says what a step took", () => {
    console.info(`apps/live: ${milliseconds.toFixed(2)} ms a step of ten bodies, ${bytesOf(PAGE)} bytes in all`);
    expect(milliseconds).toBeGreaterThan(0);
    expect(bytesOf(PAGE)).toBeLessThan(1.5e6);
  });
});

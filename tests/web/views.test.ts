// What the page is looked at and found by: theme, axes, flat view, commands, plots, tour, accessibility.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shot, until, untilMoving, type Browser } from "./browser";
import { sceneFile, startStudio, type StudioServer } from "./server";

let server: StudioServer;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  server = await startStudio(sceneFile("bar.json"));
  browser = await openBrowser(1100, 720);
  page = await browser.newPage(server.address, true);
  page.on("pageerror", (error) => complaints.push(error.message));
  await untilMoving(page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const evaluate = <T>(code: string) => page.evaluate(`(() => { const s = window.limber.studio; return ${code}; })()`) as Promise<T>;

describe("the first visit", () => {
  it("is shown around in five steps, once", async () => {
    await page.waitForSelector(".tour:not([hidden])");
    await shot(page, "tour");
    for (let step = 1; step <= 5; ++step) {
      expect(await page.textContent(".tour .hint-inline")).toBe(`${step} of 5`);
      expect(await page.locator(".toured").count()).toBe(1);
      await page.click("[data-test=tour-next]");
    }
    await page.waitForSelector(".tour", { state: "hidden" });
    await page.reload();
    await untilMoving(page);
    expect(await page.isVisible(".tour")).toBe(false);
  });
});

describe("the camera", () => {
  it.each([["x", 0], ["y", 1], ["z", 2]] as const)("looks along %s", async (key, axis) => {
    await page.locator(".picture").focus();
    await page.keyboard.press(key);
    await until(page, `(() => { const d = s.stage.camera.position.clone().sub(s.stage.controls.target).normalize();
      return d.getComponent(${axis}) > 0.99; })()`);
  });

  it("shows parallel lines as such in the flat view", async () => {
    /** How much longer a near edge looks than the same edge far away. */
    const ratio = `(() => {
      const v = (x, y, z) => s.stage.toPage(s.stage.controls.target.clone().add(
        s.stage.camera.up.clone().set(x, y, z)));
      const far = v(0.5, 0, -0.5).x - v(-0.5, 0, -0.5).x, near = v(0.5, 0, 0.5).x - v(-0.5, 0, 0.5).x;
      return near / far; })()`;
    await page.keyboard.press("z");
    await until(page, `${ratio} > 1.2`);
    const width = "(() => { const b = s.bodies.loaded; const p = (q) => s.stage.toPage(s.stage.controls.target.clone().set(...q)); return Math.abs(p(b.high).x - p(b.low).x); })()";
    const before = await evaluate<number>(width);
    await page.keyboard.press("o");
    await until(page, `${ratio} < 1.05`);
    expect(await evaluate<number>(width) / before, "as large as before").toBeGreaterThan(0.7);
    await shot(page, "flat");
    await page.keyboard.press("o");
    await until(page, `${ratio} > 1.2`);
  });
});

describe("the search of commands", () => {
  it("does what is typed, by keys alone", async () => {
    await page.locator(".picture").focus();
    await page.keyboard.press("Control+k");
    await page.waitForSelector(".palette[open]");
    await page.keyboard.type("dark");
    await shot(page, "palette");
    await page.keyboard.press("Enter");
    await until(page, "document.documentElement.dataset.theme === 'dark' && s.stage.scene.background.getHex() === 0x1d1f22");
    await shot(page, "dark");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("show plots");
    await page.keyboard.press("Enter");
    await until(page, "s.page.panel.id === 'plots'");
  });
});

describe("a plot", () => {
  it("has a time axis, reads at the cursor, zooms and is saved as CSV", async () => {
    await until(page, "s.newest.time > 1.5");
    const plot = page.locator(".plot:visible", { hasText: "Volume over rest" });
    const box = (await plot.locator("canvas").boundingBox())!;
    await page.mouse.move(box.x + 0.2 * box.width, box.y + 30);
    const at = await plot.locator(".plot-legend").getAttribute("data-time");
    expect(Number(at)).toBeLessThan(await evaluate<number>("s.newest.time"));
    expect(await plot.locator(".plot-legend").textContent()).toMatch(/Modal warping \d\.\d{3}/);
    await shot(page, "plots");
    let times: number[] = [];
    for (let k = 0; k < 40 && times.length <= 5; ++k) { // software draws few pictures a second
      if (k > 0) await page.waitForTimeout(500);
      const [got] = await Promise.all([page.waitForEvent("download"), plot.locator("[data-test=csv]").click()]);
      const rows = readFileSync((await got.path())!, "utf8").trim().split("\n");
      expect(rows[0]).toBe("time,Modal warping");
      times = rows.slice(1).map((row) => Number(row.split(",")[0]));
    }
    expect(times.length).toBeGreaterThan(5);
    expect(times.every((time, i) => i === 0 || time > times[i - 1]!)).toBe(true);
  });
});

describe("a slider", () => {
  it("takes a typed value with its unit", async () => {
    await page.click("[data-panel=body]");
    const typed = page.locator(".slider", { hasText: "Stiffness" }).locator(".typed").first();
    await typed.fill("3 MPa");
    await typed.press("Enter");
    await until(page, "s.state.bodies[0].young === 3e6");
    await typed.fill("soft");
    await typed.press("Tab");
    await page.waitForSelector(".slider .typed.wrong");
    expect(await evaluate("s.state.bodies[0].young")).toBe(3e6);
  });
});

describe("a screenshot", () => {
  it("has the size that is asked for, and leaves the page's picture as it is", async () => {
    const size = "[s.stage.canvas.width, s.stage.canvas.height].join()";
    const before = await evaluate<string>(size);
    const [got] = await Promise.all([page.waitForEvent("download"), evaluate("void s.pictures.save(900, 300)")]);
    const bytes = readFileSync((await got.path())!);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], "PNG's header").toEqual([900, 300]);
    await until(page, `${size} === '${before}'`);
  });
});

describe("a narrow page", () => {
  it.each([320, 360, 480, 900])("of %i pixels shows its whole bar", async (width) => {
    await page.setViewportSize({ width, height: 720 });
    await until(page, "document.querySelector('.bar').getBoundingClientRect().width <= innerWidth");
    const over = await page.evaluate(`(() => {
      const right = Math.max(...[...document.querySelectorAll(".bar > *, .transport > *, .tabs > *")]
        .map((one) => one.getBoundingClientRect().right));
      return Math.max(right, document.documentElement.scrollWidth) - innerWidth; })()`);
    expect(over).toBeLessThanOrEqual(0);
    const cut = await page.evaluate(`(() => {
      const inner = [...document.querySelectorAll(".transport .segmented button")].at(-1).getBoundingClientRect().right;
      return inner - document.querySelector(".transport").getBoundingClientRect().right; })()`);
    expect(cut, "nor is the slowest pace cut off").toBeLessThanOrEqual(0);
    await shot(page, `narrow-${width}`);
    await page.setViewportSize({ width: 1100, height: 720 });
  });
});

describe("accessibility", () => {
  it.each(["light", "dark"])("has no finding of axe in the %s theme", async (theme) => {
    await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`);
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await page.evaluate(axe);
    for (const panel of ["scene", "body", "modes", "compare", "plots", "poses", "takes"]) {
      await page.click(`[data-panel=${panel}]`);
      const found = await page.evaluate("window.axe.run().then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).join('; ')))");
      expect(found, panel).toEqual([]);
    }
  });
});

it("complained of nothing", () => expect(complaints).toEqual([]));

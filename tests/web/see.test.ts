// See what matters: colours with a legend, wireframe, a slice.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shot, until, untilMoving, type Browser } from "./browser";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStudio, type StudioServer } from "./server";

let server: StudioServer;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  const scene = join(mkdtempSync(join(tmpdir(), "limber-see-")), "ball.json");
  writeFileSync(scene, JSON.stringify({ limber: 1, time_step: 1 / 60, bodies: [{ name: "ball", shape: "sphere",
    size: [0.3], cells: [5], material: { young: 3e4, poisson: 0.4, density: 1000 },
    damping: { mass: 1, stiffness: 0.01 }, position: [0, 0.4, 0], modes: 12 }], ground: { offset: 0 } }));
  server = await startStudio(scene);
  browser = await openBrowser(1100, 720);
  page = await browser.newPage(server.address);
  page.on("pageerror", (error) => complaints.push(error.message));
  await untilMoving(page);
  await page.click("[data-panel=plots]");
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const evaluate = <T>(code: string) => page.evaluate(`(() => { const s = window.limber.studio; return ${code}; })()`) as Promise<T>;
const legend = () => page.textContent("[data-test=map-legend]");
/** Different colours that the first lane's body is drawn with. */
const COLOURS = `(() => { const c = s.bodies.view(0, 0).cpuGeometry.getAttribute("color").array; const all = new Set();
  for (let i = 0; i < c.length; i += 3) all.add([c[i], c[i + 1], c[i + 2]].map((x) => x.toFixed(2)).join()); return all.size; })()`;

describe("a body", () => {
  it("is coloured by its strain, with a legend", async () => {
    await until(page, "s.newest.contacts > 2"); // it lies on the ground and sags
    await page.selectOption("[data-test=colour] select", "strain");
    await until(page, `s.colouring.end > 0 && ${COLOURS} > 5`);
    await until(page, "/Strain of the surface0 %[\\d.]+ %/.test(document.querySelector('[data-test=map-legend]').textContent)");
    await shot(page, "see-strain");
  });

  it("is coloured by the pressure on it", async () => {
    await page.selectOption("[data-test=colour] select", "pressure");
    await until(page, "s.state.contacts_shown && s.colouring.end > 0");
    expect(await legend()).toMatch(/Contact pressure0 Pa\d+ [kM]?Pa/);
    await until(page, `${COLOURS} > 1`); // where it lies and elsewhere
    await shot(page, "see-pressure");
  });

  it("is coloured by its error against the truth", async () => {
    await evaluate("s.send({ do: 'lanes', methods: ['linear-modal', 'corotational'], truth: 1 })");
    await until(page, "s.state.lanes.length === 2 && s.newest.instances.length === 2");
    await page.selectOption("[data-test=colour] select", "error");
    await until(page, "s.colouring.end > 0");
    // The truth has none: it is of one colour.
    await until(page, COLOURS.replace("view(0, 0)", "view(1, 0)") + " === 1");
    await shot(page, "see-error");
    await evaluate("s.send({ do: 'lanes', methods: ['modal-warping'], truth: 0 })");
    await until(page, "s.state.lanes.length === 1 && s.newest.instances.length === 1");
    await page.selectOption("[data-test=colour] select", "plain");
    await page.waitForSelector("[data-test=map-legend]", { state: "hidden" });
  });

  it("is seen as a wireframe and cut open", async () => {
    await page.check("[data-test=wireframe]");
    await until(page, "s.bodies.view(0, 0).material.wireframe");
    await shot(page, "see-wireframe");
    await page.uncheck("[data-test=wireframe]");
    await page.click("[data-test=slice] [data-value=x]");
    await until(page, "s.bodies.view(0, 0).material.clippingPlanes.length === 1");
    await shot(page, "see-slice");
    await page.click("[data-test=slice] [data-value=off]");
    await until(page, "s.bodies.view(0, 0).material.clippingPlanes.length === 0");
  });
});

it("complained of nothing", () => expect(complaints).toEqual([]));

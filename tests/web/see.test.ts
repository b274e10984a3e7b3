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

  it("is coloured by its stress, of every method, which its weight over its area explains", async () => {
    await page.selectOption("[data-test=colour] select", "stress");
    await until(page, `s.state.stress_shown && s.newest.fields.length === 1 && s.colouring.end > 0 && ${COLOURS} > 5`);
    expect(await legend()).toMatch(/Stress \(von Mises\)0 Pa[\d.]+ [kM]?Pa/);
    // A ball on the ground, pressed by ρ g d: somewhere some times that, and nothing near Young's modulus.
    const [weight, most] = await evaluate<[number, number]>(`[9.81 * s.state.bodies[0].density * 0.3, Math.max(...s.newest.fields[0])]`);
    expect(most).toBeGreaterThan(0.1 * weight);
    expect(most).toBeLessThan(await evaluate<number>("s.state.bodies[0].young"));
    await shot(page, "see-stress");
    for (const method of ["neo-hookean", "linear-modal", "modal-warping"]) {
      await evaluate(`s.send({ do: 'lanes', methods: ['${method}'], truth: 0 })`);
      await until(page, `s.state.lanes.join() === '${method}' && s.newest.fields.length === 1 && s.newest.fields[0].length === s.state.bodies[0].vertices`);
    }
    await page.selectOption("[data-test=colour] select", "plain");
    await until(page, "!s.state.stress_shown && s.newest.fields.length === 0");
  });

  it("shows how its nodes are turned", async () => {
    await page.check("[data-test=turns]");
    await until(page, "s.turns.count > 20");
    await shot(page, "see-turns");
    await page.uncheck("[data-test=turns]");
    await until(page, "s.turns.count === 0");
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

describe("modes", () => {
  it("swing as ghosts over the body, which goes on", async () => {
    await page.click("[data-panel=modes]");
    await page.click("[data-test=mode-how] [data-value=ghost]");
    await page.click(".modes [data-mode='1']");
    await until(page, "s.ghost.visible");
    const time = await evaluate<number>("s.newest.time");
    await until(page, `s.newest.time > ${time} + 0.2 && !s.fresh`); // it plays on
    // The ghost is away from where the body is, sooner or later.
    await until(page, `Math.max(...s.ghost.view.positions().map((c, i) => Math.abs(c - s.bodies.view(0, 0).positions()[i]))) > 0.02`);
    await shot(page, "see-ghost");
    await page.click("[data-panel=plots]");
    await until(page, "s.ghost.visible"); // it stays while one looks at something else
    await page.click("[data-panel=modes]");
    await page.click(".modes [data-mode='1']");
    await until(page, "!s.ghost.visible");
    await page.click("[data-test=mode-how] [data-value=alone]");
  });
});

describe("plots", () => {
  /** The newest value of a curve by its legend's name, in the plot of that title. */
  const VALUES = (title: string) => `[...[...document.querySelectorAll("[data-test=motion] .plot")].find((p) =>
    p.querySelector("figcaption span").textContent === '${title}').querySelectorAll(".plot-legend > span")].map((e) => e.textContent)`;

  it("show energy and momentum of a free body", async () => {
    await page.click("[data-panel=plots]");
    await evaluate("s.send({ do: 'reset' })");
    await until(page, `${VALUES("Energy")}.length === 4 && ${VALUES("Energy")}.every((t) => /^(moving|elastic|height|together) -?[\\d.]+ \\S*J$/.test(t))`);
    await until(page, `${VALUES("Momentum")}.length === 1 && /kg m.s$/.test(${VALUES("Momentum")}[0])`);
    await page.locator("[data-test=motion]").scrollIntoViewIfNeeded();
    await shot(page, "plots-motion");
  });

  it("say that a falling body's momentum is its weight times the time", async () => {
    await evaluate("s.send({ do: 'ground', there: false, height: null })");
    await until(page, "s.state.ground === null && s.newest.generation === s.state.generation % 65536");
    // From its start, seen to be there: a frame from before would pass for a later one.
    await evaluate("s.send({ do: 'play', playing: false })");
    await evaluate("s.send({ do: 'reset' })");
    await until(page, "!s.state.playing && s.newest.time === 0");
    await evaluate("s.send({ do: 'play', playing: true })");
    await until(page, "s.newest.time > 0.2 && s.newest.motion.length === 1 && s.newest.motion[0].every(Number.isFinite)");
    // Readings are up to four steps old, and mass damping of 1/s drags at most: m g (1 − exp(−t)) to m g t.
    const [p, low, high] = await evaluate<[number, number, number]>(`(() => { const f = s.newest, weight = s.state.bodies[0].mass * 9.81;
      return [-f.motion[0][4], weight * (1 - Math.exp(5 / 60 - f.time)), weight * f.time]; })()`);
    expect(p).toBeGreaterThan(0.98 * low);
    expect(p).toBeLessThan(1.02 * high);
  });
});

it("complained of nothing", () => expect(complaints).toEqual([]));

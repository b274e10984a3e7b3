// A world on the stage: bodies, obstacles and ground that come and go, are pushed and undone.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shot, until, untilMoving, type Browser } from "./browser";
import { startStudio, type StudioServer } from "./server";

let server: StudioServer;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "limber-world-"));
  const scene = join(folder, "ball.json");
  writeFileSync(scene, JSON.stringify({ limber: 1, time_step: 1 / 60, bodies: [{ name: "ball", shape: "sphere",
    size: [0.3], cells: [3], material: { young: 1e5, poisson: 0.4, density: 1000 },
    damping: { mass: 1, stiffness: 0.01 }, position: [0, 0.5, 0], modes: 8 }], ground: { offset: 0 } }));
  server = await startStudio(scene);
  browser = await openBrowser(1100, 720);
  page = await browser.newPage(server.address);
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await untilMoving(page);
  await page.click("[data-panel=scene]");
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const evaluate = <T>(code: string) => page.evaluate(`(() => { const s = window.limber.studio; return ${code}; })()`) as Promise<T>;
/** Everything that was asked for is there, loaded and shown. */
const SHOWN = "s.loadedGeneration === s.state.generation && s.newest.generation === s.state.generation % 65536 && !s.fresh";

/** Where an obstacle's middle is on the page. */
const obstacleOnPage = (obstacle: number) => evaluate<{ x: number; y: number }>(
  `s.stage.toPage(s.stage.controls.target.clone().set(...s.obstacles.placeOf(${obstacle})))`);

describe("the outliner", () => {
  it("adds a body from the gallery beside the first, and it falls on the ground", async () => {
    await page.click("[data-test=add-body]");
    await page.click("dialog[open] [data-sample=bar]");
    await until(page, `s.state.bodies.length === 2 && ${SHOWN}`);
    expect(await evaluate("s.state.bodies[1].free")).toBe(true);
    await until(page, "s.newest.contacts > 4");
    const lowest = await evaluate<number>(`Math.min(...s.bodies.loaded.bodies.map((b, i) =>
      Math.min(...[...Array(b.vertexCount).keys()].map((v) => s.bodies.vertexInWorld(0, i, v).y))))`);
    expect(lowest, "nothing sinks into the ground by more than a hair").toBeGreaterThan(-0.02);
    expect(await page.locator("[data-row]").count()).toBe(2);
    await shot(page, "world-two-bodies");
  });

  it("duplicates, hides and deletes", async () => {
    await page.click("[data-row=body-0] [data-test=duplicate]");
    await until(page, `s.state.bodies.length === 3 && s.state.bodies[2].name === 'ball 2' && ${SHOWN}`);
    await page.click("[data-row=body-1] [data-test=hide]");
    await until(page, "!s.bodies.views[0][1].object.visible && s.bodies.views[0][0].object.visible");
    await page.click("[data-row=body-1] [data-test=hide]");
    await until(page, "s.bodies.views[0][1].object.visible");
    await page.click("[data-row=body-1] [data-test=delete]");
    await until(page, `s.state.bodies.map((b) => b.name).join() === 'ball,ball 2' && ${SHOWN}`);
  });

  it("undoes and redoes all of it in order, by keys and by the list", async () => {
    expect(await evaluate("s.state.undo.join()")).toBe("Delete a body,Duplicate a body,Add bar");
    await page.locator(".picture").focus();
    await page.keyboard.press("Control+z");
    await until(page, `s.state.bodies.length === 3 && ${SHOWN}`);
    await page.keyboard.press("Control+z");
    await until(page, `s.state.bodies.length === 2 && ${SHOWN}`);
    await page.keyboard.press("Control+Shift+Z");
    await until(page, `s.state.bodies.length === 3 && s.state.redo.length === 1 && ${SHOWN}`);
    await page.click(".history [data-steps='-2']");
    await until(page, `s.state.bodies.length === 1 && s.state.undo.length === 0 && ${SHOWN}`);
    expect(await page.locator(".history .undone").count()).toBe(3);
    await shot(page, "world-history");
    await page.click(".history [data-steps='3']");
    await until(page, `s.state.bodies.length === 2 && s.state.undo.length === 3 && ${SHOWN}`);
  });

  it("places by typed numbers", async () => {
    await page.click("[data-row=body-1] .name");
    await page.fill("[data-test=place] input >> nth=1", "0.9 m");
    await page.keyboard.press("Enter");
    await until(page, "Math.abs(s.state.bodies[1].start.position[1] - 0.9) < 1e-12");
    await page.fill("[data-test=place] input >> nth=1", "high");
    await page.keyboard.press("Tab");
    await page.waitForSelector("[data-test=place] input.wrong");
    expect(await evaluate("s.state.bodies[1].start.position[1]")).toBe(0.9);
  });
});

describe("obstacles", () => {
  it("are added, and pushed with by hand", async () => {
    await page.click("[data-shape=sphere]");
    await until(page, "s.state.obstacles.length === 1 && s.obstacles.placeOf(0) !== undefined");
    await page.keyboard.press("f");
    await until(page, "s.newest.obstacles.length === 1");
    const from = await obstacleOnPage(0);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y + 40, { steps: 8 });
    const start = await evaluate<number[]>("s.state.obstacles[0].position");
    await page.mouse.up();
    await until(page, `Math.hypot(...s.state.obstacles[0].position.map((c, i) => c - ${JSON.stringify(start)}[i])) > 0.02`);
    // It comes to rest where it was let go, and the scene has it there.
    await until(page, "Math.hypot(...s.newest.obstacles[0].position.map((c, i) => c - s.state.obstacles[0].position[i])) < 1e-3");
    expect(await evaluate("s.state.undo[0]")).toBe("Move an obstacle");
    await shot(page, "world-obstacle");
  });

  it("have their sizes typed, and move by themselves where they shall", async () => {
    await page.click("[data-row=obstacle-0] .name");
    await page.fill("[data-test=size] input", "12 cm");
    await page.keyboard.press("Tab");
    await page.waitForSelector("[data-test=size] input.wrong"); // centi is no prefix here
    await page.fill("[data-test=size] input", "0.12");
    await page.keyboard.press("Enter");
    await until(page, "s.state.obstacles[0].size[0] === 0.12");
    await page.check("[data-test=loose]");
    for (const shape of ["box", "capsule"]) await page.click(`[data-shape=${shape}]`);
    await until(page, "s.state.obstacles.length === 3 && s.state.obstacles[1].mass > 0");
    await page.uncheck("[data-test=loose]");
    await page.click("[data-shape=plane]");
    await until(page, "s.state.obstacles.length === 4 && s.state.obstacles[3].shape === 'plane'");
    await until(page, "s.newest.obstacles.length === 4 && s.newest.obstacles[1].position[1] < s.state.obstacles[1].position[1] - 0.05");
    await page.click("[data-row=obstacle-3] [data-test=delete]");
    await until(page, "s.state.obstacles.length === 3");
  });

  it("show where they touch when asked", async () => {
    expect(await evaluate("s.touching.count")).toBe(0);
    await page.check("[data-test=contacts]");
    await until(page, "s.state.contacts_shown && s.touching.count > 2");
    await shot(page, "world-contacts");
    await page.uncheck("[data-test=contacts]");
    await until(page, "s.touching.count === 0");
  });

  it("show the ground under bodies at full resolution too, with their weight", async () => {
    await evaluate("s.send({ do: 'lanes', methods: ['corotational'], truth: 0 })");
    await until(page, "s.state.lanes[0] === 'corotational' && s.newest.contacts > 4");
    await page.check("[data-test=contacts]");
    // Together they push by no less than half of what the ball weighs, and upwards, once it has come down.
    await until(page, `s.touching.count > 4 && s.newest.touching[0].filter((_, i) => i % 6 === 4).reduce((a, b) => a + b, 0)
      > 0.5 * 9.81 * s.state.bodies[0].mass`);
    await shot(page, "world-full-contacts");
    await page.uncheck("[data-test=contacts]");
    await evaluate("s.send({ do: 'lanes', methods: ['modal-warping'], truth: 0 })");
    await until(page, "s.state.lanes[0] === 'modal-warping'");
  });
});

describe("the ground", () => {
  it("comes, goes and stands where the feet are", async () => {
    await page.uncheck("[data-test=ground]");
    await until(page, `s.state.ground === null && ${SHOWN}`);
    await page.check("[data-test=ground]");
    await until(page, `s.state.ground !== null && ${SHOWN}`);
    const feet = await evaluate<number>("s.looking.box().min.y");
    expect(await evaluate<number>("s.state.ground")).toBeCloseTo(feet, 4);
    expect(await evaluate<number>("s.stage.floor.position.y"), "and it is drawn there").toBeCloseTo(feet, 4);
    await page.fill("[data-test=ground-height]", "0");
    await page.keyboard.press("Enter");
    await until(page, `s.state.ground === 0 && ${SHOWN}`);
  });
});

describe("the pace of time", () => {
  it("is always to be seen, with who is to blame", async () => {
    await until(page, "/× real time/.test(document.querySelector('[data-test=pace]').textContent)");
    await page.locator(".picture").focus(); // the field of the ground's height would take the key
    await page.keyboard.press(" ");
    await until(page, "document.querySelector('[data-test=pace]').textContent === 'paused'");
    await page.keyboard.press(" ");
  });
});

describe("the scene that is saved", () => {
  it("is run by limber simulate, with all bodies and obstacles", async () => {
    const [got] = await Promise.all([page.waitForEvent("download"), evaluate("s.save('json')")]);
    const folder = mkdtempSync(join(tmpdir(), "limber-saved-"));
    const file = join(folder, "scene.json");
    await got.saveAs(file);
    const scene = JSON.parse(readFileSync(file, "utf8")) as { bodies: unknown[]; obstacles: unknown[]; duration: number };
    expect([scene.bodies.length, scene.obstacles.length]).toEqual([2, 3]);
    const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
    const program = join(process.env["LIMBER_BUILD"] ?? join(root, "build", "release"), "limber");
    const report = join(folder, "report.json");
    writeFileSync(file, JSON.stringify({ ...scene, duration: 0.2 }));
    execFileSync(program, ["simulate", file, "--report", report], { cwd: folder });
    expect(JSON.parse(readFileSync(report, "utf8"))).toBeTypeOf("object");
  });
});

it("complained of nothing", () => expect(complaints).toEqual([]));

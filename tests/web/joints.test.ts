// Joints made on the page: by two clicks or by names; listed, changed, broken, undone, saved.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shot, until, untilMoving, type Browser } from "./browser";
import { PROGRAM, startStudio, type StudioServer } from "./server";

let server: StudioServer;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

const ball = (name: string, x: number, fixed: string[]) => ({ name, shape: "sphere", size: [0.15], cells: [3], fixed,
  material: { young: 1e5, poisson: 0.4, density: 1000 }, damping: { mass: 1, stiffness: 0.01 }, position: [x, 0.6, 0], modes: 8 });

beforeAll(async () => {
  const scene = join(mkdtempSync(join(tmpdir(), "limber-joints-")), "balls.json");
  writeFileSync(scene, JSON.stringify({ limber: 1, time_step: 1 / 60, ground: { offset: 0 },
    bodies: [ball("left", -0.22, []), ball("right", 0.22, [])] }));
  server = await startStudio(scene);
  browser = await openBrowser(1200, 760);
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

/** A click on the point of a body that is nearest to the eye. */
async function clickBody(body: number): Promise<void> {
  const { x, y } = await evaluate<{ x: number; y: number }>(`(() => {
    const eye = s.stage.camera.position;
    const all = [...Array(s.bodies.loaded.bodies[${body}].vertexCount).keys()];
    const near = (v) => s.bodies.vertexInWorld(0, ${body}, v).distanceTo(eye);
    return s.vertexOnPage(0, ${body}, all.reduce((best, v) => (near(v) < near(best) ? v : best)));
  })()`);
  await page.mouse.click(x, y);
}

/** Of the stage a place where nothing is. */
const clickBeside = () => page.mouse.click(740, 200);

const promptSays = (words: string) => until(page, `document.querySelector("[data-test=joint-prompt]").textContent.includes(${JSON.stringify(words)})`);

describe("a joint", () => {
  it("is made by a click on one body and one on the other, at the scene's start", async () => {
    await until(page, "s.newest.time > 0.1");
    await page.click("[data-joint=ball]");
    await page.waitForSelector("[data-test=joint-prompt]");
    await promptSays("click a point of the first body");
    await until(page, "!s.state.playing && s.newest.time === 0 && !s.fresh");
    await clickBody(0);
    await promptSays("click the other body");
    await shot(page, "joints-picking");
    await clickBody(1);
    await until(page, `s.state.joints.length === 1 && s.state.playing && ${SHOWN}`);
    expect(await evaluate("s.state.joints[0].bodies.join()")).toBe("left,right");
    expect(await page.textContent("[data-row=joint-0] .name")).toBe("ball: left – right");
    expect(await page.isHidden("[data-test=joint-prompt]")).toBe(true);
    expect(await evaluate("s.state.undo[0]")).toBe("Add a ball");
  });

  it("holds the two together while they fall", async () => {
    await until(page, "s.newest.time > 0.5 && s.newest.contacts > 1");
    // What is left of the way between its ends, in parts of the bodies' width.
    await until(page, "Math.hypot(...s.joints.shown[0].a.map((c, i) => c - s.joints.shown[0].b[i])) < 0.02 * 0.3");
    await shot(page, "joints-ball");
  });

  it("is a hinge on the world, whose axis and limits are typed", async () => {
    await page.click("[data-joint=hinge]");
    await until(page, "!s.state.playing && s.newest.time === 0 && !s.fresh");
    await clickBody(0);
    await promptSays("for the world");
    await clickBeside();
    await until(page, `s.state.joints.length === 2 && s.state.playing && ${SHOWN}`);
    expect(await evaluate("s.state.joints[1].bodies")).toEqual(["left", null]);
    await page.click("[data-row=joint-1] .name");
    await page.click("[data-test=joint-along] [data-value=x]");
    await until(page, "s.state.joints[1].axis.join() === '1,0,0'");
    await page.fill("[data-test=joint-axis] input >> nth=1", "1");
    await page.keyboard.press("Enter");
    await until(page, "s.state.joints[1].axis.join() === '1,1,0'");
    await page.fill("[data-test=joint-lowest]", "-30");
    await page.keyboard.press("Tab");
    await page.waitForSelector("[data-test=joint-highest].wrong"); // a limit has two ends
    await page.fill("[data-test=joint-highest]", "45");
    await page.keyboard.press("Tab");
    await until(page, "s.state.joints[1].limits !== null && Math.abs(s.state.joints[1].limits[1] - Math.PI / 4) < 1e-6");
    await until(page, "/Holds with \\S+ \\S*N/.test(document.querySelector('[data-test=joint-now]').textContent)");
    await shot(page, "joints-hinge");
  });

  it("breaks above its force, stays broken through other edits, and is whole again at the start", async () => {
    await page.fill("[data-test=joint-break]", "-5");
    await page.keyboard.press("Tab");
    await page.waitForSelector("[data-test=joint-break].wrong");
    await page.fill("[data-test=joint-break]", "10 mN");
    await page.keyboard.press("Tab");
    await until(page, "s.state.joints[1].break_force === 0.01 && s.joints.shown[1].broken");
    await until(page, "document.querySelector('[data-test=joint-now]').textContent.startsWith('Broken')");
    await page.click("[data-shape=box]");
    await until(page, `s.state.obstacles.length === 1 && s.newest.obstacles.length === 1 && ${SHOWN}`);
    expect(await evaluate("s.joints.shown[1].broken")).toBe(true);
    await page.fill("[data-test=joint-break]", "");
    await page.keyboard.press("Tab");
    await until(page, "s.state.joints[1].break_force === null && !s.joints.shown[1].broken");
  });

  it("is undone, redone and deleted like all else", async () => {
    await page.locator(".picture").focus();
    await page.keyboard.press("Control+z");
    await until(page, "s.state.joints[1].break_force === 0.01");
    await page.keyboard.press("Control+Shift+Z");
    await until(page, "s.state.joints[1].break_force === null");
    await page.click("[data-row=joint-1] [data-test=delete]");
    await until(page, "s.state.joints.length === 1");
    await page.locator(".picture").focus();
    await page.keyboard.press("Control+z");
    await until(page, `s.state.joints.length === 2 && ${SHOWN}`);
  });

  it("is called off by Escape, and time goes on", async () => {
    await page.click("[data-joint=weld]");
    await until(page, "!s.state.playing && s.picker.active");
    await page.keyboard.press("Escape");
    await until(page, "s.state.playing && !s.picker.active");
    expect(await page.isHidden("[data-test=joint-prompt]")).toBe(true);
    expect(await evaluate("s.state.joints.length")).toBe(2);
  });

  it("is made by the names of what it joins, without a pointer", async () => {
    await page.click("text='By their names'");
    await page.selectOption("[aria-label='Kind of joint']", "distance");
    await page.selectOption("[aria-label='First side']", "body-1");
    await page.selectOption("[aria-label='Second side']", "obstacle-0");
    await page.click("[data-test=join]");
    await until(page, `s.state.joints.length === 3 && s.state.joints[2].to !== null && ${SHOWN}`);
    expect(await evaluate("s.state.joints[2].bodies.join()")).toBe("right,box");
    await page.selectOption("[aria-label='Second side']", "body-1");
    await page.click("[data-test=join]");
    await page.waitForSelector("text=/a joint of a body with itself/");
    expect(await evaluate("s.state.joints.length")).toBe(3);
  });

  it("is found by its name among all commands", async () => {
    await page.locator(".picture").focus();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("join by a weld");
    await page.keyboard.press("Enter");
    await until(page, "s.picker.kind === 'weld'");
    await until(page, "!s.state.playing && s.newest.time === 0 && !s.fresh");
    await clickBody(0);
    await clickBody(1);
    await until(page, `s.state.joints.length === 4 && ${SHOWN}`);
    await page.click("[data-row=joint-3] .name");
    await page.fill("[data-test=joint-radius]", "0.05");
    await page.keyboard.press("Tab");
    await until(page, "s.state.joints[3].radius === 0.05");
    await shot(page, "joints-weld");
  });
});

describe("the scene that is saved", () => {
  it("has the joints, and limber simulate plays them", async () => {
    const [got] = await Promise.all([page.waitForEvent("download"), evaluate("s.save('json')")]);
    const folder = mkdtempSync(join(tmpdir(), "limber-joined-"));
    const file = join(folder, "scene.json");
    await got.saveAs(file);
    const scene = JSON.parse(readFileSync(file, "utf8")) as { joints: { type: string }[] };
    expect(scene.joints.map((joint) => joint.type)).toEqual(["ball", "hinge", "distance", "weld"]);
    writeFileSync(file, JSON.stringify({ ...scene, duration: 0.2 }));
    execFileSync(PROGRAM, ["simulate", file, "--report", "report.json"], { cwd: folder });
    const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as { frames: { joints: unknown[] }[] };
    expect(report.frames.at(-1)!.joints.length).toBe(4);
  });
});

it("complained of nothing", () => expect(complaints).toEqual([]));

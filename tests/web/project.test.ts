// A project: saved, opened again, kept by itself, offered after a restart.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drop, dropMesh, openBrowser, shot, until, untilMoving, type Browser } from "./browser";
import { block, cubes } from "./meshes";
import { sceneFile, startStudioKeeping, type StudioServer } from "./server";

const state = mkdtempSync(join(tmpdir(), "limber-state-"));
let server: StudioServer;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  server = await startStudioKeeping(state, sceneFile("bar.json"));
  browser = await openBrowser(1000, 700);
  page = await browser.newPage(server.address);
  page.on("pageerror", (error) => complaints.push(error.message));
  await untilMoving(page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(state, { recursive: true, force: true });
});

const evaluate = <T>(code: string) => page.evaluate(`(() => { const s = window.limber.studio; return ${code}; })()`) as Promise<T>;

const CUBE = cubes(block(2, 2, 2), 0.5);

interface Made {
  gravity: number[];
  hands: number[][];
  poses: string[];
  modes: number;
  lanes: string[];
  vertices: number;
}
const made = () => evaluate<Made>(`({ gravity: s.state.gravity, hands: s.state.handles.map((h) => [h.vertex, ...h.target]),
  poses: s.state.interpolation.poses.map((p) => p.name + p.time), modes: s.state.interpolation.modes,
  lanes: s.state.lanes, vertices: s.state.bodies[0].vertices })`);

describe("a project", () => {
  it("brings its takes back, which replay to the bit", async () => {
    await page.click("[data-panel=takes]");
    await page.click("[data-test=take-record]");
    await until(page, "s.state.recording");
    const start = await evaluate<number>("s.newest.time");
    await until(page, `s.newest.time > ${start} + 0.4`);
    await page.click("[data-test=take-record]");
    await until(page, "s.state.takes.length === 1");
    await page.click("[data-take='1'] .name");
    await until(page, "s.state.take === 1");
    await page.fill("[data-test=take-name]", "Fall");
    await page.fill("[data-test=take-from]", "0.05");
    await page.keyboard.press("Enter");
    await until(page, "s.state.takes[0].name === 'Fall' && s.state.takes[0].from > 0.04");
    const shown = async (take: number) => {
      await page.click(`[data-take='${take}'] .name`);
      await until(page, `s.state.take === ${take}`);
      await page.locator("[data-test=take-scrub]").fill("0.2");
      await until(page, "!s.state.playing && Math.abs(s.newest.time - 0.2) < 1e-9 && s.newest.instances[0].kind === 'positions'");
      return evaluate<number[]>("[...s.newest.instances[0].values]");
    };
    const before = { take: await evaluate("({ ...s.state.takes[0], id: 0 })"), shape: await shown(1) };
    const [got] = await Promise.all([page.waitForEvent("download"), page.selectOption(".save select", "limberproj")]);
    const bytes = readFileSync((await got.path())!);
    await page.click("text=Gallery");
    await page.click("[data-sample=ball]");
    await until(page, "s.state.title === 'Jelly ball' && s.state.takes.length === 0");
    await drop(page, "takes.limberproj", bytes);
    await until(page, "s.state.takes.length === 1 && s.loadedGeneration === s.state.generation");
    const id = await evaluate<number>("s.state.takes[0].id");
    expect(await evaluate("({ ...s.state.takes[0], id: 0 })")).toEqual(before.take);
    expect(await shown(id), "to the bit").toEqual(before.shape);
    await shot(page, "project-takes");
    await page.click("[data-test=take-back]");
    await page.click("[data-panel=body]");
  });

  it("of a mesh that somebody dropped opens again as it was", async () => {
    await dropMesh(page, "cube.mesh", CUBE);
    await until(page, "s.state.title === 'cube.mesh' && s.bodies.loaded.bodies[0].name === 'cube'");
    await evaluate("s.send({ do: 'gravity', acceleration: [0, -2.5, 0] })");
    await evaluate(`s.send({ do: 'handle', handle: { id: 5, body: 0, vertex: 3, kind: 'position', target: [1.1, 1.2, 1.1],
      rotation: [0, 0, 0], pinned: true } })`);
    await page.click("[data-panel=poses]");
    for (const count of [1, 2]) {
      await page.click("[data-test=pose-add]");
      await until(page, `s.state.interpolation.poses.length === ${count}`);
    }
    await page.click("[data-panel=body]");
    await evaluate("s.send({ do: 'lanes', methods: ['modal-warping', 'linear-modal'], truth: 0 })");
    await until(page, "s.state.lanes.length === 2 && s.state.gravity[1] === -2.5");
    await page.mouse.move(300, 600);
    await page.mouse.down();
    await page.mouse.move(420, 560, { steps: 5 }); // another view
    await page.mouse.up();
    // The camera glides on after a drag: until ten pictures show it at one place.
    await until(page, `(() => {
      const now = { picture: s.stage.renderer.info.render.frame, eye: s.stage.camera.position.clone() };
      const then = (window.rest ??= now);
      if (now.picture < then.picture + 10) return false;
      window.rest = now;
      return now.eye.distanceTo(then.eye) < 1e-4;
    })()`);
    const before = await made();
    const waiting = page.waitForEvent("download");
    await page.selectOption(".save select", "limberproj");
    const download = await waiting;
    expect(download.suggestedFilename()).toBe("project.limberproj");
    const bytes = readFileSync(await download.path());
    await page.click("text=Gallery");
    await page.click("[data-sample=ball]");
    await until(page, "s.state.title === 'Jelly ball' && s.bodies.loaded.bodies[0].name === 'ball'");
    await drop(page, "saved.limberproj", bytes);
    await until(page, "s.state.title === 'cube.mesh' && s.bodies.loaded.bodies[0].name === 'cube' && s.loadedGeneration === s.state.generation");
    await until(page, "s.state.interpolation.obstacle === ''"); // the motion is made again
    expect(await made()).toEqual(before);
    const now = await evaluate<number[]>("s.stage.camera.position.toArray()");
    // As it was when the project was saved.
    const eye = await evaluate<number[]>("s.state.view.eye");
    now.forEach((x, k) => expect(x, "the camera").toBeCloseTo(eye[k]!, 2));
    await shot(page, "project");
  });

  it("that is damaged is refused in one line", async () => {
    await drop(page, "broken.limberproj", "PK\u0003\u0004 no more");
    await page.waitForSelector("[data-test=error]");
    expect(await page.textContent("[data-test=error]")).toContain("broken.limberproj");
    await page.click("[data-test=error] button");
    expect(await evaluate("s.state.title"), "what was open stays").toBe("cube.mesh");
  });

  it("is kept by itself and offered after a restart", async () => {
    const { port } = server;
    const kept = await evaluate<number>("s.state.kept");
    await evaluate("s.send({ do: 'gravity', acceleration: [0, -3.5, 0] })");
    await until(page, `s.state.kept > ${kept}`);
    const before = await made();
    await server.stop();
    server = await startStudioKeeping(state, "--port", String(port));
    await until(page, "s.connection === 'open' && s.state.title === 'Elephant' && s.state.offer === 'cube.mesh'");
    await page.waitForSelector(".offer:not([hidden])");
    expect(await page.textContent(".offer")).toContain("You left cube.mesh here");
    await shot(page, "offer");
    await page.click("[data-test=resume]");
    await until(page, "s.state.title === 'cube.mesh' && s.loadedGeneration === s.state.generation && s.state.offer === ''");
    await until(page, "s.state.lanes.length === 2");
    expect(await made()).toEqual(before);
    expect(await page.isHidden(".offer")).toBe(true);
    expect(complaints).toEqual([]);
  });
});

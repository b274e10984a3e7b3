// The studio in a browser, from the page's first second to the server's restart.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { drop, dropMesh, openBrowser, until, untilMoving, type Browser } from "./browser";
import { startStudio, type StudioServer } from "./server";

let server: StudioServer;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  server = await startStudio();
  browser = await openBrowser();
  page = await browser.newPage(server.address);
  page.on("pageerror", (error) => complaints.push(error.message));
  await untilMoving(page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});
beforeEach(async () => {
  await page.evaluate("window.limber.studio.send({ do: 'play', playing: true })");
});

interface Point {
  x: number;
  y: number;
}

const evaluate = <T>(code: string) => page.evaluate(`(() => { const s = window.limber.studio; return ${code}; })()`) as Promise<T>;

/** A point of the page on the body near its tip (largest x), and the vertex that lies there. */
async function tip(): Promise<{ vertex: number; at: Point }> {
  return evaluate(`(() => {
    const p = s.bodies.loaded.bodies[0].restPositions;
    const order = [...Array(p.length / 3).keys()].sort((a, b) => p[3 * b] - p[3 * a]);
    for (const v of order.slice(0, 200)) {
      const at = s.vertexOnPage(0, 0, v);
      const hit = s.bodies.hit(at.x - 4, at.y);
      if (hit !== undefined && p[3 * hit.vertex] > 0.9 * p[3 * order[0]]) {
        return { vertex: hit.vertex, at: { x: at.x - 4, y: at.y } };
      }
    }
    return undefined;
  })()`);
}

/** At rest, and shown so: the page draws later than frames arrive. */
const AT_REST = "s.bodies.views[0][0].shown.values.every((q) => Math.abs(q) < 1e-4)";

/** Until the scene's own clock has gone on by so many seconds, and the page shows it. */
async function pass(seconds: number): Promise<void> {
  const now = await evaluate<number>("s.newest.time");
  await until(page, `s.newest.time > ${now} + ${seconds} && s.bodies.views[0][0].shown === s.newest.instances[0]`);
}

/** Opens a scene of the gallery. */
async function openSample(name: string): Promise<void> {
  // A scene that was opened plays; one that was not does not.
  await evaluate("s.send({ do: 'play', playing: false })");
  await until(page, "!s.state.playing");
  await evaluate(`s.send({ do: 'open', sample: '${name === "hose" ? "tube" : name}' })`);
  await until(page, `s.state.playing && s.bodies.loaded.bodies[0].name === '${name}' && s.newest.generation === s.state.generation &&
    s.loadedGeneration === s.state.generation && !s.fresh`);
}

describe("the studio", () => {
  it("shows a painted elephant that stands out from the background", async () => {
    const { share, colours } = await evaluate<{ share: number; colours: number }>(`(() => {
      const gl = s.stage.renderer.getContext();
      const { width, height } = s.stage.canvas;
      const picture = (visible) => {
        s.bodies.views[0][0].object.visible = visible;
        s.stage.render();
        const pixels = new Uint8Array(4 * width * height);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        return pixels;
      };
      const without = picture(false), pixels = picture(true);
      let changed = 0;
      const hues = new Set();
      for (let i = 0; i < pixels.length; i += 4) {
        const [r, g, b] = pixels.subarray(i, i + 3);
        if (Math.abs(r - without[i]) + Math.abs(g - without[i + 1]) + Math.abs(b - without[i + 2]) < 30) continue;
        ++changed;
        // Which parts are the strongest: shading alone leaves that as it is.
        hues.add([r > g + 12, g > b + 12, b > r + 12, r > 225].join());
      }
      return { share: changed / (width * height), colours: hues.size };
    })()`);
    expect(share).toBeGreaterThan(0.04);
    expect(share).toBeLessThan(0.7);
    expect(colours, "skin and tusks").toBeGreaterThan(1);
    expect(await evaluate("s.bodies.where[0]")).toBe("gpu");
    expect(await evaluate("s.bodies.loaded.bodies[0].name")).toBe("elephant");
    expect(complaints).toEqual([]);
  });

  it("brings the grabbed vertex to the pointer's ray and lets it swing back", async () => {
    await openSample("bar");
    await evaluate("s.send({ do: 'gravity', acceleration: [0, 0, 0] })");
    await evaluate("s.send({ do: 'reset' })");
    await until(page, AT_REST);
    const rest = (await tip()).at;
    await page.mouse.move(rest.x, rest.y);
    await page.mouse.down();
    const picked = await evaluate<{ vertex: number } | undefined>("s.state && s.tools.drag && s.tools.drag.handle");
    expect(picked, "the pointer took hold of the body").toBeDefined();
    const goal = { x: rest.x - 40, y: rest.y - 140 };
    await page.mouse.move(goal.x, goal.y, { steps: 12 });
    // 2 % of the body, which is some 550 px long here.
    const size = await evaluate<number>(`(() => {
      const b = s.bodies.loaded; const v = (p) => s.stage.toPage(s.stage.controls.target.clone().set(...p));
      const a = v(b.low), c = v(b.high); return Math.hypot(a.x - c.x, a.y - c.y); })()`);
    const away = `(() => { const at = s.vertexOnPage(0, 0, ${picked!.vertex});
      return Math.hypot(at.x - ${goal.x}, at.y - ${goal.y}); })()`;
    await until(page, `${away} < ${0.02 * size}`);
    await pass(0.5);
    expect(await evaluate<number>(away), "it stays there").toBeLessThan(0.02 * size);
    await page.mouse.up();
    await until(page, "s.state.handles.length === 0");
    await until(page, `${away} > ${0.5 * Math.hypot(40, 140)}`);
  });

  it("pins with shift, undoes and redoes", async () => {
    await evaluate("s.send({ do: 'reset' })");
    await until(page, AT_REST);
    const { at } = await tip();
    await page.keyboard.down("Shift");
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x - 30, at.y - 60, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await until(page, "s.state.handles.length === 1 && s.state.handles[0].pinned");
    await page.keyboard.press("Control+z");
    await until(page, "s.state.handles.length === 0");
    await page.keyboard.press("Control+y");
    await until(page, "s.state.handles.length === 1");
    await page.click("text=Release all");
    await until(page, "s.state.handles.length === 0");
  });

  it("turns a point with the gizmo's tool", async () => {
    await evaluate("s.send({ do: 'reset' })");
    await until(page, AT_REST);
    await page.click(".rail [data-tool=turn]");
    const { at } = await tip();
    await page.mouse.click(at.x, at.y);
    await until(page, "s.state.handles.length === 1 && s.state.handles[0].kind === 'both'");
    const id = await evaluate<number>("s.state.handles[0].id");
    await evaluate(`(() => { const h = s.state.handles[0]; s.send({ do: 'move', id: ${id}, target: h.target,
      rotation: [1, 0, 0], begins: true }); })()`);
    // Of 1 rad; position comes first.
    await until(page, "s.bodies.rotationOf(0, 0, s.state.handles[0].vertex)[0] > 0.7");
    await page.keyboard.press("Delete");
    await until(page, "s.state.handles.length === 0");
  });

  it("turns a point alone with shift, and holds it too once it is dragged", async () => {
    await evaluate("s.send({ do: 'reset' })");
    await until(page, AT_REST);
    const { at } = await tip();
    await page.keyboard.down("Shift");
    await page.mouse.click(at.x, at.y);
    await page.keyboard.up("Shift");
    await until(page, "s.state.handles.length === 1 && s.state.handles[0].kind === 'orientation'");
    await evaluate(`(() => { const h = s.state.handles[0]; s.send({ do: 'move', id: h.id, target: h.target,
      rotation: [0, 0, 0.5], begins: true }); })()`);
    // The end turned up by half a radian: nothing holds it, so it rises.
    await until(page, `s.bodies.rotationOf(0, 0, s.state.handles[0].vertex)[2] > 0.4 &&
      s.vertexOnPage(0, 0, s.state.handles[0].vertex).y < ${at.y - 10}`);
    await page.click(".rail [data-tool=grab]");
    await evaluate("s.send({ do: 'play', playing: false })"); // its dot rides on the body
    await until(page, "!s.state.playing && !s.fresh");
    const now = await evaluate<Point>("s.vertexOnPage(0, 0, s.state.handles[0].vertex)");
    await page.mouse.move(now.x, now.y);
    await page.mouse.down();
    await page.mouse.move(now.x, now.y - 30, { steps: 5 });
    await page.mouse.up();
    await until(page, "s.state.handles.length === 1 && s.state.handles[0].kind === 'both'");
    await page.click("text=Release all");
    await until(page, "s.state.handles.length === 0");
  });

  it("shows what the C++ side computes, to 1e-5 of the body, turned beyond half a turn", async () => {
    await openSample("hose");
    await evaluate("s.send({ do: 'play', playing: false })");
    const { vertex, at } = await evaluate<{ vertex: number; at: number[] }>(`(() => {
      const p = s.bodies.loaded.bodies[0].restPositions;
      let vertex = 0;
      for (let v = 0; v < p.length / 3; ++v) if (p[3 * v + 1] > p[3 * vertex + 1]) vertex = v;
      return { vertex, at: [...p.subarray(3 * vertex, 3 * vertex + 3)] };
    })()`);
    // A twist of 4 rad about the hose's axis, which carries the vertex along.
    const turned = [at[0]! * Math.cos(4) + at[2]! * Math.sin(4), at[1], at[2]! * Math.cos(4) - at[0]! * Math.sin(4)];
    await evaluate(`s.send({ do: 'handle', handle: { id: 3, body: 0, vertex: ${vertex}, kind: 'both',
      target: ${JSON.stringify(turned)}, rotation: [0, 4, 0], pinned: true } })`);
    for (let i = 0; i < 60; ++i) await evaluate("s.send({ do: 'step' })");
    await evaluate("s.send({ do: 'record', running: true })");
    await evaluate("s.send({ do: 'record', running: false })");
    await until(page, "!s.state.recording && s.state.recorded_frames === 1 && !s.fresh");
    const waiting = page.waitForEvent("download");
    await page.selectOption(".save select", "pc2");
    const bytes = readFileSync(await (await waiting).path());
    const gpu = (await page.evaluate("window.limber.gpuPositions()")) as number[];
    const size = await evaluate<number>("s.bodies.loaded.bodies[0].size");
    let largest = 0;
    for (let v = 0; v < gpu.length / 3; ++v) {
      const away = [0, 1, 2].map((k) => gpu[3 * v + k]! - bytes.readFloatLE(32 + 4 * (3 * v + k)));
      largest = Math.max(largest, Math.hypot(...away) / size);
    }
    const angle = Math.hypot(...(await evaluate<number[]>(`s.bodies.rotationOf(0, 0, ${vertex})`)));
    console.log(`GPU against C++: ${largest.toExponential(1)} of the size, turned by ${angle.toFixed(2)} rad`);
    expect(angle).toBeGreaterThan(Math.PI);
    expect(largest).toBeLessThan(1e-5);
    await evaluate("s.send({ do: 'release_all' })");
    await openSample("bar");
    await evaluate("s.send({ do: 'gravity', acceleration: [0, 0, 0] })");
  });

  it("hits along the arrow when the pointer lets go", async () => {
    await evaluate("s.send({ do: 'gravity', acceleration: [0, 0, 0] })");
    await evaluate("s.send({ do: 'reset' })");
    await until(page, AT_REST);
    await page.click(".rail [data-tool=hit]");
    const { vertex, at } = await tip();
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x, at.y - 80, { steps: 4 });
    expect(await evaluate(AT_REST), "nothing moves before the blow").toBe(true);
    await page.mouse.up();
    await until(page, `s.vertexOnPage(0, 0, ${vertex}).y < ${at.y - 3}`);
    expect(await evaluate("document.querySelector('[data-test=throw]').closest('.row').hidden"),
      "a clamped body is not thrown").toBe(true);
    await page.click(".rail [data-tool=grab]");
  });

  it("pushes with an arrow and shakes the support", async () => {
    await page.click(".rail [data-tool=push]");
    await evaluate("s.send({ do: 'reset' })");
    await until(page, AT_REST);
    const { at, vertex } = await tip();
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x, at.y - 120, { steps: 5 });
    await until(page, `s.vertexOnPage(0, 0, ${vertex}).y < ${at.y - 5}`);
    await page.mouse.up();
    await page.click(".rail [data-tool=shake]");
    await page.mouse.move(400, 500);
    await page.mouse.down();
    await page.mouse.move(460, 500, { steps: 5 });
    await until(page, "Math.abs(s.newest.instances[0].position[0]) > 1e-3");
    await page.mouse.up();
    await until(page, "Math.abs(s.newest.instances[0].position[0]) < 1e-4");
    await page.keyboard.down("Shift");
    await page.mouse.move(400, 500);
    await page.mouse.down();
    await page.mouse.move(400, 440, { steps: 5 });
    await until(page, "Math.hypot(...s.newest.instances[0].rotation.slice(0, 3)) > 0.05");
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await until(page, "Math.hypot(...s.newest.instances[0].rotation.slice(0, 3)) < 1e-4");
    await page.click(".rail [data-tool=grab]");
    await evaluate("s.send({ do: 'gravity', acceleration: [0, -9.81, 0] })");
  });

  it("switches the method while it moves", async () => {
    await page.click("[data-panel=body]");
    await page.selectOption("[data-test=method] select", "linear-modal");
    await until(page, "s.state.lanes[0] === 'linear-modal' && s.newest.instances[0].kind === 'linear'");
    await page.selectOption("[data-test=method] select", "modal-warping");
    await until(page, "s.newest.instances[0].kind === 'warped'");
  });

  it("compares two methods side by side under the same hands", async () => {
    await page.click("[data-panel=compare]");
    await page.click("[data-test=add-lane]");
    await until(page, "s.state.lanes.length === 2 && s.newest.instances.length === 2");
    expect(await page.locator(".lane-labels span").count()).toBe(2);
    await page.click("text=Overlaid");
    await until(page, "s.stage.layout === 'over'");
    await page.click("text=Side by side");
    const methods = await evaluate<string[]>("s.state.lanes");
    await evaluate(`s.send({ do: 'lanes', methods: ['${methods[0]}'], truth: 0 })`);
    await until(page, "s.state.lanes.length === 1");
  });

  it("plays nonlinear methods that send positions", async () => {
    await evaluate("s.send({ do: 'lanes', methods: ['modal-warping', 'corotational'], truth: 1 })");
    await until(page, "s.newest.instances.length === 2 && s.newest.instances[1].kind === 'positions'");
    const { frames } = await evaluate<{ frames: number }>("({ frames: s.frames })");
    await until(page, `s.frames > ${frames} + 5 && s.newest.instances[0].error > 0`);
    expect(await evaluate("s.newest.instances[1].error")).toBe(0);
    await evaluate("s.send({ do: 'lanes', methods: ['modal-warping'], truth: 0 })");
    await until(page, "s.state.lanes.length === 1");
  });

  it("plays between key poses and scrubs", async () => {
    await page.click("[data-panel=poses]");
    const { vertex } = await tip();
    const rest = await evaluate<number[]>(`[...s.bodies.loaded.bodies[0].restPositions.subarray(3 * ${vertex}, 3 * ${vertex} + 3)]`);
    for (const [pose, up] of [0.3, -0.3].entries()) {
      await evaluate(`s.send({ do: 'handle', handle: { id: 8, body: 0, vertex: ${vertex}, kind: 'position',
        target: [${rest[0]! - 0.1}, ${rest[1]! + up}, ${rest[2]}], rotation: [0, 0, 0], pinned: true } })`);
      await until(page, `Math.abs(s.bodies.vertexInWorld(0, 0, ${vertex}).y - ${rest[1]! + up}) < 0.01`);
      await page.click("[data-test=pose-add]");
      await until(page, `s.state.interpolation.poses.length === ${pose + 1}`);
    }
    await until(page, "s.state.interpolation.obstacle === ''");
    await evaluate("s.send({ do: 'release_all' })");
    const heights: number[] = [];
    for (const time of [0, 1]) {
      await evaluate(`s.send({ do: 'scrub', time: ${time} })`);
      await until(page, `s.state.interpolation.active && s.newest.instances[0].kind === 'positions' &&
        Math.abs(s.newest.time - ${time}) < 1e-6 && s.bodies.views[0][0].shown === s.newest.instances[0]`);
      heights.push(await evaluate<number>(`s.bodies.vertexInWorld(0, 0, ${vertex}).y`));
    }
    expect(heights[0]! - heights[1]!).toBeCloseTo(0.6, 1); // the keys are met
    await page.locator(".slider", { hasText: "Calm to jiggly" }).locator("input[type=range]").fill("900"); // of 1000
    await until(page, "s.state.interpolation.damping.value[0] < -0.7");
    await until(page, "document.querySelectorAll('.curve polyline').length > 3");
    await evaluate("s.send({ do: 'interpolation', active: false, looping: true, modes: 30 })");
    await until(page, "s.newest.instances[0].kind === 'warped'");
    await page.click("[data-panel=body]"); // where a dropped file is a scene and no pose
  });

  it("opens a dropped mesh, and says in words why another is none", async () => {
    await drop(page, "broken.obj", "v 0 0\nf 1 2 3\n");
    await page.waitForSelector("[data-test=error]");
    expect(await page.textContent("[data-test=error]")).toContain("broken.obj");
    await page.click("[data-test=error] button");
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `v ${i & 1} ${(i >> 1) & 1} ${i >> 2}`).join("\n");
    const faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"].map((f) => `f ${f}`).join("\n");
    await dropMesh(page, "cube.obj", `${corners}\n${faces}\n`);
    await until(page, "s.state.title === 'cube.obj' && s.bodies.loaded.bodies[0].name === 'cube'");
    await openSample("bar");
  });

  it("lets one mode swing alone", async () => {
    await page.click("[data-panel=modes]");
    await page.click("[data-mode='2']");
    await until(page, "s.local.preview?.mode === 2");
    const alone = "s.bodies.views[0][0].shown.values.every((q, mode) => (mode === 2) === (q !== 0))";
    // To one side and to the other by half of its amplitude.
    for (const side of ["> 0.5", "< -0.5"]) {
      await until(page, `${alone} && s.bodies.views[0][0].shown.values[2] / s.local.preview.amplitude ${side}`);
    }
    await page.click("[data-mode='2']");
    await until(page, "document.querySelectorAll('.modes [aria-pressed=true]').length === 0");
  });

  it("records and downloads an animation", async () => {
    await page.click("[data-test=record]");
    await until(page, "s.state.recording");
    await pass(0.3);
    await page.click("[data-test=record]");
    await until(page, "!s.state.recording && s.state.recorded_frames > 5");
    for (const ending of ["glb", "usda", "mdd", "pc2"]) {
      const waiting = page.waitForEvent("download");
      await page.selectOption(".save select", ending);
      const download = await waiting;
      expect(download.suggestedFilename()).toBe(`recording.${ending}`);
      checkFile(ending, readFileSync(await download.path()));
    }
    const waiting = page.waitForEvent("download");
    await page.selectOption(".save select", "json");
    const scene = JSON.parse(readFileSync(await (await waiting).path(), "utf8")) as { limber: number };
    expect(scene.limber).toBe(1);
  });

  it("takes a screenshot", async () => {
    const waiting = page.waitForEvent("download");
    await page.keyboard.press("s");
    const bytes = readFileSync(await (await waiting).path());
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  });

  it("opens a scene of the gallery", async () => {
    await page.click("text=Gallery");
    await page.click("[data-sample=ball]");
    await until(page, "s.state.title === 'Jelly ball' && s.bodies.loaded.bodies[0].name === 'ball'");
    await page.click("text=Gallery");
    await page.click("[data-sample=bar]");
    await until(page, "s.bodies.loaded.bodies[0].name === 'bar'");
  });

  it("shows the same scene in a second browser", async () => {
    const other = await browser.newPage(server.address);
    await untilMoving(other);
    await evaluate("s.send({ do: 'speed', factor: 0.5 })");
    await until(other, "s.state.speed === 0.5");
    await evaluate("s.send({ do: 'speed', factor: 1 })");
    await other.close();
  });

  it("says so when the server is gone and connects again", async () => {
    const { port } = server;
    await server.stop();
    await page.waitForSelector(".notice:not([hidden])");
    expect(await page.textContent(".notice")).toContain("connects by itself");
    server = await startStudio("--port", String(port));
    await until(page, "s.connection === 'open'");
    const frames = await evaluate<number>("s.frames");
    await until(page, `s.frames > ${frames} + 5`);
    await until(page, "document.querySelector('.notice').hidden");
    expect(complaints).toEqual([]);
  });
});

/** Is it a file of that kind, whole? */
function checkFile(ending: string, bytes: Buffer): void {
  switch (ending) {
    case "glb": {
      expect(bytes.toString("latin1", 0, 4)).toBe("glTF");
      expect(bytes.readUInt32LE(8)).toBe(bytes.length);
      break;
    }
    case "usda":
      expect(bytes.toString("utf8", 0, 9)).toBe("#usda 1.0");
      break;
    case "mdd":
      expect(bytes.length).toBe(8 + 4 * bytes.readInt32BE(0) + 12 * bytes.readInt32BE(0) * bytes.readInt32BE(4));
      break;
    case "pc2":
      expect(bytes.toString("latin1", 0, 11)).toBe("POINTCACHE2");
      expect(bytes.length).toBe(32 + 12 * bytes.readInt32LE(16) * bytes.readInt32LE(28));
  }
}

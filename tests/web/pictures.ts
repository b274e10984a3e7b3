// The documentation's pictures and the gallery's thumbnails, made from the running studio:
//   npm run pictures [-- NAME…]      all of them, or those named (thumbnails, body, modes, …)
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { openBrowser, until, untilMoving } from "./browser";
import { startStudio } from "./server";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const IMAGES = join(ROOT, "docs", "images");
const THUMBNAILS = join(ROOT, "apps", "studio", "web", "thumbnails");
const BARE = ".bar, .side, .rail, .transport, .hands-hint, .lane-labels, .messages { display: none !important }" +
  "#studio { grid: minmax(0, 1fr) / minmax(0, 1fr) !important }";

const server = await startStudio();
const browser = await openBrowser(1280, 800);
const blank = await browser.context.newPage();
const page = await browser.newPage(server.address);
await untilMoving(page);

const studio = <T>(code: string) =>
  page.evaluate(`(() => { const s = window.limber.studio; return ${code}; })()`) as Promise<T>;
const send = (command: object) => studio(`s.send(${JSON.stringify(command)})`);

async function open(sample: string): Promise<void> {
  // A scene that was opened plays; one that was not does not.
  await send({ do: "play", playing: false });
  await until(page, "!s.state.playing");
  await send({ do: "open", sample });
  const title = await studio<string>(`s.state.samples.find((e) => e.name === "${sample}").title`);
  await until(page, `s.state.playing && s.state.title === "${title}" && s.newest.generation === s.state.generation &&
    s.loadedGeneration === s.state.generation`, 60000);
}

/** Steps by hand, so that pictures do not depend on the machine's pace. */
async function steps(count: number): Promise<void> {
  for (let i = 0; i < count; ++i) await send({ do: "step" });
  const step = await studio<number>("s.newest.step");
  await page.waitForTimeout(300);
  await until(page, `!s.fresh && s.newest.step >= ${step}`);
}

/** The vertex furthest along a direction. */
const extreme = (x: number, y: number, z: number) => studio<{ vertex: number; at: [number, number, number] }>(`(() => {
  const p = s.bodies.loaded.bodies[0].restPositions;
  let best = 0;
  const height = (v) => ${x} * p[3 * v] + ${y} * p[3 * v + 1] + ${z} * p[3 * v + 2];
  for (let v = 0; v < p.length / 3; ++v) if (height(v) > height(best)) best = v;
  return { vertex: best, at: [...p.subarray(3 * best, 3 * best + 3)] };
})()`);

async function hold(id: number, direction: [number, number, number], by: [number, number, number],
  rotation?: [number, number, number]): Promise<void> {
  const { vertex, at } = await extreme(...direction);
  const target = at.map((value, k) => value + by[k]!);
  await send({ do: "handle", handle: { id, body: 0, vertex, kind: rotation === undefined ? "position" : "both",
    target, rotation: rotation ?? [0, 0, 0], pinned: true } });
}

async function panel(name: string): Promise<void> {
  await page.click(`[data-panel=${name}]`);
}

/** A third of a PNG's size, and no difference to be seen. */
async function webp(png: Buffer): Promise<Buffer> {
  const data = await blank.evaluate(async (bytes) => {
    const bitmap = await createImageBitmap(await (await fetch(bytes)).blob());
    const canvas = document.createElement("canvas");
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext("2d")!.drawImage(bitmap, 0, 0);
    return canvas.toDataURL("image/webp", 0.92);
  }, `data:image/png;base64,${png.toString("base64")}`);
  return Buffer.from(data.split(",")[1]!, "base64");
}

async function picture(name: string): Promise<void> {
  await page.waitForTimeout(400);
  writeFileSync(join(IMAGES, `studio-${name}.webp`), await webp(await page.screenshot()));
  console.log(name);
}

async function fresh(sample: string): Promise<void> {
  await open(sample);
  await send({ do: "play", playing: false });
  await send({ do: "reset" });
}

async function thumbnail(p: Page, name: string): Promise<void> {
  const data = (await p.evaluate(`(() => { const s = window.limber.studio; s.stage.render();
    return s.stage.canvas.toDataURL("image/webp", 0.85); })()`)) as string;
  writeFileSync(join(THUMBNAILS, `${name}.webp`), Buffer.from(data.split(",")[1]!, "base64"));
  console.log(`thumbnail ${name}`);
}

/** A pull worth looking at: which way the vertex lies, and where it goes. */
const PULLS: Record<string, { direction: [number, number, number]; by: [number, number, number] }> = {
  elephant: { direction: [0, -0.25, 1], by: [0.22, 0.3, 0.05] },
  flubber: { direction: [1, 0.3, 0], by: [0.18, 0.2, 0.05] },
  bar: { direction: [1, 1, 1], by: [-0.25, 0.4, 0] },
  reed: { direction: [0, 1, 0], by: [0.5, -0.25, 0.1] },
  ball: { direction: [0.4, 1, 0.4], by: [0.2, 0.3, 0.1] },
  sheet: { direction: [1, 0, 1], by: [-0.3, 0.25, 0] },
  tube: { direction: [0, 1, 0.1], by: [0.45, -0.2, 0.1] },
};

const PICTURES: Record<string, () => Promise<void>> = {
  async thumbnails() {
    mkdirSync(THUMBNAILS, { recursive: true });
    await page.setViewportSize({ width: 480, height: 300 });
    const style = await page.addStyleTag({ content: BARE });
    for (const sample of await studio<{ name: string }[]>("s.state.samples")) {
      await fresh(sample.name);
      const pull = PULLS[sample.name];
      if (pull !== undefined) await hold(1, pull.direction, pull.by);
      await steps(60);
      await studio("s.markers.update([], undefined, () => undefined)");
      await thumbnail(page, sample.name);
    }
    await style.evaluate((element) => (element as Element).remove());
    await page.setViewportSize({ width: 1280, height: 800 });
  },
  async body() {
    await fresh("elephant");
    await panel("body");
    await hold(1, [0, -0.25, 1], [0.22, 0.3, 0.05]);
    await steps(60);
    await picture("body");
  },
  async turn() {
    await fresh("tube");
    await panel("body");
    await page.click("[data-tool=turn]");
    await hold(1, [0.3, 1, 0.3], [0.1, -0.02, 0], [0, 1.6, 0]);
    await studio("s.tools.select(1)");
    await steps(60);
    await picture("turn");
    await page.click("[data-tool=grab]");
  },
  async push() {
    await fresh("ball");
    await panel("plots");
    await page.click("[data-tool=push]");
    await send({ do: "play", playing: true });
    const { vertex } = await extreme(0.5, 0.6, 0.6);
    const at = await studio<{ x: number; y: number }>(`s.vertexOnPage(0, 0, ${vertex})`);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 150, at.y - 60, { steps: 6 });
    await page.waitForTimeout(5000);
    await picture("push");
    await page.mouse.up();
    await page.click("[data-tool=grab]");
  },
  async modes() {
    await fresh("bar");
    await panel("modes");
    await page.click("[data-mode='2']");
    await page.waitForTimeout(700);
    await picture("modes");
    await page.click("[data-mode='2']");
  },
  async compare() {
    await fresh("bar");
    await panel("compare");
    await send({ do: "lanes", methods: ["linear-modal", "modal-warping", "corotational"], truth: 2 });
    await until(page, "s.state.lanes.length === 3", 60000);
    await send({ do: "play", playing: true });
    await hold(1, [1, 1, 1], [-0.35, 0.45, 0]);
    await page.waitForTimeout(6000);
    await picture("compare");
    await page.click("text=Overlaid");
    await page.waitForTimeout(1500);
    await picture("overlaid");
    await page.click("text=Side by side");
    await send({ do: "lanes", methods: ["modal-warping"], truth: 0 });
    await until(page, "s.state.lanes.length === 1", 60000);
  },
  async poses() {
    await fresh("bar");
    await panel("poses");
    for (const [index, by] of ([[-0.1, 0.3, 0], [-0.3, -0.4, 0.2], [-0.1, 0.1, -0.5]] as const).entries()) {
      await hold(1, [1, 1, 1], [...by]);
      await steps(90);
      await page.click("[data-test=pose-add]");
      await until(page, `s.state.interpolation.poses.length === ${index + 1}`);
    }
    await until(page, "s.state.interpolation.obstacle === ''", 60000);
    await send({ do: "release_all" });
    await send({ do: "curves", frequency: { at: [0, 0.5, 1], value: [0, 0.35, -0.3] },
      damping: { at: [0, 0.6, 1], value: [-0.8, -0.5, 0.6] }, weight: { at: [0, 1], value: [0.3, 0.3] } });
    await send({ do: "scrub", time: 0.55 });
    await until(page, "s.state.interpolation.active");
    await page.waitForTimeout(1500);
    await picture("poses");
    await send({ do: "interpolation", active: false, looping: true, modes: 40 });
  },
  async gallery() {
    await fresh("elephant");
    await panel("body");
    await page.click("text=Gallery");
    await page.waitForFunction(() => {
      const shown = [...document.querySelectorAll<HTMLImageElement>("img.card-picture")].slice(0, 6);
      return shown.length === 6 && shown.every((image) => image.complete && image.naturalWidth > 0);
    });
    await picture("gallery");
    await page.keyboard.press("Escape");
  },
  async keys() {
    await page.keyboard.press("?");
    await picture("keys");
    await page.keyboard.press("Escape");
  },
};

mkdirSync(IMAGES, { recursive: true });
const wanted = process.argv.slice(2).filter((name) => name in PICTURES);
try {
  for (const [name, make] of Object.entries(PICTURES)) {
    if (wanted.length === 0 || wanted.includes(name)) await make();
  }
} finally {
  await browser.close();
  await server.stop();
}

// What once went wrong in the studio's page, done again as a person does it.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dropMesh, openBrowser, PATIENCE, shot, until, untilMoving, type Browser } from "./browser";
import { cubes, headOnAStalk } from "./meshes";
import { sceneFile, startStudio, type StudioServer } from "./server";

let server: StudioServer;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  server = await startStudio();
  browser = await openBrowser(1000, 640);
  page = await browser.newPage(server.address);
  page.on("pageerror", (error) => complaints.push(error.message));
  await untilMoving(page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const evaluate = <T>(code: string) => page.evaluate(`(() => { const s = window.limber.studio; return ${code}; })()`) as Promise<T>;

describe("a method that cannot go on", () => {
  it("says so on its lane, ends its curves and offers another", async () => {
    await evaluate("s.send({ do: 'lanes', methods: ['modal-warping', 'stvk'], truth: 1 })");
    await page.click("[data-panel=compare]");
    await until(page, "s.state.faults.some((fault) => fault.lane === 1)");
    await page.waitForSelector("[data-lane='1'] [data-test=fault]");
    expect(await page.textContent("[data-test=fault]")).toMatch(/Stopped at \d+\.\d\d s.*tet \d+/);
    expect(await page.locator("[data-lane='0'] [data-test=fault]").count(), "the other one plays on").toBe(0);
    await until(page, "s.newest.instances.length === 2 && s.newest.instances.every((i) => Number.isNaN(i.error))");
    expect(await evaluate("Number.isNaN(s.newest.instances[1].volumeRatio)")).toBe(true);
    await page.waitForSelector("[data-test=truth-stopped]:not([hidden])");
    await shot(page, "fault");
    await page.click("[data-test=go-on]");
    await until(page, "s.state.lanes[1] === 'neo-hookean' && s.state.faults.length === 0");
    await until(page, "s.newest.instances[0].error > 0");
    await page.waitForSelector("[data-test=fault]", { state: "detached" });
  });
});

describe("methods beside each other", () => {
  it("stay away when they are removed faster than lanes are made", async () => {
    await evaluate("s.send({ do: 'lanes', methods: ['modal-warping', 'linear-modal', 'corotational'], truth: 0 })");
    await until(page, "s.state.lanes.length === 3 && s.state.wanted_lanes.length === 3");
    // Both clicks within one turn of the page: no answer of the server comes between.
    await evaluate(`[0, 1].forEach(() => [...document.querySelectorAll('[data-test=remove-lane]')].at(-1).click())`);
    await until(page, "s.state.lanes.join() === 'modal-warping' && s.state.wanted_lanes.join() === 'modal-warping'");
    expect(await page.locator("[data-test=remove-lane]").count()).toBe(1);
  });
});

describe("the curves of the poses", () => {
  it("are drawn from the start, and dragged", async () => {
    await page.click("[data-panel=poses]");
    for (const count of [1, 2]) {
      await page.click("[data-test=pose-add]");
      await until(page, `s.state.interpolation.poses.length === ${count}`);
    }
    await until(page, "s.state.interpolation.obstacle === ''"); // its words are gone: nothing moves under the pointer
    const drawn = await evaluate<number[]>(`[...document.querySelectorAll('.curve-figure polyline')].map((l) =>
      (l.getAttribute('points') ?? '').split(' ').length)`);
    expect(drawn).toEqual([65, 65, 65, 65]); // frequency, damping, weight, share
    const point = page.locator(".curve-figure .curve-point").first();
    await point.scrollIntoViewIfNeeded();
    const box = (await point.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y - 20, { steps: 4 });
    await page.mouse.up();
    await until(page, "s.state.interpolation.frequency.value[0] > 0.2");
    await shot(page, "curves");
    await page.click("[data-panel=body]");
  });
});

describe("words over the picture", () => {
  it("say that a file is too large, and leave the transport free", async () => {
    await evaluate(`(() => {
      const file = new File(["v 0 0 0"], "huge.obj");
      Object.defineProperty(file, "size", { value: 300 * 1024 * 1024 });
      const data = new DataTransfer();
      const event = new DragEvent("drop", { dataTransfer: data, bubbles: true });
      Object.defineProperty(event, "dataTransfer", { value: { files: [file] } });
      document.querySelector("#studio").dispatchEvent(event);
    })()`);
    await page.waitForSelector("[data-test=error]");
    expect(await page.textContent("[data-test=error]")).toContain("huge.obj has 300 MB; the studio takes files up to 256 MB");
    expect(await overlap(".message.error", ".transport")).toBe(false);
    await page.click("[data-test=error] button");
  });

  it("say that the scene is on its way while it is", async () => {
    const other = await browser.context.newPage();
    other.setDefaultTimeout(PATIENCE);
    let arrive = () => undefined as void;
    const held = new Promise<void>((resolve) => (arrive = resolve));
    await other.route("**/model*", async (route) => {
      await held;
      await route.continue();
    });
    await other.goto(server.address);
    await until(other, "s.connection === 'open' && s.state !== undefined");
    expect(await other.textContent(".link")).toBe("Loading…");
    expect(await other.isVisible(".loading")).toBe(true);
    arrive();
    await untilMoving(other);
    await other.waitForSelector(".loading", { state: "hidden" });
    expect(await other.textContent(".link")).toBe("Connected");
    await other.close();
  });
});

describe("the camera", () => {
  it("does not go under the floor", async () => {
    for (let i = 0; i < 3; ++i) {
      await page.mouse.move(110, 545); // beside the tools and above the transport
      await page.mouse.down();
      await page.mouse.move(110, 60, { steps: 6 }); // up: the eye goes down
      await page.mouse.up();
    }
    await until(page, "s.stage.camera.position.y - s.stage.floor.position.y < 0.5 * s.bodies.loaded.bodies[0].size");
    expect(await evaluate<number>("s.stage.camera.position.y - s.stage.floor.position.y")).toBeGreaterThan(0);
    await page.keyboard.press("f");
  });
});

describe("a phone", () => {
  it.each([["upright", 390, 844], ["on its side", 844, 390]] as const)("shows all controls %s", async (name, width, height) => {
    const phone = await browser.context.newPage();
    phone.setDefaultTimeout(PATIENCE);
    await phone.setViewportSize({ width, height });
    await phone.goto(server.address);
    await untilMoving(phone);
    for (const selector of [".rail", ".transport", "header.bar", ".side", ".tabs"]) {
      const box = (await phone.locator(selector).boundingBox())!;
      expect([box.x >= 0, box.y >= 0, box.x + box.width <= width + 1, box.y + box.height <= height + 1], selector)
        .toEqual([true, true, true, true]);
      // Nor is anything cut off inside.
      expect(await phone.locator(selector).evaluate((e) => e.scrollWidth - e.clientWidth), selector).toBeLessThanOrEqual(0);
    }
    const stage = (await phone.locator(".stage").boundingBox())!;
    const rail = (await phone.locator(".rail").boundingBox())!;
    const transport = (await phone.locator(".transport").boundingBox())!;
    expect(rail.y + rail.height, "the tools end inside the picture").toBeLessThanOrEqual(stage.y + stage.height);
    expect(rail.y + rail.height <= transport.y || rail.x + rail.width <= transport.x, "and beside the transport").toBe(true);
    await shot(phone, `phone-${width}`);
    expect(name).not.toBe("");
    await phone.close();
  });
});

describe("a mesh on a thin leg", () => {
  it("stands at the stiffness that is chosen for it", async () => {
    const leg = await startStudio(sceneFile("bar.json"));
    try {
      const other = await browser.newPage(leg.address);
      await untilMoving(other);
      await dropMesh(other, "stalk.mesh", cubes(headOnAStalk(), 0.2));
      await until(other, "s.state.title === 'stalk.mesh' && s.bodies.loaded.bodies[0].name === 'stalk'");
      await until(other, "s.newest.generation === s.state.generation && s.newest.time > 1");
      // It leans and swings by some percent of its height and no more.
      const top = `s.bodies.vertexInWorld(0, 0, (() => { const p = s.bodies.loaded.bodies[0].restPositions;
        let v = 0; for (let i = 0; i < p.length / 3; ++i) if (p[3 * i + 1] > p[3 * v + 1]) v = i; return v; })()).y`;
      expect(await other.evaluate(`(() => { const s = window.limber.studio; return ${top}; })()`)).toBeGreaterThan(1.2);
      await other.close();
    } finally {
      await leg.stop();
    }
  });
});

it("complained of nothing", () => expect(complaints).toEqual([]));

async function overlap(one: string, two: string): Promise<boolean> {
  const [a, b] = [(await page.locator(one).boundingBox())!, (await page.locator(two).boundingBox())!];
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

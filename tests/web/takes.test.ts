// Takes: recorded, listed, cut, replayed, scrubbed, saved; pictures of any size.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shot, until, untilMoving, type Browser } from "./browser";
import { sceneFile, startStudio, startStudioAlone, type StudioServer } from "./server";

let server: StudioServer;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  server = await startStudio(sceneFile("bar.json"));
  browser = await openBrowser(1100, 720);
  page = await browser.newPage(server.address);
  page.on("pageerror", (error) => complaints.push(error.message));
  await untilMoving(page);
  await page.click("[data-panel=takes]");
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const evaluate = <T>(code: string) => page.evaluate(`(() => { const s = window.limber.studio; return ${code}; })()`) as Promise<T>;

async function record(seconds: number): Promise<void> {
  const count = await evaluate<number>("s.state.takes.length");
  await page.click("[data-test=take-record]");
  await until(page, "s.state.recording");
  const start = await evaluate<number>("s.newest.time");
  await until(page, `s.newest.time > ${start} + ${seconds}`);
  await page.click("[data-test=take-record]");
  await until(page, `!s.state.recording && s.state.takes.length === ${count} + 1`);
}

describe("takes", () => {
  it("are listed as they are recorded, each of its own", async () => {
    await record(0.6);
    await record(0.3);
    expect(await evaluate("s.state.takes.map((t) => t.name).join()")).toBe("Take 1,Take 2");
    const [first, second] = await evaluate<number[]>("s.state.takes.map((t) => t.duration)");
    expect(first).toBeGreaterThan(0.5);
    expect(second).toBeGreaterThan(0.2);
  });

  it("are replayed, scrubbed and looped while the simulation waits", async () => {
    await page.click("[data-take='1'] .name");
    await until(page, "s.state.take === 1 && s.newest.instances[0].kind === 'positions'");
    const time = await evaluate<number>("s.state.time");
    await page.locator("[data-test=take-scrub]").fill("0.25");
    await until(page, "!s.state.playing && Math.abs(s.state.take_time - 0.25) < 1e-9");
    const shape = await evaluate<number>("s.newest.instances[0].values[4]");
    await page.locator("[data-test=take-scrub]").fill("0.05");
    await until(page, "Math.abs(s.newest.time - 0.05) < 1e-9");
    await page.locator("[data-test=take-scrub]").fill("0.25");
    await until(page, "Math.abs(s.newest.time - 0.25) < 1e-9");
    expect(await evaluate<number>("s.newest.instances[0].values[4]"), "the same to the bit").toBe(shape);
    await shot(page, "takes-replay");
    await page.uncheck("[data-test=take-loop]");
    await page.keyboard.press("Tab");
    await page.locator(".picture").focus();
    await page.keyboard.press(" ");
    await until(page, "!s.state.playing && s.state.take_time > 0.5"); // it ends at the end
    expect(await evaluate<number>("s.state.time"), "the simulation stood still").toBe(time);
  });

  it("are cut and named, and that is undone", async () => {
    await page.fill("[data-test=take-name]", "Swing");
    await page.fill("[data-test=take-from]", "0.1");
    await page.fill("[data-test=take-to]", "0.3");
    await page.keyboard.press("Enter");
    await until(page, "s.state.takes[0].name === 'Swing' && Math.abs(s.state.takes[0].to - 0.3) < 0.01");
    await page.locator(".picture").focus();
    await page.keyboard.press("Control+z");
    await until(page, "s.state.takes[0].name === 'Take 1' && s.state.takes[0].from === 0");
    await page.keyboard.press("Control+Shift+Z");
    await until(page, "s.state.takes[0].name === 'Swing'");
  });

  it("are saved as what was chosen of them", async () => {
    const frames = async () => {
      const [got] = await Promise.all([page.waitForEvent("download"), page.click("text='.pc2'")]);
      return readFileSync((await got.path())!).readInt32LE(28); // of the header: so many samples
    };
    const cut = await frames();
    expect(cut).toBeGreaterThan(10); // 0.1 s to 0.3 s at 60 a second
    expect(cut).toBeLessThan(16);
    await page.click("[data-take='2'] .name");
    await until(page, "s.state.take === 2");
    expect(await frames()).toBeGreaterThan(cut);
  });

  it("become films by the renderer, with progress, and are called off", async () => {
    await page.fill("[data-test=take-from]", "0");
    await page.fill("[data-test=take-to]", "0.1"); // three pictures
    await page.keyboard.press("Enter");
    await until(page, "(([t]) => t.to - t.from < 0.12)(s.state.takes.filter((t) => t.id === s.state.take))");
    await page.selectOption("[data-test=film-fine] select", "Draft");
    await page.selectOption("[data-test=film-rate] select", "24");
    const [got] = await Promise.all([page.waitForEvent("download"), page.click("[data-test=film]")]);
    expect(got.suggestedFilename()).toBe("film.mp4");
    const film = readFileSync((await got.path())!);
    expect(film.subarray(4, 8).toString("latin1"), "MPEG-4").toBe("ftyp");
    expect(await page.textContent("[data-test=film-words]")).toMatch(/is filmed/);
    // 24 pictures a second of what was recorded, the first and the last included.
    const [total, duration] = await evaluate<[number, number]>("[s.state.film.total, (([t]) => t.to - t.from)(s.state.takes.filter((t) => t.id === s.state.take))]");
    expect(total).toBe(1 + Math.floor(24 * duration + 1e-6));
    await page.locator("[data-test=film-words]").scrollIntoViewIfNeeded();
    await shot(page, "takes-film");
    // A large one is called off long before it is done.
    await page.selectOption("[data-test=film-size] select", "1920 × 1080");
    await page.selectOption("[data-test=film-fine] select", "Finest");
    await page.click("[data-test=film]");
    await until(page, "s.state.film.running");
    await page.click("[data-test=film-cancel]");
    await until(page, "!s.state.film.running && !s.state.film.ready && s.state.film.error === ''");
  });

  it("are deleted, and the simulation comes back", async () => {
    await page.click("[data-take='2'] [data-test=take-delete]");
    await until(page, "s.state.takes.length === 1 && s.state.take === 0");
    await page.click("[data-take='1'] .name");
    await until(page, "s.state.take === 1");
    await page.click("[data-test=take-back]");
    await until(page, "s.state.take === 0 && s.newest.instances[0].kind !== 'positions'");
  });
});

describe("a picture", () => {
  it("has the size that was typed", async () => {
    await page.fill("[data-test=picture-width]", "900");
    await page.fill("[data-test=picture-height]", "300");
    const [got] = await Promise.all([page.waitForEvent("download"), page.click("[data-test=picture]")]);
    const bytes = readFileSync((await got.path())!);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([900, 300]); // of PNG's header
    await page.fill("[data-test=picture-width]", "9");
    await page.click("[data-test=picture]");
    await page.waitForSelector("[data-test=picture-width].wrong");
    // The page's own picture is as it was.
    await until(page, "s.stage.canvas.width === Math.round(s.stage.canvas.clientWidth * s.stage.renderer.getPixelRatio())");
  });
});

it("a film without ffmpeg is refused in words that help", async () => {
  const alone = await startStudioAlone(sceneFile("bar.json"));
  const bare = await browser.newPage(alone.address);
  await untilMoving(bare);
  await bare.click("[data-panel=takes]");
  await bare.click("[data-test=take-record]");
  await until(bare, "s.state.recording && s.state.recorded_frames > 0 || s.newest.time > 1");
  await bare.click("[data-test=take-record]");
  await until(bare, "s.state.takes.length === 1");
  await bare.click("[data-take='1'] .name");
  await until(bare, "s.state.take === 1");
  await bare.click("[data-test=film]");
  await bare.waitForSelector("text=/a film needs ffmpeg, which is not installed .*apt-get install ffmpeg/");
  await bare.close();
  await alone.stop();
});

it("complained of nothing", () => expect(complaints).toEqual([]));

// Somebody who presses everything, in an order that a seed gives. LIMBER_MONKEY_SECONDS lets it go on
// longer, LIMBER_MONKEY_SEED begins elsewhere.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, shot, until, untilMoving, type Browser } from "./browser";
import { sceneFile, startStudio, type StudioServer } from "./server";

const SECONDS = Number(process.env["LIMBER_MONKEY_SECONDS"] ?? 20);
const SEED = Number(process.env["LIMBER_MONKEY_SEED"] ?? 1);
/** Of the server's memory, MB: takes, history and the allocator's own ways. */
const GROWTH = 700;

let server: StudioServer;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  server = await startStudio(sceneFile("bar.json"));
  browser = await openBrowser(1000, 700);
  page = await browser.newPage(server.address);
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("requestfailed", (request) => {
    // Downloads end as "aborted" for the page; a model that another one has overtaken may too.
    if (!/download|model/.test(request.url())) complaints.push(`${request.url()} failed`);
  });
  await untilMoving(page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Park and Miller's minimal standard. */
function randomBy(seed: number): () => number {
  let state = (seed % 2147483646) + 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

it(`survives ${SECONDS} seconds of seed ${SEED}`, async () => {
  const random = randomBy(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const before = server.usage().megabytes;
  const done: string[] = [];
  const keys = ["1", "2", "3", "4", "5", "6", " ", ".", "r", "f", "x", "y", "z", "o", "p", "Delete", "?", "Escape",
    "Control+z", "Control+z", "Control+Shift+Z", "Control+k", "Escape", "g", "Escape"];
  const end = Date.now() + 1000 * SECONDS;
  const act = async () => {
    const chance = random();
    if (chance < 0.35) {
      // A control that is there, whichever: none that waits for a file or leaves the page.
      const number = Math.floor(random() * 1e6);
      done.push(`click ${await page.evaluate(`(() => {
        const all = [...document.querySelectorAll("button, input[type=checkbox], select")].filter((e) =>
          e.offsetParent !== null && !e.disabled && !/^(Open|From a file|Your own)/.test(e.textContent.trim()) &&
          !e.classList.contains("card-own") && e.closest(".save") === null && !/^\\.(glb|usda|mdd|pc2)$/.test(e.textContent));
        const chosen = all[${number} % all.length];
        if (chosen === undefined) return "nothing";
        if (chosen.tagName === "SELECT") {
          chosen.selectedIndex = ${number} % chosen.options.length;
          chosen.dispatchEvent(new Event("change"));
        } else chosen.click();
        return (chosen.getAttribute("aria-label") ?? chosen.textContent).slice(0, 40);
      })()`)}`);
    } else if (chance < 0.5) {
      const [number, part] = [Math.floor(random() * 1e6), random()];
      done.push("slide");
      await page.evaluate(`(() => {
        const all = [...document.querySelectorAll("input[type=range]")].filter((e) => e.offsetParent !== null);
        const chosen = all[${number} % Math.max(1, all.length)];
        if (chosen === undefined) return;
        chosen.value = String(Number(chosen.min || 0) + ${part} * (Number(chosen.max) - Number(chosen.min || 0)));
        chosen.dispatchEvent(new Event("input"));
        chosen.dispatchEvent(new Event("change"));
      })()`);
    } else if (chance < 0.75) {
      const key = pick(keys);
      done.push(key);
      await page.keyboard.press(key);
    } else {
      done.push("drag");
      await page.mouse.move(120 + 500 * random(), 80 + 500 * random());
      await page.mouse.down();
      await page.mouse.move(120 + 500 * random(), 80 + 500 * random(), { steps: 4 });
      await page.mouse.up();
    }
  };
  while (Date.now() < end) await act();
  for (let i = 0; i < 3; ++i) await page.keyboard.press("Escape");
  // It still answers: frames arrive, and nothing was lost.
  await page.evaluate("window.limber.studio.send({ do: 'take_show', id: 0, looping: true })");
  await page.evaluate("window.limber.studio.send({ do: 'play', playing: true })");
  const frames = await page.evaluate("window.limber.studio.frames") as number;
  await until(page, `s.connection === 'open' && s.frames > ${frames} + 3 && s.state.bodies.length > 0`);
  await shot(page, "monkey");
  expect(complaints, done.slice(-30).join(", ")).toEqual([]);
  expect(server.usage().megabytes).toBeLessThan(before + GROWTH);
  expect(done.length).toBeGreaterThan(SECONDS / 2);
});

// A study in a browser, by participants who follow a script and a known preference: the answers on disk are
// theirs, the analysis finds the preference again, and nothing is lost when the page is closed half-way.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shot, type Browser } from "./browser";
import { PROGRAM, sceneFile, startStudy, type StudioServer } from "./server";

const folder = mkdtempSync(join(tmpdir(), "limber-study-"));
const out = join(folder, "answers");

const model = { name: "model", levels: [
  { name: "global", set: { body: { method: "modal-warping", local: null } } },
  { name: "global-local", set: { body: { method: "global-local", local: { mode: "rings", rings: 1 } } } }] };
const cannon = { balls: 3, first: 0.2, every: 0.5, speed: 3, distance: 0.5, direction: 0, aim: [0, 0.4, 0] };
const stimulus = { scene: sceneFile("garcia-cylinder.json"), duration: 1.8, body: { modes: 4 }, cannon,
  camera: { eye: [0, 0.6, 1.6], target: [0, 0.3, 0] } };
const stiffness = { name: "stiffness", levels: [
  { name: "soft", text: "It is soft.", set: { body: { material: { young: 2e4 } } } },
  { name: "stiff", text: "It is stiff.", set: { body: { material: { young: 8e4 } } } }] };
const quality = { name: "modes", levels: [
  { name: "4", set: { body: { modes: 4 } } }, { name: "10", set: { body: { modes: 10 } } }] };
const common = { text: "Look closely.", question: "Which one?" };
const plan = { limber_study: 1, title: "A small study", seed: 5, consent: ["You may stop at any time."],
  questions: [{ name: "age", text: "Your age", type: "number", least: 18, most: 99 }],
  experiments: [
    { name: "game", kind: "play-pairs", ...common, repeats: 1, compare: [model],
      stimulus: { ...stimulus, duration: 1.2, hand: { stiffness: 400 } } },
    { name: "pairs", kind: "film-pairs", ...common, repeats: 2, show: "together", compare: [model], conditions: [stiffness],
      stimulus: { ...stimulus, duration: 0.5 } },
    { name: "ranks", kind: "rank", ...common, compare: [model, quality], stimulus: { ...stimulus, duration: 1 } },
    { name: "clicks", kind: "contacts", ...common, window: [0, 0.6], conditions: [model], stimulus },
  ] };

let server: StudioServer;
let browser: Browser;
const complaints: string[] = [];

const file = (participant: number) => join(out, "participants", `${String(participant).padStart(4, "0")}.json`);
interface Trial { experiment: string; shown: string[][]; answer: Record<string, never> | null }
const record = (participant: number) => JSON.parse(readFileSync(file(participant), "utf8")) as
  { questions: Record<string, unknown>; trials: Trial[] };
const openTrial = (participant: number) => record(participant).trials.find((trial) => trial.answer === null)!;
const answered = (participant: number) => record(participant).trials.filter((trial) => trial.answer !== null).length;
const screen = (page: Page, name: string) => page.waitForSelector(`[data-screen=${name}]`);
const anyOf = async (page: Page, ...names: string[]) =>
  (await page.waitForSelector(names.map((name) => `[data-screen=${name}]`).join())).getAttribute("data-screen");

async function newParticipant(): Promise<Page> {
  const page = await browser.newPage(server.address);
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await screen(page, "consent");
  return page;
}

async function enter(page: Page, age: number): Promise<void> {
  await page.check("[data-test=agree]");
  await page.click("[data-test=begin]");
  await screen(page, "questions");
  await page.fill("#q-age", String(age));
  await page.click("[data-test=send]");
}

/** The place of what this participant likes. */
const place = (trial: Trial, wanted: string) => trial.shown.findIndex((one) => one[0] === wanted) + 1;

async function playPair(page: Page, participant: number, wanted: string, pull: boolean): Promise<void> {
  for (let game = 0; game < 2; ++game) {
    await screen(page, "ready");
    await page.click("[data-test=start]");
    await screen(page, "game");
    if (pull) await page.keyboard.down("ArrowRight");
    await anyOf(page, "ready", "question");
    if (pull) await page.keyboard.up("ArrowRight");
  }
  await page.keyboard.press(String(place(openTrial(participant), wanted)));
}

async function watchPairs(page: Page, participant: number, wanted: string, trials: number): Promise<void> {
  for (let k = 0; k < trials; ++k) {
    await screen(page, "ready");
    await page.click("[data-test=start]");
    await screen(page, "question");
    const before = answered(participant);
    await page.click(`[data-test=choice-${place(openTrial(participant), wanted)}]`);
    await expect.poll(() => answered(participant), { timeout: 60000 }).toBe(before + 1);
  }
}

async function rankFilms(page: Page, participant: number): Promise<void> {
  await screen(page, "ready");
  await page.click("[data-test=start]");
  await screen(page, "rank");
  const { shown } = openTrial(participant);
  const worth = (one: string[]) => (one[0] === "global-local" ? 2 : 0) + (one[1] === "10" ? 1 : 0);
  const order = shown.map((one, k) => ({ letter: "abcd"[k]!, worth: worth(one) })).sort((a, b) => b.worth - a.worth);
  await page.keyboard.press(order[1]!.letter); // a slip, taken back
  await page.keyboard.press("Backspace");
  for (const { letter } of order) await page.keyboard.press(letter);
  await shot(page, "study-rank");
  await page.click("[data-test=rank-done]");
}

/** Clicks a moment after each contact of the film, and once when there is none. */
async function clickFilm(page: Page): Promise<void> {
  await screen(page, "ready");
  await page.click("[data-test=start]");
  await screen(page, "contacts");
  const time = () => page.evaluate(() => (window as unknown as { limberStudy: { filmTime: number } }).limberStudy.filmTime);
  while ((await time()) >= 0 && (await time()) < 0.05) await page.waitForTimeout(5);
  await page.keyboard.press(" "); // before anything could touch: a false alarm
}

beforeAll(async () => {
  writeFileSync(join(folder, "plan.json"), JSON.stringify(plan));
  server = await startStudy(join(folder, "plan.json"), "--out", out);
  browser = await openBrowser(900, 720);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe("a participant", () => {
  it("consents, tells about herself, and is refused a wrong age", async () => {
    const page = await newParticipant();
    expect(await page.isDisabled("[data-test=begin]")).toBe(true);
    await shot(page, "study-consent");
    await page.evaluate(axe.source);
    const found = await page.evaluate("axe.run(document, { runOnly: ['wcag2a', 'wcag2aa'] })") as { violations: { id: string }[] };
    expect(found.violations.map((one) => one.id)).toEqual([]);
    await page.check("[data-test=agree]");
    await page.click("[data-test=begin]");
    await screen(page, "questions");
    await page.evaluate(() => document.querySelector<HTMLInputElement>("#q-age")!.form!.setAttribute("novalidate", ""));
    await page.fill("#q-age", "7");
    await page.click("[data-test=send]");
    await expect.poll(() => page.textContent(".complaint")).toContain("18 to 99");
    await page.fill("#q-age", "33");
    await page.click("[data-test=send]");
    await screen(page, "ready");
    expect(record(1).questions).toEqual({ age: 33 });
    await page.close();
  });

  it("goes on where she was after closing the page, and plays, watches, ranks and clicks", async () => {
    const page = await browser.newPage(server.address); // the same browser: the same person
    page.on("pageerror", (error) => complaints.push(error.message));
    await playPair(page, 1, "global-local", true);
    await screen(page, "ready");
    expect(answered(1)).toBe(1);
    const game = record(1).trials[0]!.answer as unknown as { hits: number[]; hands: number[][][]; chosen: string[] };
    expect(game.chosen).toEqual(["global-local"]);
    expect(game.hands[0]!.length).toBeGreaterThan(1);
    expect(game.hands[0]!.at(-1)![2]!, "the arrow key pulls to the right").toBeGreaterThan(0.02);
    await watchPairs(page, 1, "global-local", 4);
    await rankFilms(page, 1);
    await expect.poll(() => answered(1), { timeout: 60000 }).toBe(6);
    const ranks = record(1).trials[5]! as unknown as { shown: string[][]; answer: { ranking: number[] } };
    expect(ranks.answer.ranking.map((k) => ranks.shown[k - 1]!.join("+")))
      .toEqual(["global-local+10", "global-local+4", "global+10", "global+4"]);
    for (let film = 0; film < 2; ++film) {
      await clickFilm(page);
      await expect.poll(() => answered(1), { timeout: 60000 }).toBe(7 + film);
      const click = record(1).trials[6 + film]!.answer as unknown as
        { clicks: number[]; contacts: number[]; seen: number; false_alarms: number[] };
      expect(click.clicks).toHaveLength(1);
      expect(click.contacts.length, "the balls hit").toBeGreaterThanOrEqual(2);
      expect(click.seen + click.false_alarms.length).toBe(1);
    }
    await screen(page, "done");
    await page.close();
  });
});

describe("the server", () => {
  it("shows both models the same shots", () => {
    const trials = record(1).trials as unknown as { experiment: string; shots: number; condition: string[] }[];
    const clicks = trials.filter((trial) => trial.experiment === "clicks");
    expect(clicks[0]!.shots).toBe(clicks[1]!.shots);
    expect(clicks[0]!.condition).not.toEqual(clicks[1]!.condition);
  });

  it("refuses answers out of turn and from elsewhere", async () => {
    const ask = (path: string, init?: RequestInit) => fetch(new URL(path, server.address), init);
    expect((await ask("api/answer?key=nobody", { method: "POST", body: '{"trial":0,"choice":1,"seconds":1}' })).status).toBe(409);
    expect((await ask("api/answer?key=nobody", { method: "POST", body: "{" })).status).toBe(400);
    expect((await ask("api/film/../plan.json")).status).toBe(404);
    expect((await ask("api/begin", { method: "POST", body: '{"consent":true}', headers: { Origin: "http://elsewhere.org" } })).status).toBe(403);
    expect((await ask("api/begin", { method: "POST", body: '{"consent":false}' })).status).toBe(400);
  });
});

/** Speaks to the server as the page does, for participants in number. */
async function scripted(likes: (trial: Trial) => number): Promise<void> {
  const ask = async (path: string, sent?: unknown) => (await fetch(new URL(path, server.address), sent === undefined ? {} :
    { method: "POST", body: JSON.stringify(sent) })).json() as Promise<Record<string, never>>;
  const { key } = await ask("api/begin", { consent: true });
  const number = readdirSync(join(out, "participants")).length;
  await ask(`api/questions?key=${key}`, { age: 40 });
  for (const [k, trial] of record(number).trials.entries()) {
    if (trial.experiment === "game") {
      for (const at of [1, 2]) {
        await fetch(new URL(`api/game?key=${key}`, server.address), { method: "POST", body: JSON.stringify({ trial: k, place: at }) });
        for (let over = false; !over;) {
          const bytes = await (await fetch(new URL(`api/game/step?key=${key}`, server.address), { method: "POST",
            body: JSON.stringify({ pictures: 8, pull: null }) })).arrayBuffer();
          over = new Float32Array(bytes)[2]! > 0;
        }
      }
    }
    const sent = trial.experiment === "ranks"
      ? { ranking: trial.shown.map((one, i) => ({ i: i + 1, v: (one[0] === "global-local" ? 1 : 0) + Math.random() * 2 }))
        .sort((a, b) => b.v - a.v).map((one) => one.i) }
      : trial.experiment === "clicks" ? { clicks: [0.5] } : { choice: likes(trial) };
    await ask(`api/answer?key=${key}`, { trial: k, seconds: 1, ...sent });
  }
}

it("finds the preference of scripted participants again", async () => {
  // Four of five like local detail: everybody answers four pairs, three or four of them so.
  for (let person = 0; person < 11; ++person) {
    let pairs = 0;
    await scripted((trial) => {
      const local = place(trial, "global-local");
      return trial.experiment === "pairs" && pairs++ === person % 4 && person % 5 !== 0 ? 3 - local : local;
    });
  }
  execFileSync(PROGRAM, ["study", "--analyse", out, "-o", join(folder, "analysis")]);
  const { experiments } = JSON.parse(readFileSync(join(folder, "analysis", "analysis.json"), "utf8")) as
    { experiments: { experiment: string; participants: number; reliable: boolean; estimates: { name: string; value: number; standard_error: number; p: number }[];
      intervals: { text: string; value: number; low: number; high: number }[] }[] };
  const pairs = experiments.find((one) => one.experiment === "pairs")!;
  expect(pairs.participants).toBe(12);
  expect(pairs.intervals[0]!.text).toContain("40 of 48"); // 8 of 11 chose otherwise once
  expect(pairs.reliable).toBe(true);
  const all = pairs.estimates.find((one) => one.name === "all")!;
  const truth = Math.log(40 / 8);
  expect(Math.abs(all.value - truth)).toBeLessThan(2 * all.standard_error);
  expect(all.p).toBeLessThan(0.01);
  expect(pairs.intervals[0]!.low).toBeGreaterThan(0.5);
  expect(readdirSync(join(folder, "analysis"))).toEqual(expect.arrayContaining(["pairs.svg", "pairs.png", "README.md"]));
});

it("keeps all answers over a restart", async () => {
  await server.stop();
  const rows = () => readFileSync(join(out, "pairs.csv"), "utf8").trim().split("\n").length;
  expect(rows()).toBe(1 + 48);
  server = await startStudy(join(folder, "plan.json"), "--out", out);
  const page = await newParticipant();
  await enter(page, 50);
  await screen(page, "ready");
  expect(record(13).questions).toEqual({ age: 50 });
  await page.close();
});

it("complained of nothing", () => expect(complaints).toEqual([]));

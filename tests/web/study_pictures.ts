// The pictures of docs/study.md: npm run pictures:study
// Four films of the plan of experiment 3 on the page, and the chart of made-up participants of experiment 2, of whom 72 %
// choose local detail (the share that the paper found) and each has a bias of their own.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openBrowser } from "./browser";
import { PROGRAM, startStudy } from "./server";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const IMAGES = join(ROOT, "docs", "images");
const plan = (name: string) => join(ROOT, "examples", "study", `${name}.json`);
const folder = mkdtempSync(join(tmpdir(), "limber-study-pictures-"));

async function rankScreen(): Promise<void> {
  const server = await startStudy(plan("garcia-3-material"), "--out", join(folder, "ranks"));
  const browser = await openBrowser(1100, 860);
  const page = await browser.newPage(server.address);
  await page.check("[data-test=agree]");
  await page.click("[data-test=begin]");
  await page.fill("#q-age", "30");
  await page.selectOption("#q-gender", "other");
  await page.selectOption("#q-games", "never");
  await page.click("[data-test=send]");
  await page.click("[data-test=start]");
  await page.waitForSelector("[data-screen=rank]");
  await page.keyboard.press("c");
  await page.keyboard.press("a");
  for (;;) {
    const time = await page.evaluate("window.limberStudy.filmTime") as number;
    if (time > 2.2 && time < 3.2) break;
    await page.waitForTimeout(50);
  }
  await page.screenshot({ path: join(IMAGES, "study.png"), timeout: 240000 });
  await browser.close();
  await server.stop();
}

async function chart(): Promise<void> {
  const out = join(folder, "pairs");
  const server = await startStudy(plan("garcia-2-passive"), "--out", out);
  const ask = async (path: string, sent: unknown) => (await fetch(new URL(path, server.address),
    { method: "POST", body: JSON.stringify(sent) })).json() as Promise<{ key: string }>;
  let state = 12345;
  const random = () => ((state = (1103515245 * state + 12345) % 2147483648) / 2147483648);
  for (let person = 1; person <= 16; ++person) {
    const { key } = await ask("api/begin", { consent: true });
    await ask(`api/questions?key=${key}`, { age: 30, gender: "other", games: "never" });
    const file = readdirSync(join(out, "participants")).sort().at(-1)!;
    const { trials } = JSON.parse(readFileSync(join(out, "participants", file), "utf8")) as { trials: { shown: string[][] }[] };
    const share = 0.72 + 0.3 * (random() - 0.5);
    for (const [trial, { shown }] of trials.entries()) {
      const local = shown.findIndex((one) => one[0] === "global-local") + 1;
      await ask(`api/answer?key=${key}`, { trial, choice: random() < share ? local : 3 - local, seconds: 2 });
    }
  }
  await server.stop();
  execFileSync(PROGRAM, ["study", "--analyse", out, "-o", join(folder, "analysis")]);
  copyFileSync(join(folder, "analysis", "passive.png"), join(IMAGES, "study-pairs.png"));
}

await chart();
await rankScreen();
rmSync(folder, { recursive: true });

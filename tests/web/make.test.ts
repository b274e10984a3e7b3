// A body made without leaving the page: imported, filled, painted, made of something; saved, simulated.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drop, openBrowser, shot, until, untilMoving, type Browser } from "./browser";
import { sceneFile, startStudio, type StudioServer } from "./server";

let server: StudioServer;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  server = await startStudio(sceneFile("bar.json"));
  browser = await openBrowser(1100, 760);
  page = await browser.newPage(server.address);
  page.on("pageerror", (error) => complaints.push(error.message));
  await untilMoving(page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const evaluate = <T>(code: string) => page.evaluate(`(() => { const s = window.limber.studio; return ${code}; })()`) as Promise<T>;
const SHOWN = "s.loadedGeneration === s.state.generation && s.newest.generation === s.state.generation % 65536 && !s.fresh";

/** A tower of 40 × 40 × 120 units, z up, its sides in small squares. */
function tower(): string {
  const [nx, nz, edge] = [4, 12, 10];
  const numbers = new Map<string, number>();
  const node = (p: number[]) => {
    const key = p.map((c) => c * edge).join(" ");
    if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
    return numbers.get(key)!;
  };
  const faces: string[] = [];
  const quad = (...corners: number[][]) => faces.push(`f ${corners.map(node).join(" ")}`);
  for (let i = 0; i < nx; ++i) {
    for (let j = 0; j < nx; ++j) {
      quad([i, j, 0], [i, j + 1, 0], [i + 1, j + 1, 0], [i + 1, j, 0]);
      quad([i, j, nz], [i + 1, j, nz], [i + 1, j + 1, nz], [i, j + 1, nz]);
    }
    for (let k = 0; k < nz; ++k) {
      quad([i, 0, k], [i + 1, 0, k], [i + 1, 0, k + 1], [i, 0, k + 1]);
      quad([i, nx, k], [i, nx, k + 1], [i + 1, nx, k + 1], [i + 1, nx, k]);
      quad([0, i, k], [0, i, k + 1], [0, i + 1, k + 1], [0, i + 1, k]);
      quad([nx, i, k], [nx, i + 1, k], [nx, i + 1, k + 1], [nx, i, k + 1]);
    }
  }
  return [...[...numbers.keys()].map((key) => `v ${key}`), ...faces, ""].join("\n");
}

/** Vertices between two heights (m, at rest) that are seen, where they are now; from the middle on: edges sway away. */
const seenBetween = (low: number, high: number) => evaluate<{ x: number; y: number }[]>(`(() => {
  const rest = s.bodies.loaded.bodies[0].restPositions;
  const found = [];
  for (let v = 0; v < rest.length / 3; ++v) {
    if (rest[3 * v + 1] < ${low} || rest[3 * v + 1] > ${high}) continue;
    const at = s.vertexOnPage(0, 0, v);
    if (s.bodies.hit(at.x, at.y)?.vertex === v && document.elementFromPoint(at.x, at.y) === s.stage.canvas) found.push(at);
  }
  const middle = found.reduce((sum, at) => sum + at.x, 0) / found.length;
  return found.sort((a, b) => Math.abs(a.x - middle) - Math.abs(b.x - middle));
})()`);

/** Draws a stroke over the body between two heights, as far as it is seen; again where it has swayed away under the pointer. */
async function stroke(low: number, high: number): Promise<void> {
  await page.locator(".picture").focus();
  for (let attempt = 0; ; ++attempt) {
    expect(attempt, "strokes that missed the body").toBeLessThan(20);
    const places = await seenBetween(low, high);
    if (places.length <= 2) continue;
    await page.mouse.move(places[0]!.x, places[0]!.y);
    await page.mouse.down();
    const begun = await evaluate<boolean>("s.brush.stroke !== undefined");
    const every = Math.ceil(places.length / 6); // a brush is wider than a vertex
    for (let k = every; begun && k < places.length; k += every) await page.mouse.move(places[k]!.x, places[k]!.y);
    await page.mouse.up();
    if (begun) return;
  }
}

describe("a mesh", () => {
  it("is asked for its units and the axis up, with a guess", async () => {
    await drop(page, "tower.obj", tower());
    await page.waitForSelector("dialog.import[open]");
    expect(await page.textContent("dialog[open] .facts")).toContain("tower.obj: a surface");
    expect(await page.inputValue("dialog[open] select"), "40 × 40 × 120 of an OBJ").toBe("cm");
    expect(await page.textContent("[data-test=import-size]")).toBe("It will be 400 mm high, 400 mm wide and 1.2 m deep.");
    await page.selectOption("dialog[open] select", "mm");
    await page.click("dialog[open] [data-value=z]");
    await page.fill("[data-test=import-scale]", "ten");
    expect(await page.isDisabled("[data-test=import-open]")).toBe(true);
    await page.fill("[data-test=import-scale]", "10");
    expect(await page.textContent("[data-test=import-size]")).toBe("It will be 1.2 m high, 400 mm wide and 400 mm deep.");
    await shot(page, "make-import");
    await page.keyboard.press("Enter");
    await until(page, `s.state.title === 'tower.obj' && ${SHOWN}`);
    const size = await evaluate<number[]>("(() => { const { low, high } = s.bodies.loaded; return high.map((c, i) => c - low[i]); })()");
    [0.4, 1.2, 0.4].forEach((metres, axis) => expect(size[axis]).toBeCloseTo(metres, 4));
  });

  it("that nobody wants after all is not opened", async () => {
    await drop(page, "other.obj", tower());
    await page.waitForSelector("dialog.import[open]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog.import", { state: "hidden" });
    expect(await evaluate("s.state.title")).toBe("tower.obj");
  });

  it("shows its cage, and is filled as the cage shows", async () => {
    await page.check("[data-test=cage]");
    await until(page, "s.cage.count > 10");
    const before = await evaluate<number>("s.state.bodies[0].tets");
    expect(await page.textContent("[data-test=cage-facts]")).toContain(`${before.toLocaleString("en")} tetrahedra`);
    const cells = page.locator(".slider", { hasText: "Cells along it" }).locator(".typed");
    await cells.fill("8");
    await cells.press("Enter");
    await until(page, "document.querySelector('[data-test=cage-facts]').textContent.includes('with 8 cells')");
    await shot(page, "make-cage");
    const promised = (await page.textContent("[data-test=cage-facts]"))!;
    await page.click("[data-test=fill]");
    await until(page, `s.state.bodies[0].cells === 8 && ${SHOWN}`);
    expect(promised).toContain(`${(await evaluate<number>("s.state.bodies[0].tets")).toLocaleString("en")} tetrahedra`);
    await page.uncheck("[data-test=cage]");
    await until(page, "s.cage.count === 0");
  });
});

describe("a brush", () => {
  it("paints what is held", async () => {
    await page.keyboard.press("f");
    await page.click("[data-test=brush] [data-value=fixed]");
    const before = await evaluate<number>("s.bodies.loaded.bodies[0].fixedVertices.length");
    await stroke(1.15, 1.3);
    await until(page, `s.state.undo[0] === 'Fix' && ${SHOWN} && s.bodies.loaded.bodies[0].fixedVertices.length > ${before}`);
    await shot(page, "make-fixed");
  });

  it("paints what is stiffer, and all of it is undone by its name", async () => {
    await page.click("[data-test=brush] [data-value=young]");
    const radius = page.locator(".slider", { hasText: "Brush" }).locator(".typed");
    await radius.fill("20 %");
    await radius.press("Enter");
    await stroke(0.5, 0.7);
    await until(page, `s.state.undo[0] === 'Paint stiffness' && ${SHOWN} && s.bodies.loaded.bodies[0].stiffness.length > 0`);
    expect(await evaluate<number>("Math.max(...s.bodies.loaded.bodies[0].stiffness)"), "ten times, in the middle of the stroke").toBeGreaterThan(0.5);
    await shot(page, "make-stiff");
    await page.locator(".picture").focus();
    await page.keyboard.press("Control+z");
    await until(page, `s.bodies.loaded.bodies[0].stiffness.length === 0 && ${SHOWN}`);
    await page.keyboard.press("Control+Shift+Z");
    await until(page, `s.bodies.loaded.bodies[0].stiffness.length > 0 && ${SHOWN}`);
    await page.keyboard.press("1"); // a hand again
    expect(await page.getAttribute("[data-test=brush] [data-value=off]", "aria-pressed")).toBe("true");
  });
});

describe("a material", () => {
  it("is chosen by its name, and typed from there", async () => {
    await page.click("[data-preset=Rubber]");
    await until(page, `s.state.bodies[0].young === 2e6 && s.state.bodies[0].density === 1100 && ${SHOWN}`);
    await page.waitForSelector("[data-preset=Rubber][aria-pressed=true]");
    const typed = page.locator(".slider", { hasText: "Stiffness" }).locator(".typed").first();
    await typed.fill("3 MPa");
    await typed.press("Enter");
    await until(page, "s.state.bodies[0].young === 3e6");
    await shot(page, "make-rubber");
  });
});

describe("the body that was made", () => {
  it("is run by limber simulate from its project", async () => {
    const [got] = await Promise.all([page.waitForEvent("download"), page.selectOption(".save select", "limberproj")]);
    const folder = mkdtempSync(join(tmpdir(), "limber-made-"));
    await got.saveAs(join(folder, "made.zip"));
    execFileSync("/usr/bin/python3", ["-m", "zipfile", "-e", "made.zip", "."], { cwd: folder });
    const scene = JSON.parse(readFileSync(join(folder, "scene.json"), "utf8")) as { bodies: Record<string, unknown>[] };
    const [body] = scene.bodies;
    expect(String(body!["fixed"])).toMatch(/^vertices:\d/);
    expect(Object.keys(body!["regions"] as object)[0]).toMatch(/^vertices:\d/);
    expect(body!["fill"]).toEqual({ cells: 8 });
    writeFileSync(join(folder, "scene.json"), JSON.stringify({ ...scene, duration: 0.1 }));
    const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
    const program = join(process.env["LIMBER_BUILD"] ?? join(root, "build", "release"), "limber");
    execFileSync(program, ["simulate", "scene.json", "--report", "report.json"], { cwd: folder });
    const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as { frames: unknown[] };
    expect(report.frames.length).toBeGreaterThan(3);
  });
});

it("complained of nothing", () => expect(complaints).toEqual([]));

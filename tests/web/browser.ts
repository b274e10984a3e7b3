// Debian's Chromium without a screen, WebGL2 in software.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** ms: software rendering on a machine that does other things too. */
export const PATIENCE = Number(process.env["LIMBER_PATIENCE"] ?? 240000);

export interface Browser {
  context: BrowserContext;
  /** A first visit is shown around. */
  newPage(address: string, firstVisit?: boolean): Promise<Page>;
  close(): Promise<void>;
}

export async function openBrowser(width = 1280, height = 800, touch = false): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), "limber-chromium-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    headless: true,
    args: ["--headless=new", ...FLAGS],
    viewport: { width, height },
    hasTouch: touch,
    acceptDownloads: true,
  });
  return {
    context,
    async newPage(address, firstVisit = false) {
      const page = await context.newPage();
      if (!firstVisit) await page.addInitScript("localStorage.setItem('limber-tour', 'seen')");
      page.setDefaultTimeout(PATIENCE);
      await page.goto(address);
      return page;
    },
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Until a condition holds in the page; its source may use window.limber.studio as `s`. Asks from
 * outside: the page's own content policy lets nothing be evaluated inside.
 */
export async function until(page: Page, condition: string, timeout = PATIENCE): Promise<void> {
  const code = `(() => { const s = window.limber?.studio; return s !== undefined && !!(${condition}); })()`;
  const end = Date.now() + timeout;
  while (!(await page.evaluate(code))) {
    if (Date.now() > end) throw new Error(`waited in vain for ${condition}`);
    await page.waitForTimeout(100);
  }
}

/** The body is loaded and frames arrive. */
export async function untilMoving(page: Page): Promise<void> {
  await until(page, "s.bodies.loaded !== undefined && s.frames > 3");
}

/** Drops a file anywhere on the page. */
export async function drop(page: Page, name: string, contents: string | Buffer): Promise<void> {
  const base64 = Buffer.from(contents).toString("base64");
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob("${base64}"), (c) => c.charCodeAt(0))], "${name}"));
    document.querySelector("#studio").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  })()`);
}

/** The same for a mesh, whose units are taken as they are guessed. */
export async function dropMesh(page: Page, name: string, contents: string | Buffer): Promise<void> {
  await drop(page, name, contents);
  await page.click("dialog[open] [data-test=import-open]");
}

/** A picture of the page for people to look at, where LIMBER_SHOTS names a folder. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env["LIMBER_SHOTS"];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), timeout: PATIENCE });
}

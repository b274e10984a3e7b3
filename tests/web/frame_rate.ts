// Frames a second of the studio's page: npm run frame-rate -- SCENE [SECONDS]
// In headless Chromium whose WebGL2 is SwiftShader's: software on this machine's processor, no graphics card. Prints JSON: pictures
// that the page drew, frames that came from the server, and processor seconds that the browser took for a picture, which a busy machine
// changes less; vertices, and what drew them.
import { readFileSync, readdirSync } from "node:fs";
import { openBrowser, until, untilMoving } from "./browser";
import { startStudio } from "./server";

const [scene, seconds] = process.argv.slice(2);
if (scene === undefined) throw new Error("npm run frame-rate -- SCENE [SECONDS]");
const measured = Number(seconds ?? 10);
const WIDTH = 1280;
const HEIGHT = 800;

/** Processor seconds so far of all that this process has started, but one. */
function browserSeconds(butFor: number): number {
  const TICKS = 100; // a second: Linux's USER_HZ
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
      return [{ pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
    } catch {
      return []; // it has ended
    }
  });
  const of = (pid: number): number => processes.filter((one) => one.parent === pid && one.pid !== butFor)
    .reduce((sum, one) => sum + one.ticks / TICKS + of(one.pid), 0);
  return of(process.pid);
}

const server = await startStudio(scene);
const browser = await openBrowser(WIDTH, HEIGHT);
try {
  const page = await browser.newPage(server.address);
  await untilMoving(page);
  const studio = <T>(code: string) => page.evaluate(`(() => { const s = window.limber.studio; return ${code}; })()`) as Promise<T>;
  await studio("s.send({ do: 'play', playing: true })");
  await until(page, "s.state.playing");
  await page.waitForTimeout(2000); // shaders are compiled by then
  const counts = async () => ({ processor: browserSeconds(server.process.pid!), ...await studio<{ drawn: number; received: number;
    at: number }>("({ drawn: s.stage.renderer.info.render.frame, received: s.frames, at: performance.now() / 1000 })") });
  const first = await counts();
  await page.waitForTimeout(1000 * measured);
  const last = await counts();
  const about = await studio<{ vertices: number; by: string }>(`(() => {
    const gl = s.stage.renderer.getContext();
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    return { vertices: s.bodies.loaded.bodies[0].restPositions.length / 3,
      by: gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL) };
  })()`);
  const passed = last.at - first.at;
  const lanes = await studio<number>("s.stage.rectangles().length"); // each is a picture of its own to the renderer
  const drawn = (last.drawn - first.drawn) / lanes;
  console.log(JSON.stringify({ drawn: drawn / passed, processor_seconds: (last.processor - first.processor) / drawn, received: (last.received - first.received) / passed,
    seconds: passed, size: [WIDTH, HEIGHT], ...about }));
} finally {
  await browser.close();
  await server.stop();
}

// The world's own thread: steps at its pace, a frame after each.
import { fetchFile, loadLimber } from "@limber/runtime/core";
import { LiveWorld, STEP } from "./live_world";
import type { Character, FromWorker, ToWorker } from "./messages";

/** Time that was missed by more than so many steps is not made up for: the page was hidden. */
const MOST_BEHIND = 4;

let live: LiveWorld | undefined;
let due = 0;

const tell = (message: FromWorker) => postMessage(message);

async function start(runtime: string, characters: readonly Character[], bodies: number): Promise<void> {
  const [limber, ...files] = await Promise.all([loadLimber(runtime),
    ...characters.map((character) => fetchFile(character.address))]);
  live = new LiveWorld(limber, characters.map(({ name }, k) => ({ name, file: files[k]! })));
  for (let k = 0; k < bodies; ++k) live.add();
  tell({ type: "bodies", ...live.bodies() });
  due = performance.now();
  turn(live);
}

function turn(world: LiveWorld): void {
  const now = performance.now();
  const interval = 1000 * STEP;
  if (now - due > MOST_BEHIND * interval) due = now;
  let moved = false;
  for (; due <= now; due += interval) {
    if (world.playing) world.step();
    moved = true;
  }
  if (moved) tell({ type: "frame", frame: world.frame() });
  setTimeout(() => guarded(() => turn(world)), Math.max(0, due - performance.now()));
}

function guarded(work: () => void): void {
  try {
    work();
  } catch (error) {
    tell({ type: "error", message: error instanceof Error ? error.message : String(error) });
  }
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "start") {
    start(data.runtime, data.characters, data.bodies).catch((error: unknown) =>
      tell({ type: "error", message: error instanceof Error ? error.message : String(error) }));
    return;
  }
  const world = live;
  if (world === undefined) return; // it is still loading: there is nothing to touch yet
  guarded(() => {
    if (data.type === "command") return world.take(data.command);
    world.add();
    tell({ type: "bodies", ...world.bodies() });
  });
});

// The same scene as reference.c, which runs it through the native library. Both round otherwise: a
// processor fuses products and sums and has wider vectors, and C's library in WebAssembly has its own
// sines. Until something touches that stays rounding; contact makes more of any difference, here as
// between two processors.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { built, dinoFile, dinoPath, limber, skipReference } from "./files.js";

const BODIES = 4;
const STEPS = 40;
const HIT = 5;

interface Line {
  readonly contacts: number;
  /** Position and rotation. */
  readonly frame: readonly number[];
  readonly modal: readonly number[];
}

async function ours(): Promise<Line[]> {
  const library = await limber();
  const model = library.model(dinoFile());
  const world = library.world();
  world.addObstacle({ friction: 0.5 });
  const bodies = Array.from({ length: BODIES }, (_, b) => world.add(model, {
    stiffnessDamping: 0.004,
    position: [0.0625 * b, 0.5 + 0.75 * b, 0],
    rotation: [0, 0.6 * b, 0, 1 - 0.2 * b],
  }));
  const lines: Line[] = [];
  for (let step = 1; step <= STEPS; ++step) {
    if (step === HIT) bodies[0]!.impulse(model.vertex(7), [0.5, 1, 0.25]);
    world.step(1 / 60);
    for (const body of bodies) {
      const { contacts, position, rotation } = body.state();
      lines.push({ contacts, frame: [...position, ...rotation], modal: [...body.modal()] });
    }
  }
  return lines;
}

function native(): Line[] {
  return execFileSync(built("live/reference"), [dinoPath], { encoding: "utf8" }).trim().split("\n").map((line) => {
    const [contacts, ...numbers] = line.split(" ").map(Number);
    return { contacts: contacts!, frame: numbers.slice(0, 7), modal: numbers.slice(7) };
  });
}

const farthest = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((x, k) => Math.abs(x - b[k]!)));

/** Over the bodies' frames of the step that begins at this line. */
const farthestOf = (mine: readonly Line[], theirs: readonly Line[], first: number) =>
  Math.max(...Array.from({ length: BODIES }, (_, b) => farthest(mine[first + b]!.frame, theirs[first + b]!.frame)));

test("the native library's numbers, until something touches", { skip: skipReference }, async () => {
  const [mine, theirs] = [await ours(), native()];
  assert.equal(mine.length, theirs.length);
  const touched = theirs.findIndex((line) => line.contacts > 0);
  assert.ok(touched > 10 * BODIES, "nothing flew");
  const flown = touched - (touched % BODIES);
  let frames = 0;
  let amplitudes = 0;
  const largest = Math.max(...theirs.flatMap((line) => line.modal.map(Math.abs)));
  for (let k = 0; k < flown; ++k) {
    assert.equal(mine[k]!.contacts, 0);
    frames = Math.max(frames, farthest(mine[k]!.frame, theirs[k]!.frame));
    amplitudes = Math.max(amplitudes, farthest(mine[k]!.modal, theirs[k]!.modal));
  }
  assert.ok(largest > 1e-3, "nothing rang");
  // Some hundred operations on doubles a step; amplitudes are handed over as floats.
  assert.ok(frames < 1e-12, `frames differ by ${frames}`);
  assert.ok(amplitudes < 1e-6 * largest, `amplitudes differ by ${amplitudes} of ${largest}`);
  // Rows of contacts are floats, right to 2e-6; a body moves 0.05 m a step when it lands.
  const landed = farthestOf(mine, theirs, flown);
  console.info(`frames differ by ${frames}; in the first step of contact by ${landed}, ` +
    `at the end by ${farthestOf(mine, theirs, mine.length - BODIES)} m`);
  assert.ok(landed < 1e-6, `in the first step of contact by ${landed}`);
});

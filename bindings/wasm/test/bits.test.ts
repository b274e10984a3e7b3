// The same scene as reference.c: bit for bit what a native library computes without fused
// multiply-adds and in vectors of four, and near to what one with them does.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { built, dinoFile, dinoPath, limber, skipReference } from "./files.js";

const BODIES = 4;
const STEPS = 240;
const EVERY = 10;
const HIT = 60;

const words = new DataView(new ArrayBuffer(8));
const bitsOfDouble = (x: number) => {
  words.setFloat64(0, x);
  return words.getBigUint64(0).toString(16).padStart(16, "0");
};
const bitsOfFloat = (x: number) => {
  words.setFloat32(0, x);
  return words.getUint32(0).toString(16).padStart(8, "0");
};

async function ours(): Promise<string[]> {
  const library = await limber();
  const model = library.model(dinoFile());
  const world = library.world();
  world.addObstacle({ friction: 0.5 });
  const bodies = Array.from({ length: BODIES }, (_, b) => world.add(model, {
    stiffnessDamping: 0.004,
    position: [0.0625 * b, 0.5 + 0.75 * b, 0],
    rotation: [0, 0.6 * b, 0, 1 - 0.2 * b],
  }));
  const lines: string[] = [];
  for (let step = 1; step <= STEPS; ++step) {
    if (step === HIT) bodies[0]!.impulse(model.vertex(7), [0.5, 1, 0.25]);
    world.step(1 / 60);
    if (step % EVERY !== 0) continue;
    for (const body of bodies) {
      const { contacts, position, rotation } = body.state();
      lines.push([String(contacts), ...[...position, ...rotation].map(bitsOfDouble),
        ...[...body.modal()].map(bitsOfFloat)].join(" "));
    }
  }
  return lines;
}

const native = (name: string) =>
  execFileSync(built(`live/reference-${name}`), [dinoPath], { encoding: "utf8" }).trim().split("\n");

test("the same bits as a native library of the same vectors", { skip: skipReference("portable") }, async () => {
  const [mine, theirs] = [await ours(), native("portable")];
  assert.equal(mine.length, theirs.length);
  const first = mine.findIndex((line, k) => line !== theirs[k]);
  assert.equal(first, -1, `step ${EVERY * (Math.floor(first / BODIES) + 1)}, body ${first % BODIES}:\n` +
    `${mine[first]}\n${theirs[first]}`);
  assert.ok(mine.some((line) => Number(line.split(" ")[0]) > 4), "nothing touched");
});

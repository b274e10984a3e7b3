import assert from "node:assert/strict";
import { test } from "node:test";
import { LimberError, type Body } from "@limber/runtime";
import { dinoFile, limber, skip } from "./files.js";

const G = 9.81;

async function falling(sleep = true) {
  const world = (await limber()).world({ sleep });
  const model = (await limber()).model(dinoFile());
  const body = world.add(model, { name: "dino", position: [0, 1, 0] });
  return { world, model, body };
}

test("a model tells what it holds", { skip }, async () => {
  const { model, body } = await falling();
  const { positions, normals } = model.surface();
  assert.equal(positions.length, 3 * model.info.vertices);
  assert.equal(model.triangles().length, 3 * model.info.triangles);
  assert.ok(model.triangles().every((vertex) => vertex < model.info.vertices));
  for (let v = 0; v < normals.length; v += 3) {
    assert.ok(Math.abs(Math.hypot(normals[v]!, normals[v + 1]!, normals[v + 2]!) - 1) < 1e-5);
  }
  assert.ok(model.info.isFree && model.info.mass > 0);
  const eigenvalues = model.eigenvalues();
  assert.ok(eigenvalues.every((value, k) => value > 0 && (k === 0 || value >= eigenvalues[k - 1]!)));
  assert.ok(model.colours()!.every((c) => c >= 0 && c <= 1));
  assert.equal(body.name, "dino");
});

test("a free body falls as all things do", { skip }, async () => {
  const { world, body } = await falling();
  for (let k = 0; k < 30; ++k) assert.ok(world.step(1 / 60));
  assert.ok(Math.abs(world.time - 0.5) < 1e-12);
  // Free fall of half a second; steps of the exact integrator leave no error but rounding.
  assert.ok(Math.abs(body.state().position[1] - (1 - (G / 2) * 0.25)) < 1e-9);
});

test("its drawn surface is the modes' sum, warped by none", { skip }, async () => {
  const world = (await limber()).world({ gravity: [0, 0, 0] });
  const model = (await limber()).model(dinoFile());
  const body = world.add(model, { method: "linear-modal" });
  body.impulse(model.vertex(0), [0.1, 0.2, 0]);
  for (let k = 0; k < 10; ++k) world.step(1 / 60);
  const drawn = new Float32Array(3 * model.info.vertices);
  body.surface(drawn, undefined, "body");
  const sum = Float64Array.from(model.surface().positions);
  const q = body.modal();
  assert.ok(q.some((value) => Math.abs(value) > 1e-6));
  for (let mode = 0; mode < q.length; ++mode) {
    model.mode(mode).phi.forEach((x, k) => (sum[k]! += q[mode]! * x));
  }
  // int16 modes: 1e-4 of a body of 1 m.
  drawn.forEach((x, k) => assert.ok(Math.abs(x - sum[k]!) < 1e-4));
});

test("place and matrix agree, and the surface in the world with both", { skip }, async () => {
  const { world, model, body } = await falling();
  body.place([0.3, 2, -0.1], [0, Math.SQRT1_2, 0, Math.SQRT1_2]);
  world.step(1 / 60);
  const inBody = new Float32Array(3 * model.info.vertices);
  const inWorld = inBody.slice();
  body.surface(inBody, undefined, "body");
  body.surface(inWorld);
  const m = body.matrix();
  const { position } = body.state();
  for (let c = 0; c < 3; ++c) assert.ok(Math.abs(m[12 + c]! - position[c]!) < 1e-5);
  for (let v = 0; v < inBody.length; v += 3) {
    for (let c = 0; c < 3; ++c) {
      const x = m[c]! * inBody[v]! + m[4 + c]! * inBody[v + 1]! + m[8 + c]! * inBody[v + 2]! + m[12 + c]!;
      assert.ok(Math.abs(x - inWorld[v + c]!) < 1e-5);
    }
  }
});

test("it comes to lie on the ground and is held up by its weight", { skip }, async () => {
  const world = (await limber()).world();
  const model = (await limber()).model(dinoFile());
  const body = world.add(model, { position: [0, 0.3, 0], stiffnessDamping: 0.02, massDamping: 1 });
  const ground = world.addObstacle({ friction: 0.6 });
  for (let k = 0; k < 600; ++k) world.step(1 / 60);
  const { kineticEnergy, contactForce, contacts, asleep } = body.state();
  const weight = model.info.mass * G;
  assert.ok(kineticEnergy < 1e-3, `still moves: ${kineticEnergy} J`);
  if (!asleep) assert.ok(Math.abs(contactForce[1] - weight) < 0.05 * weight);
  assert.ok(contacts > 0);
  assert.equal(world.contacts().length, world.contactCount());
  assert.ok(world.contacts().every((c) => c.a === ground || c.b === ground));
  const hit = world.cast([0, 3, 0], [0, -1, 0]);
  assert.ok(hit !== undefined && hit.point[1] >= -0.01);
});

test("a hand lifts it and lets it go", { skip }, async () => {
  const { world, model, body } = await falling();
  const vertex = model.vertex(0);
  const hand = body.hold(vertex, [0, 1.5, 0], { stiffness: 400 * model.info.mass, damping: 20 * model.info.mass });
  const height = (b: Body) => b.point(vertex).position[1];
  for (let k = 0; k < 240; ++k) world.step(1 / 60);
  // A spring of k = 400 m sags by g/400.
  assert.ok(Math.abs(height(body) - (1.5 - G / 400)) < 0.03, `${height(body)}`);
  hand.move([0, 2, 0]);
  for (let k = 0; k < 240; ++k) world.step(1 / 60);
  assert.ok(Math.abs(height(body) - (2 - G / 400)) < 0.03, `${height(body)}`);
  hand.release();
  for (let k = 0; k < 30; ++k) world.step(1 / 60);
  assert.ok(body.point(vertex).velocity[1] < -2);
});

test("a snapshot brings back every bit", { skip }, async () => {
  const { world, body } = await falling();
  world.addObstacle();
  for (let k = 0; k < 40; ++k) world.step(1 / 60);
  const before = world.snapshot();
  for (let k = 0; k < 40; ++k) world.step(1 / 60);
  const after = world.snapshot();
  const place = body.state().position;
  world.restore(before);
  assert.notDeepEqual(body.state().position, place);
  for (let k = 0; k < 40; ++k) world.step(1 / 60);
  assert.deepEqual(world.snapshot(), after);
});

test("what cannot be done is refused by name, and nothing breaks", { skip }, async () => {
  const library = await limber();
  const broken = dinoFile();
  broken[broken.length >> 1]! ^= 1;
  const refused = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      assert.ok(error instanceof LimberError && error.failure === "bad-input", String(error));
      return error.message;
    }
    return assert.fail("taken");
  };
  assert.match(refused(() => library.model(broken)), /memory/);
  assert.match(refused(() => library.model(new Uint8Array(0))), /memory/);
  const { world, model, body } = await falling();
  assert.match(refused(() => model.vertex(1e6)), /vertex 1000000/);
  refused(() => world.step(Number.NaN));
  refused(() => body.place([Number.NaN, 0, 0]));
  refused(() => world.addObstacle({ shape: "box", size: [1, 1, -1] }));
  world.remove(body);
  refused(() => body.state());
  assert.ok(world.step(1 / 60));
  world.free();
  model.free();
});

test("memory does not grow with worlds that come and go", { skip }, async () => {
  const library = await limber();
  const once = () => {
    const model = library.model(dinoFile());
    const world = library.world();
    world.addObstacle();
    const body = world.add(model, { position: [0, 0.2, 0] });
    for (let k = 0; k < 20; ++k) world.step(1 / 60);
    body.surface(new Float32Array(3 * model.info.vertices));
    world.free();
    model.free();
  };
  for (let k = 0; k < 3; ++k) once();
  const before = library.memoryBytes;
  for (let k = 0; k < 8; ++k) once();
  assert.equal(library.memoryBytes, before);
});

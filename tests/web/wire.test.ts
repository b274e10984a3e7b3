// The server as seen from the wire: what it serves, what it refuses, and how fast it answers.
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Command, Handle } from "../../apps/studio/web/src/net/protocol";
import { decodeModel } from "../../apps/studio/web/src/net/model";
import { startStudio, type StudioServer } from "./server";
import { SocketClient } from "./socket_client";

let server: StudioServer;
beforeAll(async () => {
  server = await startStudio();
});
afterAll(() => server.stop());

interface Answer {
  status: number;
  body: string;
}

function ask(path: string, headers: Record<string, string> = {}, method = "GET", body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request({ host: "127.0.0.1", port: server.port, path, method, headers }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    call.on("error", reject);
    call.end(body);
  });
}

const hand = (change: Partial<Handle> = {}): Handle => ({
  id: 1, body: 0, vertex: 0, kind: "position", target: [0, 0, 0], rotation: [0, 0, 0], pinned: false, ...change,
});

/** A vertex far from the clamp, and where it is at rest. */
async function farVertex(client: SocketClient): Promise<{ vertex: number; at: [number, number, number] }> {
  await client.until(() => client.state !== undefined);
  const response = await fetch(`${server.address}model?generation=${client.state!.generation}`);
  const body = decodeModel(await response.arrayBuffer()).bodies[0]!;
  let vertex = 0;
  for (let v = 0; v < body.vertexCount; ++v) {
    if (body.restPositions[3 * v]! > body.restPositions[3 * vertex]!) vertex = v;
  }
  const at = body.restPositions.slice(3 * vertex, 3 * vertex + 3);
  return { vertex, at: [at[0]!, at[1]!, at[2]!] };
}

describe("the server", () => {
  it("gives the page, the model and nothing else", async () => {
    expect((await ask("/")).body).toContain("<title>Limber</title>");
    expect((await ask("/assets/studio.js")).status).toBe(200);
    expect((await ask("/model?generation=1")).body.slice(0, 4)).toBe("LMBR");
    for (const path of ["/etc/passwd", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
      "/assets/../../server", "/download/../scene.json", "/open"]) {
      const { status } = await ask(path);
      expect([404, 409], path).toContain(status);
    }
    expect((await ask("/model?generation=999")).status, "a scene that has gone").toBe(204);
    expect((await ask("/", {}, "DELETE")).status).toBe(405);
  });

  it("refuses foreign hosts and origins", async () => {
    expect((await ask("/", { Host: "evil.example" })).status).toBe(403);
    expect((await ask("/model?generation=1", { Origin: "http://evil.example" })).status).toBe(403);
    expect((await ask("/open?name=a.obj", { Origin: "http://evil.example" }, "POST", "x")).status).toBe(403);
    await expect(SocketClient.open(server.port, { Origin: "http://evil.example" })).rejects.toThrow("403");
    await expect(SocketClient.open(server.port, { Host: "evil.example" })).rejects.toThrow("403");
  });

  it("answers rubbish with an error and goes on", async () => {
    const bad = await SocketClient.open(server.port);
    const good = await SocketClient.open(server.port);
    await bad.until(() => bad.state !== undefined);
    for (const text of ["", "{", "[]", '{"do":"fly"}', '{"do":"speed","factor":"x"}', "[".repeat(50000)]) {
      const before = bad.messages.length;
      bad.sendText(text);
      await bad.until(() => bad.messages.slice(before).some((m) => m.type === "error"));
    }
    bad.sendRaw(0x81, Buffer.alloc(1 << 20, 0x20)); // larger than any message may be
    await bad.until(() => bad.closed);
    const worse = await SocketClient.open(server.port);
    worse.sendBytes(Buffer.alloc(64, 0xff)); // no frame at all
    await worse.until(() => worse.closed);
    const { frames } = good;
    await good.until(() => good.frames > frames + 10);
    good.close();
  });

  it("refuses files that are no meshes, in words", async () => {
    const answer = await ask("/open?name=junk.obj", {}, "POST", "\0\0\0");
    expect(answer.status).toBe(422);
    expect(answer.body).toMatch(/\(.*junk\.obj.*\)|junk\.obj/);
    expect((await ask("/open?name=", {}, "POST", "x")).status).toBe(400);
  });

  it("takes every command of the page", async () => {
    const client = await SocketClient.open(server.port);
    const { vertex, at } = await farVertex(client);
    const level = { at: [0, 1], value: [0.5, 0.5] };
    const commands: Command[] = [
      { do: "play", playing: false }, { do: "step" }, { do: "play", playing: true },
      { do: "speed", factor: 0.5 }, { do: "speed", factor: 1 }, { do: "time_step", seconds: 1 / 60 },
      { do: "gravity", acceleration: [0, -5, 0] }, { do: "damping", body: 0, mass: 1, stiffness: 0.01 },
      { do: "material", body: 0, young: 1e6, poisson: 0.4, density: 1000 }, { do: "modes", body: 0, count: 12 },
      { do: "handle", handle: hand({ vertex, target: at, pinned: true }) },
      { do: "move", id: 1, target: at, rotation: [0, 0, 0], begins: true }, { do: "undo" }, { do: "redo" },
      { do: "force", body: 0, vertex, force: [0, 1, 0] }, { do: "force", body: 0, vertex, force: [0, 0, 0] },
      { do: "hit", body: 0, vertex, impulse: [0, 0.01, 0] },
      { do: "support", position: [0.1, 0, 0], rotation: [0, 0, 0, 1] },
      { do: "support", position: [0, 0, 0], rotation: [0, 0, 0, 1] },
      { do: "release", id: 1 }, { do: "release_all" }, { do: "record", running: true }, { do: "record", running: false },
      { do: "lanes", methods: ["linear-modal", "modal-warping"], truth: 1 },
      { do: "lanes", methods: ["modal-warping"], truth: 0 },
      { do: "pose_add", time: 0, name: "a" }, { do: "pose_time", id: 1, time: 0.5 }, { do: "pose_remove", id: 1 },
      { do: "interpolation", active: false, looping: true, modes: 20 },
      { do: "curves", frequency: level, damping: level, weight: level, share: level }, { do: "curve", mode: 0 },
      { do: "scrub", time: 0 }, { do: "view", view: { eye: [1, 2, 3], target: [0, 0, 0] } },
      { do: "resume", open: false }, { do: "reset" }, { do: "play", playing: true },
    ];
    for (const command of commands) client.send(command);
    await client.until(() => client.state!.bodies[0]!.modes === 12 && client.state!.lanes.length === 1 &&
      client.state!.gravity[1] === -5, 30000);
    expect(client.messages.filter((m) => m.type === "error")).toEqual([]);
    client.send({ do: "open", sample: client.state!.samples[0]!.name });
    await client.until(() => client.state!.gravity[1] !== -5, 30000);
    client.close();
  });

  it("shows two clients the same scene", async () => {
    const one = await SocketClient.open(server.port);
    const two = await SocketClient.open(server.port);
    const { vertex, at } = await farVertex(one);
    one.send({ do: "handle", handle: hand({ id: 77, vertex, target: at, pinned: true }) });
    await two.until(() => two.state?.handles.some((h) => h.id === 77) ?? false);
    two.send({ do: "release", id: 77 });
    await one.until(() => one.state!.handles.length === 0);
    one.close();
    two.close();
  });

  it("answers a drag within 5 ms, median of 200", async () => {
    const client = await SocketClient.open(server.port);
    const { vertex, at } = await farVertex(client);
    await client.until(() => client.newest !== undefined);
    client.send({ do: "handle", handle: hand({ id: 5, vertex, target: at }) });
    await client.until(() => client.state!.handles.length === 1);
    const series = async () => {
      const times: number[] = [];
      for (let i = 0; i < 200; ++i) {
        const inputs = client.newest!.inputs;
        const begin = performance.now();
        client.send({ do: "move", id: 5, target: [at[0], at[1] + 0.001 * (i % 20), at[2]], rotation: [0, 0, 0],
          begins: false });
        await client.until(() => client.newest!.inputs !== inputs);
        times.push(performance.now() - begin);
        await new Promise((resolve) => setTimeout(resolve, 17)); // a pointer moves once a picture
      }
      times.sort((a, b) => a - b);
      console.log(`drag to frame: median ${times[100]!.toFixed(2)} ms, 90 % ${times[180]!.toFixed(2)} ms`);
      return times[100]!;
    };
    // The best of some series: the machine may be busy with something else.
    let median = Infinity;
    for (let i = 0; i < 4 && median >= 5; ++i) median = Math.min(median, await series());
    expect(median).toBeLessThan(5);
    client.send({ do: "release", id: 5 });
    client.close();
  });
});

// Large bodies and long sessions.
import { afterAll, describe, expect, it } from "vitest";
import { openBrowser, until, type Browser } from "./browser";
import { startBar, startStudio, type StudioServer } from "./server";
import { SocketClient } from "./socket_client";

const servers: StudioServer[] = [];
const browsers: Browser[] = [];
afterAll(async () => {
  for (const browser of browsers) await browser.close();
  for (const server of servers) await server.stop();
});

// LIMBER_SOAK_SECONDS=300 for the five minutes; a leak or a lost thread shows in some visits, too.
const SOAK_SECONDS = Number(process.env["LIMBER_SOAK_SECONDS"] ?? 10);

describe("a body of 28,000 vertices and 64 modes", () => {
  it("arrives in less than 2 s and needs less than 300 bytes a frame", async () => {
    const server = await startBar(7000, 64);
    servers.push(server);
    const client = await SocketClient.open(server.port);
    await client.until(() => client.newest !== undefined && client.state !== undefined);
    expect(client.newest!.instances[0]!.values.length).toBe(64);
    expect(client.frameBytes).toBeLessThan(300);
    client.close();
    const browser = await openBrowser(640, 480);
    browsers.push(browser);
    const page = await browser.newPage(server.address);
    let seconds = Infinity;
    for (let i = 0; i < 4 && seconds >= 2; ++i) { // the best of some: the machine may be busy
      if (i > 0) await page.reload();
      await until(page, "s.bodies.loaded !== undefined");
      seconds = Math.min(seconds, (await page.evaluate(`(() => {
        const [entry] = performance.getEntriesByType("resource").filter((e) => e.name.includes("/model"));
        return (entry.responseEnd - entry.startTime) / 1000;
      })()`)) as number);
    }
    console.log(`model of 28,000 × 64: ${seconds.toFixed(2)} s over loopback`);
    expect(seconds).toBeLessThan(2);
  }, 400000);
});

describe("a session", () => {
  it("keeps its memory and threads while a client comes and goes", async () => {
    const server = await startStudio();
    servers.push(server);
    const stays = await SocketClient.open(server.port);
    const visit = async () => {
      const client = await SocketClient.open(server.port);
      await client.until(() => client.frames > 20 && client.state !== undefined);
      const vertex = client.state!.bodies[0]!.vertices - 1;
      client.send({ do: "handle", handle: { id: 9, body: 0, vertex, kind: "position", target: [1, 0.2, 0.1],
        rotation: [0, 0, 0], pinned: false } });
      for (let i = 0; i < 20; ++i) {
        client.send({ do: "move", id: 9, target: [1, 0.2 - 0.01 * i, 0.1], rotation: [0, 0, 0],
          begins: false });
        await new Promise((resolve) => setTimeout(resolve, 16));
      }
      client.close(); // without a word, its hand on the body
    };
    for (let i = 0; i < 5; ++i) await visit();
    const start = server.usage();
    const { frames } = stays;
    const begin = Date.now();
    while (Date.now() - begin < 1000 * SOAK_SECONDS) await visit();
    const end = server.usage();
    const rate = (stays.frames - frames) / ((Date.now() - begin) / 1000);
    console.log(`${SOAK_SECONDS} s: ${start.megabytes.toFixed(1)} → ${end.megabytes.toFixed(1)} MB, ` +
      `${start.threads} → ${end.threads} threads, ${rate.toFixed(1)} frames/s`);
    expect(end.threads).toBe(start.threads);
    // An allocator's own wandering; a leak of one frame of 150 bytes a step would pass it in an hour.
    expect(end.megabytes - start.megabytes).toBeLessThan(2 + SOAK_SECONDS / 300);
    await stays.until(() => stays.state!.handles.length === 0);
    stays.close();
  }, 1000 * (SOAK_SECONDS + 240));
});

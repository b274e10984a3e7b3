// Many watchers, rubbish and slow readers: nobody else notices.
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { sceneFile, startStudio, type StudioServer } from "./server";
import { SocketClient } from "./socket_client";

const servers: StudioServer[] = [];
const clients: SocketClient[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  clients.splice(0).forEach((client) => client.close());
  sockets.splice(0).forEach((socket) => socket.destroy());
  for (const server of servers.splice(0)) await server.stop();
});

async function studio(): Promise<StudioServer> {
  const server = await startStudio(sceneFile("bar.json"));
  servers.push(server);
  return server;
}

async function watcher(server: StudioServer): Promise<SocketClient> {
  const client = await SocketClient.open(server.port);
  clients.push(client);
  return client;
}

/** A hand of this client is seen by that one. */
async function answered(hand: SocketClient, other: SocketClient, id: number): Promise<void> {
  hand.send({ do: "handle", handle: { id, body: 0, vertex: 3, kind: "position", target: [0.1, 0.1, 0.1],
    rotation: [0, 0, 0], pinned: false } });
  await other.until(() => other.state?.handles.some((one) => one.id === id) === true);
  hand.send({ do: "release", id });
  await other.until(() => other.state?.handles.every((one) => one.id !== id) === true);
}

describe("two hundred watchers of one world", () => {
  it("all see it move, and a hand among them is answered", async () => {
    const server = await studio();
    const all: SocketClient[] = [];
    for (let i = 0; i < 200; ++i) all.push(await watcher(server));
    await Promise.all(all.map((client) => client.until(() => client.state !== undefined && client.frames > 5)));
    const before = server.usage();
    await answered(all[0]!, all[199]!, 7);
    const counts = all.map((client) => client.frames);
    await Promise.all(all.map((client, i) => client.until(() => client.frames > counts[i]! + 20)));
    const after = server.usage();
    expect(after.threads, "no thread a watcher").toBe(before.threads);
    // The newest frame and state for each, 20 kB together, and what sockets hold is the kernel's.
    expect(after.megabytes - before.megabytes).toBeLessThan(8);
    expect(all.some((client) => client.closed)).toBe(false);
  });
});

describe("ten thousand malformed messages", () => {
  it("are answered or cut off, and the world goes on", async () => {
    const server = await studio();
    const good = await watcher(server);
    await good.until(() => good.frames > 3 && good.state !== undefined);
    const state = JSON.stringify({ ...good.state!, time: 0 });
    let random = 12345;
    const next = (below: number) => (random = (random * 1103515245 + 12345) % 0x80000000) % below;
    const whole = ['{"do":"move","id":1,"target":[0,0,0],"rotation":[0,0,0],"begins":true}', '{"do":"gravity","acceleration":[0,-9,0]}',
      '{"do":"paint","body":0,"what":"fixed","vertices":[1]}', '{"do":"lanes","methods":["stvk"],"truth":0}'];
    /** Cut short, so that none is a command. */
    const message = () => {
      const text = whole[next(whole.length)]!;
      return [text.slice(0, 1 + next(text.length - 1)), `{"do":"${"x".repeat(next(40))}"}`, "[]", "null", String(next(1e9)),
        "[".repeat(1 + next(3000)), '{"do":"move","id":-1}', `{"do":"gravity","acceleration":[0,${"9".repeat(400)},0]}`][next(8)]!;
    };
    let bad = await watcher(server);
    for (let sent = 0; sent < 10000; ++sent) {
      if (bad.closed) bad = await watcher(server); // it was cut off: more answers waited than it read
      bad.sendRaw(next(20) === 0 ? 0x82 : 0x81, Buffer.from(message()));
      if (sent % 50 === 49) {
        const { frames } = good;
        await good.until(() => good.frames > frames);
      }
    }
    const { frames } = good;
    await good.until(() => good.frames > frames + 20);
    expect(JSON.stringify({ ...good.state!, time: 0 }), "nothing of it was done").toBe(state);
    expect(good.messages.filter((one) => one.type === "error"), "nor told to others").toEqual([]);
    await answered(await watcher(server), good, 8);
  });
});

describe("a slow reader", () => {
  it("holds up nobody and no memory", async () => {
    const server = await studio();
    const good = await watcher(server);
    const slow = await new Promise<Socket>((resolve) => {
      const socket = connect(server.port, "127.0.0.1", () => {
        socket.write(`GET /socket HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n");
        socket.pause(); // it never reads a byte
        resolve(socket);
      });
    });
    sockets.push(slow);
    await good.until(() => good.frames > 30 && good.state !== undefined);
    const before = server.usage().megabytes;
    const { frames } = good;
    await good.until(() => good.frames > frames + 300, 240000);
    await answered(good, good, 9);
    // One frame and one state wait for it; the rest were replaced by newer ones.
    expect(server.usage().megabytes - before).toBeLessThan(4);
  });
});

describe("the page", () => {
  it("is under 300 kB compressed, with all that it asks for to begin", async () => {
    const server = await studio();
    const text = async (path: string) => Buffer.from(await (await fetch(new URL(path, server.address))).arrayBuffer());
    const index = await text("/");
    const files = [...index.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(files.some((file) => file.endsWith(".js"))).toBe(true);
    let bytes = gzipSync(index).length;
    for (const file of files) bytes += gzipSync(await text(file)).length;
    console.log(`the page: ${(bytes / 1000).toFixed(0)} kB compressed, ${files.length + 1} files`);
    expect(bytes).toBeLessThan(300_000);
  });
});

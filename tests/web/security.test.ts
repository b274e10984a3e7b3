// What the server refuses, and whom it goes on serving meanwhile.
import { request, type IncomingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { sceneFile, startStudio, type StudioServer } from "./server";
import { SocketClient } from "./socket_client";

const servers: StudioServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  sockets.splice(0).forEach((socket) => socket.destroy());
  for (const server of servers.splice(0)) await server.stop();
});

/** A scene that is there at once. */
async function studio(...args: string[]): Promise<StudioServer> {
  const server = await startStudio(sceneFile("bar.json"), ...args);
  servers.push(server);
  return server;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function ask(server: StudioServer, path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const call = request({ host: "127.0.0.1", port: server.port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (chunk: Buffer) => parts.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers,
        body: Buffer.concat(parts) }));
    });
    call.on("error", reject);
    call.end(body);
  });
}

/** A connection that has said so much and then nothing more. */
function halfOpen(server: StudioServer, text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(text, () => resolve(socket)));
    socket.on("error", reject);
    sockets.push(socket);
  });
}

describe("a studio beyond loopback", () => {
  it("serves those alone who know the token of its address", async () => {
    const server = await studio("--host", "0.0.0.0");
    const token = new URL(server.address).searchParams.get("token")!;
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    for (const path of ["/", "/model?generation=1", "/assets/studio.js", "/?token=", `/?token=${"0".repeat(32)}`]) {
      const { status, body } = await ask(server, path);
      expect(status, path).toBe(403);
      expect(body.toString()).toContain("token");
    }
    await expect(SocketClient.open(server.port)).rejects.toThrow("403");
    const page = await ask(server, `/?token=${token}`);
    expect(page.status).toBe(200);
    const [cookie] = page.headers["set-cookie"]!;
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    const known = { Cookie: `other=1; ${cookie!.split(";")[0]!}` };
    expect((await ask(server, "/model?generation=1", known)).status).toBe(200);
    const client = await SocketClient.open(server.port, known);
    await client.until(() => client.state !== undefined);
    client.close();
  });
});

describe("the server", () => {
  it("sends the page compressed, and once", async () => {
    const server = await studio();
    const whole = await ask(server, "/assets/studio.js");
    const small = await ask(server, "/assets/studio.js", { "Accept-Encoding": "gzip, br" });
    expect(small.headers["content-encoding"]).toBe("gzip");
    expect(small.body.length).toBeLessThan(0.4 * whole.body.length);
    expect(small.body.length, "the page in bytes").toBeLessThan(300_000);
    const again = await ask(server, "/assets/studio.js", { "If-None-Match": small.headers.etag! });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it("goes on serving while a hundred connections say nothing", async () => {
    const server = await studio();
    for (let i = 0; i < 100; ++i) await halfOpen(server, i % 2 === 0 ? "" : "GET / HTTP/1.1\r\nHost: 127");
    expect((await ask(server, "/")).status).toBe(200);
    const client = await SocketClient.open(server.port);
    await client.until(() => client.frames > 2);
    client.close();
  });

  it("opens a file while other uploads stand still", async () => {
    const server = await studio();
    for (let i = 0; i < 5; ++i) {
      await halfOpen(server, `POST /open?name=slow${i}.obj HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nv 0`);
    }
    const answer = await ask(server, "/open?name=broken.obj", {}, "v 0 0\nf 1 2 3\n");
    expect(answer.status).toBe(422);
    expect(answer.body.toString()).toContain("broken.obj");
  });

  it("says that a file is too large although it is still being sent", async () => {
    const server = await studio();
    const socket = await halfOpen(server,
      "POST /open?name=large.obj HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 400000000\r\n\r\n");
    const heard = await new Promise<string>((resolve, reject) => {
      let text = "";
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes("256 MB")) resolve(text);
      });
      socket.on("close", () => reject(new Error(`closed after "${text}"`)));
      for (let i = 0; i < 64; ++i) socket.write(Buffer.alloc(65536, 118));
    });
    expect(heard).toContain("413");
  });

  it("counts pages that look at the scene, and lets no more in than it can serve", async () => {
    const server = await studio();
    const clients: SocketClient[] = [];
    for (let i = 0; i < 256; ++i) clients.push(await SocketClient.open(server.port));
    await expect(SocketClient.open(server.port)).rejects.toThrow("503");
    expect((await ask(server, "/")).status, "the page itself").toBe(200);
    await clients[255]!.until(() => clients[255]!.frames > 2);
    clients.pop()!.close();
    let again: SocketClient | undefined;
    for (let i = 0; i < 100 && again === undefined; ++i) {
      again = await SocketClient.open(server.port).catch(() => undefined);
      if (again === undefined) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(again, "there is room again").toBeDefined();
    [...clients, again!].forEach((client) => client.close());
  });

  it("lets no uploaded scene name files that were not uploaded", async () => {
    const server = await studio();
    for (const path of ["/etc/hostname", "../../etc/hostname", "other.msh"]) {
      for (const key of ["mesh", "body", "surface"]) {
        const scene = { limber: 1, bodies: [{ name: "b", [key]: path }] };
        const { status, body } = await ask(server, "/open?name=scene.json", {}, JSON.stringify(scene));
        expect(status, `${key} ${path}`).toBe(422);
        expect(body.toString(), `${key} ${path}`).toContain("was not uploaded with it");
      }
    }
    const own = { limber: 1, bodies: [{ name: "b", shape: "bar", size: [1, 0.2, 0.2], cells: [4, 1, 1], fixed: ["x<=0.001"] }] };
    expect((await ask(server, "/open?name=scene.json", {}, JSON.stringify(own))).status).toBe(200);
  });
});

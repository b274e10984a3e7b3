// A WebSocket client small enough to send what a browser never would.
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import type { Command, Frame, ServerMessage, StudioState } from "../../apps/studio/web/src/net/protocol";
import { decodeFrame } from "../../apps/studio/web/src/net/protocol";

type Listener = () => void;

export class SocketClient {
  readonly messages: ServerMessage[] = [];
  newest: Frame | undefined;
  frames = 0;
  frameBytes = 0;
  closed = false;
  private parts: { kind: number; payloads: Buffer[]; bytes: number } = { kind: 0, payloads: [], bytes: 0 };
  private pending = Buffer.alloc(0);
  private listeners = new Set<Listener>();

  private constructor(private readonly socket: Socket) {
    socket.on("data", (chunk) => this.take(chunk));
    socket.on("close", () => {
      this.closed = true;
      this.changed();
    });
    socket.on("error", () => undefined);
  }

  /** The status line's number is thrown as an error when the server refuses. */
  static open(port: number, headers: Record<string, string> = {}): Promise<SocketClient> {
    const all = {
      Host: `127.0.0.1:${port}`,
      Upgrade: "websocket",
      Connection: "Upgrade",
      "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
      "Sec-WebSocket-Version": "13",
      ...headers,
    };
    const request = Object.entries(all).map(([key, value]) => `${key}: ${value}\r\n`).join("");
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(`GET /socket HTTP/1.1\r\n${request}\r\n`));
      socket.on("error", reject);
      let head = Buffer.alloc(0);
      const onData = (chunk: Buffer) => {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        socket.off("data", onData);
        const status = Number(/^HTTP\/1.1 (\d+)/.exec(head.toString())![1]);
        if (status !== 101) {
          socket.destroy();
          reject(new Error(String(status)));
          return;
        }
        const client = new SocketClient(socket);
        client.take(head.subarray(end + 4));
        resolve(client);
      };
      socket.on("data", onData);
    });
  }

  get state(): StudioState | undefined {
    const states = this.messages.filter((m): m is StudioState => m.type === "state");
    return states.at(-1);
  }

  send(command: Command): void {
    this.sendText(JSON.stringify(command));
  }

  sendText(text: string): void {
    this.sendRaw(0x81, Buffer.from(text));
  }

  /** One frame with the given first byte. */
  sendRaw(first: number, payload: Buffer): void {
    const mask = randomBytes(4);
    const length = payload.length;
    const header = length < 126
      ? Buffer.from([first, 0x80 | length])
      : length < 65536
        ? Buffer.from([first, 0x80 | 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([first, 0x80 | 127]), bigEndian(length)]);
    const masked = Buffer.from(payload.map((byte, i) => byte ^ mask[i % 4]!));
    this.socket.write(Buffer.concat([header, mask, masked]));
  }

  sendBytes(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  close(): void {
    this.socket.destroy();
  }

  /** Until the condition holds; throws when it does not within `most` milliseconds. */
  until(condition: () => boolean, most = 60000): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!condition()) return;
        clearTimeout(timer);
        this.listeners.delete(check);
        resolve();
      };
      const timer = setTimeout(() => {
        this.listeners.delete(check);
        reject(new Error(`waited in vain for ${condition.toString()}`));
      }, most);
      this.listeners.add(check);
      check();
    });
  }

  private changed(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private take(chunk: Buffer): void {
    this.pending = Buffer.concat([this.pending, chunk]);
    for (;;) {
      if (this.pending.length < 2) return;
      const short = this.pending[1]! & 127;
      const header = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (this.pending.length < header) return;
      const length = short < 126 ? short : short === 126 ? this.pending.readUInt16BE(2)
        : Number(this.pending.readBigUInt64BE(2));
      if (this.pending.length < header + length) return;
      const first = this.pending[0]!;
      const payload = this.pending.subarray(header, header + length);
      this.pending = this.pending.subarray(header + length);
      this.join(first, payload, header + length);
    }
  }

  /** Long messages come in parts: the first says of which kind, those that follow are of kind 0. */
  private join(first: number, payload: Buffer, bytes: number): void {
    const kind = first & 15;
    if (kind >= 8) return this.handle(kind, payload, bytes);
    if (kind !== 0) this.parts = { kind, payloads: [], bytes: 0 };
    this.parts.payloads.push(payload);
    this.parts.bytes += bytes;
    if ((first & 0x80) !== 0) this.handle(this.parts.kind, Buffer.concat(this.parts.payloads), this.parts.bytes);
  }

  private handle(kind: number, payload: Buffer, bytes: number): void {
    if (kind === 1) this.messages.push(JSON.parse(payload.toString()) as ServerMessage);
    if (kind === 2) {
      this.newest = decodeFrame(new Uint8Array(payload).buffer);
      ++this.frames;
      this.frameBytes = bytes;
    }
    if (kind === 9) this.sendRaw(0x8a, payload); // a ping wants its pong
    this.changed();
  }
}

function bigEndian(length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return bytes;
}

// The studio's server as a process of its own, on a free port of 127.0.0.1.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const BUILD = process.env["LIMBER_BUILD"] ?? join(ROOT, "build", "release");

export interface StudioServer {
  address: string;
  port: number;
  process: ChildProcess;
  /** MB of memory and threads in use. */
  usage(): { megabytes: number; threads: number };
  stop(): Promise<void>;
}

/** `limber studio ARGS`. */
export function startStudio(...args: string[]): Promise<StudioServer> {
  return start(join(BUILD, "limber"), ["studio", ...(args.includes("--port") ? [] : ["--port", "0"]), ...args]);
}

/** The made-up bar of bending_bar.h. */
export function startBar(stations: number, modes: number): Promise<StudioServer> {
  return start(join(BUILD, "tests", "web", "bar_server"), [String(stations), String(modes)]);
}

async function start(program: string, args: string[]): Promise<StudioServer> {
  if (!existsSync(program)) throw new Error(`${program} is not built`);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    let complained = "";
    child.stderr.on("data", (chunk: Buffer) => (complained += chunk.toString()));
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const found = /http:\/\/[^ \n]+\//.exec(said);
      if (found !== null) resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${complained}`)));
  });
  return {
    address,
    port: Number(new URL(address).port),
    process: child,
    usage() {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      const megabytes = Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
      return { megabytes, threads: readdirSync(`/proc/${child.pid}/task`).length };
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
    },
  };
}

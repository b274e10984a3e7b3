// The studio's server as a process of its own, on a free port of 127.0.0.1.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const BUILD = process.env["LIMBER_BUILD"] ?? join(ROOT, "build", "release");

/** A scene of the repository. */
export const sceneFile = (name: string) => join(ROOT, "scenes", name);

export interface StudioServer {
  address: string;
  port: number;
  process: ChildProcess;
  /** MB of memory and threads in use. */
  usage(): { megabytes: number; threads: number };
  stop(): Promise<void>;
}

/** `limber studio ARGS`, which finds no project of an earlier run. */
export function startStudio(...args: string[]): Promise<StudioServer> {
  return startStudioKeeping(mkdtempSync(join(tmpdir(), "limber-state-")), ...args);
}

/** The same, keeping its project in a folder and looking for one there. */
export function startStudioKeeping(state: string, ...args: string[]): Promise<StudioServer> {
  return start(join(BUILD, "limber"), ["studio", ...(args.includes("--port") ? [] : ["--port", "0"]), ...args], state);
}

/** Where no other programs are: none that makes films. */
export function startStudioAlone(...args: string[]): Promise<StudioServer> {
  return start(join(BUILD, "limber"), ["studio", "--port", "0", ...args], mkdtempSync(join(tmpdir(), "limber-state-")), { PATH: "" });
}

/** The built program. */
export const PROGRAM = join(BUILD, "limber");

/** `limber study ARGS`. */
export function startStudy(...args: string[]): Promise<StudioServer> {
  return start(PROGRAM, ["study", "--port", "0", ...args]);
}

/** The made-up bar of bending_bar.h. */
export function startBar(stations: number, modes: number): Promise<StudioServer> {
  return start(join(BUILD, "tests", "web", "bar_server"), [String(stations), String(modes)]);
}

async function start(program: string, args: string[], state = tmpdir(), environment: NodeJS.ProcessEnv = {}): Promise<StudioServer> {
  if (!existsSync(program)) throw new Error(`${program} is not built`);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, XDG_STATE_HOME: state, ...environment } });
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    let complained = "";
    child.stderr.on("data", (chunk: Buffer) => (complained += chunk.toString()));
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const found = /http:\/\/\S+(?=\s)/.exec(said);
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

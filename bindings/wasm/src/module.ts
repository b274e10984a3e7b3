// limber.wasm: loading it, its memory, and calls of limber.h with their failures as exceptions.
import { fill, layoutOf, readRecords, type Layouts, type Values } from "./records.js";

/** What a function of limber.h said, by its number. */
export type Failure = "bad-input" | "work-failed" | "no-memory" | "too-small" | "internal";
const FAILURES: readonly Failure[] =
  ["bad-input", "work-failed", "no-memory", "too-small", "internal"];

export class LimberError extends Error {
  override readonly name = "LimberError";
  constructor(
    message: string,
    readonly failure: Failure,
  ) {
    super(message);
  }
}

/** Where limber.wasm is, or what is in it. */
export type WasmSource = URL | string | Response | BufferSource | WebAssembly.Module;

/** A number, or a 64-bit id. */
type Argument = number | bigint;
type Exported = (...args: Argument[]) => number;

/** Room for arguments of one call, freed after it. */
const SCRATCH_BYTES = 1 << 16;

export class Module {
  readonly layouts: Layouts;
  private readonly memory: WebAssembly.Memory;
  private readonly functions: Record<string, Exported>;
  private readonly scratch: number;
  private used = 0;

  constructor(instance: WebAssembly.Instance) {
    const { exports } = instance;
    this.memory = exports["memory"] as WebAssembly.Memory;
    this.functions = exports as unknown as Record<string, Exported>;
    this.functions["_initialize"]?.();
    this.scratch = this.allocate(SCRATCH_BYTES);
    this.layouts = readRecords(this.view(), this.function("limber_records")(), (at) => this.text(at));
  }

  /** Anew for each use: the memory moves when it grows. */
  view(): DataView {
    return new DataView(this.memory.buffer);
  }
  bytes(at: number, count: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, count);
  }
  floats(at: number, count: number): Float32Array {
    return new Float32Array(this.memory.buffer, at, count);
  }
  doubles(at: number, count: number): Float64Array {
    return new Float64Array(this.memory.buffer, at, count);
  }
  integers(at: number, count: number): Uint32Array {
    return new Uint32Array(this.memory.buffer, at, count);
  }

  text(at: number): string {
    const all = new Uint8Array(this.memory.buffer);
    return new TextDecoder().decode(all.slice(at, all.indexOf(0, at)));
  }

  /** Memory that stays until free(). */
  allocate(bytes: number): number {
    const at = this.function("malloc")(bytes);
    if (at === 0) throw new LimberError(`there is no memory for ${bytes} bytes`, "no-memory");
    return at;
  }
  free(at: number): void {
    this.function("free")(at);
  }

  /** Runs `work`, whose take()n memory is free again afterwards. */
  scoped<T>(work: () => T): T {
    const before = this.used;
    try {
      return work();
    } finally {
      this.used = before;
    }
  }
  /** Zeroed memory for arguments, inside scoped(). */
  take(bytes: number): number {
    const at = this.scratch + this.used;
    this.used += (bytes + 15) & ~15;
    if (this.used > SCRATCH_BYTES) throw new LimberError("too many arguments", "bad-input");
    this.bytes(at, bytes).fill(0);
    return at;
  }
  /** Three or four numbers as doubles, inside scoped(). */
  takeDoubles(numbers: ArrayLike<number>): number {
    const at = this.take(8 * numbers.length);
    this.doubles(at, numbers.length).set(numbers);
    return at;
  }
  takeText(text: string): number {
    const bytes = new TextEncoder().encode(text);
    const at = this.take(bytes.length + 1);
    this.bytes(at, bytes.length).set(bytes);
    return at;
  }

  /** A structure of limber.h, inside scoped(). */
  takeRecord(type: string, values: Values): number {
    const at = this.take(layoutOf(this.layouts, type).bytes);
    fill(this.layouts, this.view(), at, type, values);
    return at;
  }
  /** More memory than arguments take, for as long as `work` runs. */
  borrowed<T>(bytes: number, work: (at: number) => T): T {
    const at = this.allocate(Math.max(1, bytes));
    try {
      return work(at);
    } finally {
      this.free(at);
    }
  }

  /** A function of limber.h that returns a result: throws what it refuses. */
  call(name: string, ...args: Argument[]): void {
    const result = this.function(name)(...args);
    if (result !== 0) throw this.failure(result);
  }
  /** One that returns nothing, or something else. */
  plain(name: string, ...args: Argument[]): number {
    return this.function(name)(...args);
  }
  failure(result: number): LimberError {
    return new LimberError(this.text(this.function("limber_error")()),
      FAILURES[result - 1] ?? "internal");
  }

  private function(name: string): Exported {
    const found = this.functions[name];
    if (found === undefined) throw new TypeError(`limber.wasm has no ${name}: is it another version?`);
    return found;
  }
}

export async function loadModule(source: WasmSource): Promise<Module> {
  const module = source instanceof WebAssembly.Module ? source
    : await WebAssembly.compile(await inflated(await bytesOf(source as URL | string | Response | BufferSource)));
  const memory = () => instance.exports["memory"] as WebAssembly.Memory;
  const instance: WebAssembly.Instance = await WebAssembly.instantiate(module, imports(module, memory));
  return new Module(instance);
}

async function bytesOf(source: URL | string | Response | BufferSource): Promise<BufferSource> {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (source instanceof Response) return await source.arrayBuffer();
  if (source instanceof URL && source.protocol === "file:") return await fileBytes(source);
  return await fetchPlain(source);
}

async function fetchPlain(address: URL | string): Promise<ArrayBuffer> {
  const answer = await fetch(address);
  if (!answer.ok) throw new TypeError(`${answer.url}: ${answer.status} ${answer.statusText}`);
  return await answer.arrayBuffer();
}

/** The bytes of a file, inflated where it was packed by gzip. */
export async function fetchFile(address: URL | string): Promise<ArrayBuffer> {
  const bytes = await inflated(await fetchPlain(address));
  return bytes as ArrayBuffer;
}

/** By its first bytes, not by its name: some servers let browsers inflate what ends in .gz. */
async function inflated(bytes: BufferSource): Promise<BufferSource> {
  const [first, second] = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
  if (first !== 0x1f || second !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).arrayBuffer();
}

/** Node's fetch reads no files. */
async function fileBytes(file: URL): Promise<BufferSource> {
  const name = "node:fs/promises"; // by a variable: bundlers for the web shall not look for it
  const { readFile } = (await import(/* @vite-ignore */ name)) as
    { readFile(file: URL): Promise<Uint8Array<ArrayBuffer>> };
  return await readFile(file);
}

/** WASI's numbers: success, and "not supported". */
const WASI_OK = 0;
const WASI_NOT_SUPPORTED = 58;

/**
 * What the module asks of its surroundings: a clock, for what steps cost. Whatever else C's library
 * could want of a system is refused.
 */
function imports(module: WebAssembly.Module, memory: () => WebAssembly.Memory): WebAssembly.Imports {
  const known: Record<string, (...args: never[]) => number | void> = {
    clock_time_get: (_clock: number, _precision: bigint, at: number) => {
      const nanoseconds = BigInt(Math.round(1e6 * performance.now()));
      new DataView(memory().buffer).setBigUint64(at, nanoseconds, true);
      return WASI_OK;
    },
    proc_exit: trap,
  };
  const all: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== "function") throw new TypeError(`limber.wasm wants a ${kind}, ${from}.${name}`);
    (all[from] ??= {})[name] = known[name] ?? (() => WASI_NOT_SUPPORTED);
  }
  return all;
}

/** Ends a module that has called abort(): an exception would be caught in there, a trap is not. */
function trap(): void {
  // (module (func (export "t") unreachable))
  const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1,
    116, 0, 0, 10, 5, 1, 3, 0, 0, 11);
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  (instance.exports["t"] as () => void)();
}

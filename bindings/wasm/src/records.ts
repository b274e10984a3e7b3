// The structures of limber.h, filled and read by the names of their members; records.cpp tells how
// they lie in memory.

/** Numbers of a member: kind, place, and how many. */
interface Member {
  kind: number;
  offset: number;
  count: number;
}
interface Layout {
  bytes: number;
  members: Map<string, Member>;
}
export type Layouts = Map<string, Layout>;

const END = 0;
const WHOLE = 1;

const U64 = 3;
const F64 = 4;
const POINTER = 5;
const RECORD = 6;
const ENTRY_BYTES = 16;

/** What a record may be filled with; a record inside it comes with its type's name. */
export type Value = number | bigint | ArrayLike<number> | { type: string; values: Values };
export type Values = Readonly<Record<string, Value | undefined>>;

export function readRecords(view: DataView, at: number, text: (at: number) => string): Layouts {
  const layouts: Layouts = new Map();
  let members = new Map<string, Member>();
  for (; view.getInt32(at + 4, true) !== END; at += ENTRY_BYTES) {
    const name = text(view.getUint32(at, true));
    const kind = view.getInt32(at + 4, true);
    const offset = view.getInt32(at + 8, true);
    if (kind === WHOLE) {
      members = new Map();
      layouts.set(name, { bytes: offset, members });
    } else {
      members.set(name, { kind, offset, count: view.getInt32(at + 12, true) });
    }
  }
  return layouts;
}

export function layoutOf(layouts: Layouts, type: string): Layout {
  const layout = layouts.get(type);
  if (layout === undefined) throw new TypeError(`limber.wasm knows no ${type}: is it another version?`);
  return layout;
}

/** Writes the members that are given; `size`, where there is one, is the record's own. */
export function fill(layouts: Layouts, view: DataView, at: number, type: string, values: Values): void {
  const layout = layoutOf(layouts, type);
  const size = layout.members.get("size");
  if (size !== undefined) view.setUint32(at + size.offset, layout.bytes, true);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const member = memberOf(layout, type, name);
    const place = at + member.offset;
    if (typeof value === "object" && "type" in value) {
      fill(layouts, view, place, value.type, value.values);
      continue;
    }
    const numbers = typeof value === "object" ? Array.from(value) : [value];
    if (numbers.length !== member.count) {
      throw new TypeError(`${name} takes ${member.count} numbers, not ${numbers.length}`);
    }
    numbers.forEach((number, k) => put(view, place, k, member.kind, number));
  }
}

function memberOf(layout: Layout, type: string, name: string): Member {
  const member = layout.members.get(name);
  if (member === undefined) throw new TypeError(`${type} has no ${name}`);
  return member;
}

function put(view: DataView, place: number, k: number, kind: number, number: number | bigint): void {
  if (kind === F64) view.setFloat64(place + 8 * k, Number(number), true);
  else if (kind === U64) view.setBigUint64(place + 8 * k, BigInt(number), true);
  else view.setInt32(place + 4 * k, Number(number) | 0, true);
}

/** Reads members of a record. */
export class Reader {
  private readonly layout: Layout;
  constructor(
    layouts: Layouts,
    private readonly view: DataView,
    private readonly at: number,
    private readonly type: string,
  ) {
    this.layout = layoutOf(layouts, type);
  }
  number(name: string): number {
    return this.numbers(name)[0]!;
  }
  id(name: string): bigint {
    return this.view.getBigUint64(this.at + memberOf(this.layout, this.type, name).offset, true);
  }
  numbers(name: string): number[] {
    const { kind, offset, count } = memberOf(this.layout, this.type, name);
    if (kind === RECORD || kind === U64) throw new TypeError(`${name} is no number`);
    const place = this.at + offset;
    return Array.from({ length: count }, (_, k) =>
      kind === F64 ? this.view.getFloat64(place + 8 * k, true)
        : kind === POINTER ? this.view.getUint32(place + 4 * k, true)
        : this.view.getInt32(place + 4 * k, true));
  }
  triple(name: string): [number, number, number] {
    return this.numbers(name) as [number, number, number];
  }
  quaternion(name: string): [number, number, number, number] {
    return this.numbers(name) as [number, number, number, number];
  }
}

// What a mesh's file most likely means by its numbers: nobody writes it down.
import type { MeshImport, MeshSurvey } from "../net/backend";

export const UNITS = [
  { value: "m", label: "metres", metres: 1 },
  { value: "cm", label: "centimetres", metres: 0.01 },
  { value: "mm", label: "millimetres", metres: 0.001 },
  { value: "in", label: "inches", metres: 0.0254 },
  { value: "ft", label: "feet", metres: 0.3048 },
] as const;
export type Unit = (typeof UNITS)[number]["value"];

export interface Guess {
  unit: Unit;
  up: MeshImport["up"];
  why: string;
}

/** Bodies that people open are mostly between a hand's breadth and a room; printers speak millimetres. */
export function guess(name: string, { low, high }: MeshSurvey): Guess {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const longest = Math.max(...high.map((c, i) => c - low[i]!));
  if (ending === "glb") return { unit: "m", up: "y", why: "glTF files are in metres with y up." };
  const up = ending === "stl" ? "z" : "y";
  const axis = ending === "stl" ? "STL files have z up as a rule" : "Most such files have y up";
  if (longest > 300) return { unit: "mm", up, why: `${axis}; so many units are likely millimetres.` };
  if (longest > 20) return { unit: ending === "stl" ? "mm" : "cm", up,
    why: `${axis}; a body of that size is likely in ${ending === "stl" ? "milli" : "centi"}metres.` };
  return { unit: "m", up, why: `${axis}; numbers of this size are likely metres.` };
}

/** Width, height and depth in metres once it stands with y up. */
export function sizeInMetres({ low, high }: MeshSurvey, { scale, up }: MeshImport): [number, number, number] {
  const [x, y, z] = high.map((c, i) => scale * (c - low[i]!)) as [number, number, number];
  return up === "z" ? [x, z, y] : up === "x" ? [y, x, z] : [x, y, z];
}

// Numbers that people type: "2.5", "1.2 MPa", "3e5".
const PREFIX: Readonly<Record<string, number>> = { n: 1e-9, µ: 1e-6, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** A typed number with or without a unit and its prefix; nothing when it is none. A bare "m" behind a
 *  length is metres, not milli: prefixes count only in front of `unit`. */
export function parseNumber(text: string, unit = ""): number | undefined {
  const match = /^\s*([-+]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+]?\d+)?)\s*(\S.*?)?\s*$/i.exec(text);
  if (match === null) return undefined;
  const value = Number(match[1]!.replace(",", "."));
  const rest = match[2] ?? "";
  if (!Number.isFinite(value)) return undefined;
  if (rest === "" || rest === unit) return value;
  const factor = PREFIX[rest[0]!];
  return factor !== undefined && (rest.slice(1) === unit || rest.length === 1) ? value * factor : undefined;
}

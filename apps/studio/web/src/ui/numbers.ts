// Numbers that people type: "2.5", "1.2 MPa", "3e5".
import { make } from "./dom";
import type { Control } from "./controls";

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

/** Three numbers in a row that act once they were typed. */
export function tripleField(label: string, names: readonly string[], act: (value: number[]) => void):
  Control<readonly number[]> & { names(next: readonly string[]): void } {
  const element = make("div", { className: "numbers", role: "group", aria: { label } });
  let inputs: HTMLInputElement[] = [];
  const build = (wanted: readonly string[]) => {
    inputs = wanted.map((name) => make("input", { type: "text", inputMode: "decimal",
      aria: { label: `${label}, ${name}` }, onchange: () => {
        const values = inputs.map((input) => parseNumber(input.value, "m"));
        if (values.every((value) => value !== undefined)) act(values as number[]);
        else inputs.forEach((input) => input.classList.toggle("wrong", parseNumber(input.value, "m") === undefined));
      } }));
    element.replaceChildren(...wanted.map((name, i) => make("label", {}, make("span", {}, name), inputs[i]!)));
  };
  let shown = names.join();
  build(names);
  return {
    element,
    names(next) {
      if (next.join() === shown) return;
      shown = next.join();
      build(next);
    },
    set(values) {
      inputs.forEach((input, i) => {
        if (document.activeElement === input || values[i] === undefined) return;
        input.classList.remove("wrong");
        const text = String(Number(values[i].toPrecision(4)));
        if (input.value !== text) input.value = text;
      });
    },
  };
}

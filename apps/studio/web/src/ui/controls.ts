// The few kinds of control that the panels are made of. A control that the user holds is not
// overwritten by the server's state.
import { make } from "./dom";
import { parseNumber } from "./numbers";

export interface Control<T> {
  element: HTMLElement;
  set(value: T): void;
}

export interface SliderOptions {
  label: string;
  low: number;
  high: number;
  /** Equal ratios rather than equal differences. */
  logarithmic?: boolean;
  /** Whole numbers only. */
  whole?: boolean;
  format: (value: number) => string;
  hint?: string;
  /** Of typed values: "1.2 MPa" is 1.2e6 where it is "Pa". */
  unit?: string;
  /** Act when the slider comes to rest rather than all the way. */
  lazy?: boolean;
  act: (value: number) => void;
}

const STEPS = 1000;
/** The server answers within some milliseconds; its echo must not fight the hand for longer. */
const HANDS_OFF_MS = 400;

export function slider(options: SliderOptions): Control<number> & { limits(low: number, high: number): void } {
  let { low, high } = options;
  const toValue = (t: number) => {
    const value = options.logarithmic ? low * (high / low) ** t : low + (high - low) * t;
    return options.whole ? Math.round(value) : value;
  };
  const toPart = (value: number) =>
    options.logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low || 1);
  let touched = -Infinity;
  const output = make("input", { type: "text", className: "typed", autocomplete: "off",
    aria: { label: `${options.label}, typed` } });
  const input = make("input", { type: "range", min: "0", max: String(STEPS), step: "any",
    aria: { label: options.label } });
  const show = (value: number) => {
    if (document.activeElement === output) return; // somebody types
    output.value = options.format(value);
    output.classList.remove("wrong");
  };
  output.addEventListener("focus", () => output.select());
  output.addEventListener("keydown", (event) => {
    if (event.key === "Enter") output.blur();
  });
  output.addEventListener("change", () => {
    const typed = parseNumber(output.value, options.unit);
    output.classList.toggle("wrong", typed === undefined);
    if (typed === undefined) return;
    const next = Math.min(high, Math.max(low, options.whole ? Math.round(typed) : typed));
    touched = performance.now();
    input.value = String(STEPS * toPart(next));
    output.value = options.format(next);
    options.act(next);
  });
  const value = () => toValue(Number(input.value) / STEPS);
  input.addEventListener("input", () => {
    touched = performance.now();
    show(value());
    if (!options.lazy) options.act(value());
  });
  input.addEventListener("change", () => {
    touched = performance.now();
    if (options.lazy) options.act(value());
  });
  const element = make("div", { className: "slider", title: options.hint ?? "" },
    make("span", { className: "slider-label" }, options.label), output, input);
  return {
    element,
    set(next) {
      if (performance.now() - touched < HANDS_OFF_MS) return;
      input.value = String(STEPS * Math.min(1, Math.max(0, toPart(next))));
      show(next);
    },
    limits(newLow, newHigh) {
      low = newLow;
      high = newHigh;
    },
  };
}

export interface Choice<T extends string> {
  value: T;
  label: string;
  hint?: string;
}

/** A row of buttons of which one is down. */
export function segmented<T extends string>(
  label: string,
  choices: Choice<T>[],
  act: (value: T) => void,
): Control<T> {
  const buttons = choices.map((choice) =>
    make("button", { type: "button", title: choice.hint ?? "", onclick: () => act(choice.value),
      data: { value: choice.value } }, choice.label));
  const element = make("div", { className: "segmented", role: "group", aria: { label } }, ...buttons);
  return {
    element,
    set(value) {
      buttons.forEach((button) => {
        button.setAttribute("aria-pressed", String(button.dataset["value"] === value));
      });
    },
  };
}

export function select<T extends string>(
  label: string,
  act: (value: T) => void,
): Control<T> & { options(choices: Choice<T>[]): void } {
  const input = make("select", { aria: { label }, onchange: () => act(input.value as T) });
  let known = "";
  return {
    element: make("label", { className: "select" }, make("span", {}, label), input),
    set(value) {
      if (input.value !== value) input.value = value;
    },
    options(choices) {
      const key = JSON.stringify(choices);
      if (key === known) return;
      known = key;
      input.replaceChildren(...choices.map((choice) =>
        make("option", { value: choice.value, textContent: choice.label })));
    },
  };
}

export function button(label: string, act: () => void, className = ""): HTMLButtonElement {
  return make("button", { type: "button", className: `button ${className}`, onclick: act }, label);
}

export function section(title: string, ...children: (Node | string)[]): HTMLElement {
  return make("section", { className: "section" }, make("h2", {}, title), ...children);
}

/** Three digits and a unit's prefix: 1.2 MPa. */
export function withPrefix(value: number, unit: string): string {
  if (value === 0) return `0 ${unit}`;
  const prefixes = ["n", "µ", "m", "", "k", "M", "G", "T"];
  const power = Math.min(4, Math.max(-3, Math.floor(Math.log10(Math.abs(value)) / 3)));
  const scaled = value / 1000 ** power;
  return `${Number(scaled.toPrecision(3))} ${prefixes[power + 3]}${unit}`;
}

// Body, method, material, damping, gravity and time step.
import { METHOD_COLOUR, METHOD_NAME, METHOD_TEXT } from "../view/colours";
import type { BodyState, Command, Method, StudioState } from "../net/protocol";
import { section, select, slider, withPrefix } from "./controls";
import { make, setText } from "./dom";
import type { MakeSection } from "./make_section";
import type { Desk, Panel } from "./panel";
import { PRESETS, presetOf } from "./presets";

const EARTH = 9.81;
/** m/s: some two metres high. */
const THROW = 6;

/** ζ = (a/ω + bω)/2 at the body's first mode. */
export function dampingRatio(damping: BodyState["damping"], firstHz: number): number {
  const omega = 2 * Math.PI * firstHz;
  return omega > 0 ? (damping.mass / omega + damping.stiffness * omega) / 2 : 0;
}

/** The stiffness-proportional damping that gives this ratio at the first mode. */
export function rayleighFor(ratio: number, firstHz: number): BodyState["damping"] {
  return { mass: 0, stiffness: firstHz > 0 ? ratio / (Math.PI * firstHz) : 0 };
}

export function bodyPanel(desk: Desk, making: MakeSection): Panel {
  const facts = make("p", { className: "facts" });
  const bodySelect = select<string>("Body", (value) => desk.setLocal({ body: Number(value) }));
  const methodSelect = select<Method>("Method", (method) => {
    const state = desk.state();
    if (state !== undefined) {
      desk.send({ do: "lanes", methods: [method, ...state.lanes.slice(1)], truth: state.truth });
    }
  });
  methodSelect.element.dataset["test"] = "method";
  const swatch = make("i", { className: "swatch" });
  const methodText = make("p", { className: "hint" });
  const body = () => desk.state()?.bodies[desk.local().body];
  const material = (change: Partial<Pick<BodyState, "young" | "poisson" | "density">>) => {
    const b = body();
    if (b === undefined) return;
    const { young, poisson, density } = { ...b, ...change };
    desk.send({ do: "material", body: desk.local().body, young, poisson, density });
  };
  const presets = PRESETS.map((preset) => make("button", { type: "button", className: "button small", data: { preset: preset.name },
    title: `${withPrefix(preset.young, "Pa")}, ${preset.poisson}, ${preset.density} kg/m³`, onclick: () => {
      const b = body();
      if (b === undefined) return;
      material(preset);
      // Frequencies go with √(E/ρ): the ratio shall hold for the first of the modes to come.
      const hz = (b.frequencies_hz[0] ?? 0) * Math.sqrt((preset.young / b.young) * (b.density / preset.density));
      damp(rayleighFor(preset.ratio, hz));
    } }, preset.name));
  const young = slider({ label: "Stiffness", low: 1e3, high: 1e12, logarithmic: true,
    unit: "Pa", format: (v) => withPrefix(v, "Pa"), hint: "Young's modulus", act: (v) => material({ young: v }) });
  const poisson = slider({ label: "Poisson's ratio", low: 0, high: 0.49, lazy: true,
    format: (v) => v.toFixed(2), hint: "Modes are computed anew",
    act: (v) => material({ poisson: v }) });
  const density = slider({ label: "Density", low: 50, high: 10000, logarithmic: true, lazy: true,
    unit: "kg/m³", format: (v) => `${v.toFixed(0)} kg/m³`, hint: "Modes are computed anew",
    act: (v) => material({ density: v }) });
  const damp = (damping: BodyState["damping"]) =>
    desk.send({ do: "damping", body: desk.local().body, ...damping });
  const ratio = slider({ label: "Damping ratio", low: 0, high: 1.2, format: (v) => v.toFixed(3),
    hint: "Of the first mode; 1 comes to rest without swinging",
    act: (v) => damp(rayleighFor(v, body()?.frequencies_hz[0] ?? 0)) });
  const massDamping = slider({ label: "Rayleigh, mass", low: 0, high: 20,
    unit: "1/s", format: (v) => `${v.toFixed(2)} 1/s`, hint: "Slows everything, like a thick liquid",
    act: (v) => damp({ mass: v, stiffness: body()?.damping.stiffness ?? 0 }) });
  const stiffnessDamping = slider({ label: "Rayleigh, stiffness", low: 1e-5, high: 1,
    logarithmic: true, unit: "s", format: (v) => withPrefix(v, "s"), hint: "Stills fast modes first",
    act: (v) => damp({ mass: body()?.damping.mass ?? 0, stiffness: v }) });
  const gravity = slider({ label: "Gravity", low: -2 * EARTH, high: 2 * EARTH,
    unit: "m/s²", format: (v) => `${v.toFixed(1)} m/s²`, hint: "Downwards is positive",
    act: (v) => desk.send({ do: "gravity", acceleration: [0, -v, 0] }) });
  const timeStep = slider({ label: "Time step", low: 1 / 1000, high: 1 / 20, logarithmic: true,
    lazy: true, unit: "s", format: (v) => `${(1000 * v).toFixed(1)} ms`,
    act: (v) => desk.send({ do: "time_step", seconds: v }) });
  const act = (label: string, hint: string, test: string, command: (b: BodyState) => Command) =>
    make("button", { type: "button", title: hint, data: { test }, onclick: () => {
      const b = body();
      if (b !== undefined) desk.send(command(b));
    } }, label);
  const number = () => desk.local().body;
  const flight = make("div", { className: "row" },
    act("Put back", "Where the scene has it, at rest", "put-back", (b) => ({ do: "put", body: number(), ...b.start })),
    act("Stop", "Takes all its speed away", "stop",
      () => ({ do: "throw", body: number(), velocity: [0, 0, 0], spin: [0, 0, 0] })),
    act("Throw", "Up, with a spin", "throw",
      () => ({ do: "throw", body: number(), velocity: [0, THROW, 0], spin: [2, 1, 3] })));
  const element = make("div", {},
    section("Body", bodySelect.element, facts, flight),
    section("Method", make("div", { className: "row" }, swatch, methodSelect.element), methodText),
    section("Material", make("div", { className: "row wrap", role: "group", aria: { label: "Presets" } }, ...presets), young.element, poisson.element, density.element),
    section("Damping", ratio.element, massDamping.element, stiffnessDamping.element),
    making.element,
    section("World", gravity.element, timeStep.element));
  return { id: "body", title: "Body", element, update };

  function update(state: StudioState): void {
    bodySelect.options(state.bodies.map((b, i) => ({ value: String(i), label: b.name })));
    bodySelect.set(String(desk.local().body));
    bodySelect.element.hidden = state.bodies.length < 2;
    const b = state.bodies[desk.local().body];
    methodSelect.options(state.methods.map((m) => ({ value: m, label: METHOD_NAME[m] })));
    const method = state.lanes[0];
    if (method !== undefined) {
      methodSelect.set(method);
      swatch.style.background = METHOD_COLOUR[method];
      setText(methodText, METHOD_TEXT[method]);
    }
    flight.hidden = b?.free !== true;
    if (b !== undefined) {
      setText(facts, `${b.name}: ${b.nodes.toLocaleString("en")} nodes, ${b.tets.toLocaleString("en")} ` +
        `tetrahedra, ${b.vertices.toLocaleString("en")} surface vertices, ${b.mass.toPrecision(3)} kg`);
      const preset = presetOf(b)?.name;
      presets.forEach((one) => one.setAttribute("aria-pressed", String(one.dataset["preset"] === preset)));
      young.set(b.young);
      poisson.set(b.poisson);
      density.set(b.density);
      ratio.set(dampingRatio(b.damping, b.frequencies_hz[0] ?? 0));
      massDamping.set(b.damping.mass);
      stiffnessDamping.set(b.damping.stiffness);
    }
    making.update(state);
    gravity.set(-state.gravity[1]);
    timeStep.set(state.time_step);
  }
}

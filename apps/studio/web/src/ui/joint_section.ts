// Joints: made by two clicks on the stage or by their names, and what the chosen one is.
import { JOINT_KINDS, type JointChange, type JointKind, type JointSide, type JointState, type StudioState, type Vec3 } from "../net/protocol";
import type { JointPicker } from "../view/joint_picker";
import { button, section, segmented, select, withPrefix } from "./controls";
import { make, setText } from "./dom";
import { parseNumber, tripleField } from "./numbers";
import type { Desk } from "./panel";

const WORLD = "world";

/** "hinge: bar – the world" */
export function jointName({ kind, bodies }: Pick<JointState, "kind" | "bodies">): string {
  return `${kind}: ${bodies.map((name) => name ?? "the world").join(" – ")}`;
}

/** What to click next. */
export function promptOf(kind: JointKind, first: boolean): string {
  const article = `A ${kind}`;
  if (!first) return `${article}: click a point of the first body`;
  return kind === "distance" ? `${article}: click a point of the other body, or beside all for the world`
    : `${article}: click the other body or an obstacle, or beside all for the world`;
}

export interface JointHost {
  picker: () => JointPicker;
  /** Where two things are next to each other at the scene's start; the second may be the world. */
  between(a: JointSide, b: JointSide): [Vec3, Vec3] | undefined;
}

export interface JointSection {
  /** How they are made. */
  making: HTMLElement;
  /** The chosen one. */
  editing: HTMLElement;
  /** Over the picture while one is being made. */
  prompt: HTMLElement;
  update(state: StudioState): void;
}

const number = (label: string, test: string, act: (text: string, input: HTMLInputElement) => void) => {
  const input = make("input", { type: "text", className: "number", inputMode: "decimal", autocomplete: "off",
    aria: { label }, data: { test } });
  input.addEventListener("change", () => act(input.value, input));
  return input;
};

export function jointSection(desk: Desk, host: JointHost): JointSection {
  const words = make("span");
  const cancel = button("Cancel", () => host.picker().cancel(), "small");
  const prompt = make("div", { className: "offer", role: "status", hidden: true, data: { test: "joint-prompt" } }, words, cancel);
  const kinds = JOINT_KINDS.map((kind) => make("button", { type: "button", className: "button small", data: { joint: kind },
    onclick: () => {
      if (host.picker().kind === kind) host.picker().cancel();
      else host.picker().start(kind);
    } }, kind));
  const byName = { kind: "ball" as JointKind, a: "", b: WORLD };
  const chosenKind = select<JointKind>("Kind of joint", (kind) => (byName.kind = kind));
  chosenKind.options(JOINT_KINDS.map((kind) => ({ value: kind, label: kind })));
  const one = select<string>("First side", (value) => (byName.a = value));
  const other = select<string>("Second side", (value) => (byName.b = value));
  const join = button("Join", () => {
    const [a, b] = [sideOf(byName.a), sideOf(byName.b)];
    const places = host.between(a, b);
    if (places === undefined) return;
    const [at, to] = places;
    const middle = at.map((c, k) => (c + to[k]!) / 2) as unknown as Vec3;
    desk.send({ do: "add_joint", kind: byName.kind, a, b, at: byName.kind === "distance" ? at : middle,
      to: byName.kind === "distance" ? to : null });
  }, "small");
  join.dataset["test"] = "join";
  const making = section("Joints",
    make("div", { className: "row wrap", role: "group", aria: { label: "Make a joint" } }, ...kinds),
    make("p", { className: "hint" }, "Press a kind, then click two bodies: the scene goes back to its start meanwhile."),
    make("details", {}, make("summary", {}, "By their names"),
      make("div", { className: "row" }, chosenKind.element), make("div", { className: "row" }, one.element, other.element), join));

  const name = make("h2");
  const at = tripleField("At", ["x", "y", "z"], (value) => change({ at: value as unknown as Vec3 }));
  at.element.dataset["test"] = "joint-at";
  const to = tripleField("To", ["x", "y", "z"], (value) => change({ to: value as unknown as Vec3 }));
  to.element.dataset["test"] = "joint-to";
  const axes = segmented<"x" | "y" | "z">("Axis of the joint", (["x", "y", "z"] as const).map((value) => ({ value, label: `Along ${value}` })),
    (value) => change({ axis: [Number(value === "x"), Number(value === "y"), Number(value === "z")] }));
  axes.element.dataset["test"] = "joint-along";
  const axis = tripleField("Axis", ["x", "y", "z"], (value) => change({ axis: value as unknown as Vec3 }));
  axis.element.dataset["test"] = "joint-axis";
  const radius = number("Radius of the weld, m; empty: by itself", "joint-radius", optional("m", (value) => ({ radius: value })));
  const force = number("Breaks above, N; empty: never", "joint-break", optional("N", (value) => ({ break_force: value })));
  const ends = (["lowest", "highest"] as const).map((end) => number(`Limit, ${end}; empty: none`, `joint-${end}`, () => limits()));
  const collide = make("input", { type: "checkbox", data: { test: "joint-collide" }, onchange: () => change({ collide: collide.checked }) });
  const row = (label: string, ...inputs: HTMLElement[]) => make("label", { className: "row" }, make("span", { className: "row-name" }, label), ...inputs);
  const axisPart = make("div", {}, make("h3", {}, "Axis"), axes.element, axis.element);
  const toPart = make("div", {}, make("h3", {}, "To, m"), to.element);
  const radiusRow = row("Holds around, m", radius);
  const unit = make("span", { className: "row-name" });
  const limitRow = make("div", { className: "row" }, unit, ends[0]!, "to", ends[1]!);
  const now = make("output", { className: "hint", data: { test: "joint-now" } });
  const editing = make("section", { className: "section" }, name, make("h3", {}, "At, m"), at.element, toPart, axisPart, radiusRow,
    limitRow, row("Breaks above, N", force), make("label", { className: "check" }, collide, "The two still touch each other"), now);
  /** The joint whose limits are half typed. */
  let drafted: number | undefined;
  return { making, editing, prompt, update };

  function change(what: JointChange): void {
    const { joint } = desk.local();
    if (joint !== undefined) desk.send({ do: "change_joint", joint, ...what });
  }

  /** An empty field takes the value away. */
  function optional(unitName: string, of: (value: number) => JointChange) {
    return (text: string, input: HTMLInputElement): void => {
      const value = text.trim() === "" ? 0 : parseNumber(text, unitName);
      const wrong = value === undefined || value < 0 || (value === 0 && text.trim() !== "");
      input.classList.toggle("wrong", wrong);
      if (!wrong) change(of(value));
    };
  }

  /** One end alone says nothing yet: it waits for the other. */
  function limits(): void {
    const texts = ends.map((input) => input.value.trim());
    if (texts.every((text) => text === "")) {
      ends.forEach((input) => input.classList.remove("wrong"));
      drafted = undefined;
      change({ limits: [] });
      return;
    }
    const hinge = desk.state()?.joints[desk.local().joint ?? -1]?.kind === "hinge";
    const values = texts.map((text) => parseNumber(text, hinge ? "°" : "m"));
    ends.forEach((input, i) => input.classList.toggle("wrong", values[i] === undefined));
    const [low, high] = values;
    const whole = low !== undefined && high !== undefined && low <= high;
    if (low !== undefined && high !== undefined) ends[1]!.classList.toggle("wrong", high < low);
    drafted = whole ? undefined : desk.local().joint;
    const scale = hinge ? Math.PI / 180 : 1;
    if (whole) change({ limits: [low * scale, high * scale] });
  }

  function sideOf(value: string): JointSide {
    const [kind, index] = value.split("-");
    return kind === "body" ? { body: Number(index) } : kind === "obstacle" ? { obstacle: Number(index) } : null;
  }

  function update(state: StudioState): void {
    const picker = host.picker();
    prompt.hidden = !picker.active;
    if (picker.kind !== undefined) setText(words, promptOf(picker.kind, picker.first !== undefined));
    kinds.forEach((made) => made.setAttribute("aria-pressed", String(made.dataset["joint"] === picker.kind)));
    const things = [...state.bodies.map((body, i) => ({ value: `body-${i}`, label: body.name })),
      ...state.obstacles.map((obstacle, i) => ({ value: `obstacle-${i}`, label: obstacle.name }))];
    one.options(things);
    other.options([{ value: WORLD, label: "the world" }, ...things]);
    if (!things.some((thing) => thing.value === byName.a)) byName.a = things[0]?.value ?? "";
    if (byName.b !== WORLD && !things.some((thing) => thing.value === byName.b)) byName.b = WORLD;
    one.set(byName.a);
    other.set(byName.b);
    chosenKind.set(byName.kind);
    const joint = state.joints[desk.local().joint ?? -1];
    editing.hidden = joint === undefined;
    if (joint === undefined) return;
    setText(name, jointName(joint));
    at.set(joint.at);
    toPart.hidden = joint.to === null;
    to.set(joint.to ?? []);
    axisPart.hidden = joint.axis === null;
    axis.set(joint.axis ?? []);
    const along = joint.axis?.filter((c) => c !== 0).length === 1 ? (["x", "y", "z"] as const)[joint.axis.findIndex((c) => c !== 0)] : undefined;
    axes.set((along ?? "") as "x");
    radiusRow.hidden = joint.kind !== "weld";
    const limited = joint.kind === "hinge" || joint.kind === "slider" || joint.kind === "distance";
    limitRow.hidden = !limited;
    setText(unit, joint.kind === "hinge" ? "Limits, °" : "Limits, m");
    const scale = joint.kind === "hinge" ? 180 / Math.PI : 1;
    show(radius, joint.radius === 0 ? "" : String(Number(joint.radius.toPrecision(4))));
    show(force, joint.break_force === null ? "" : String(Number(joint.break_force.toPrecision(6))));
    if (drafted !== desk.local().joint) drafted = undefined;
    if (drafted === undefined) ends.forEach((input, i) => show(input, joint.limits === null ? "" : String(Number((scale * joint.limits[i]!).toPrecision(4)))));
    collide.checked = joint.collide;
    const live = desk.jointNow(desk.local().joint ?? -1);
    setText(now, live === undefined ? "" : live.broken ? "Broken: Back to rest makes it whole."
      : `Holds with ${withPrefix(live.force, "N")}`);
  }

  function show(input: HTMLInputElement, text: string): void {
    if (document.activeElement === input) return;
    input.value = text;
    input.classList.remove("wrong");
  }
}

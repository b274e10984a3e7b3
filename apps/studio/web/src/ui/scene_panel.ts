// The outliner: bodies, ground, obstacles and joints of the scene; and what was done to it.
import { SHAPES, type ObstacleState, type Shape, type StudioState, type Vec3 } from "../net/protocol";
import { section } from "./controls";
import { iconButton, make, setText, type IconName } from "./dom";
import { parseNumber, tripleField } from "./numbers";
import { jointName, type JointSection } from "./joint_section";
import type { Desk, Panel } from "./panel";

/** What the numbers of a shape's size are called. */
export const SIZE_NAMES: Readonly<Record<Shape | "surface", readonly string[]>> = {
  plane: [],
  sphere: ["radius"],
  box: ["x", "y", "z"],
  capsule: ["radius", "length"],
  surface: [],
};

/** kg of a new obstacle that moves by itself: as heavy as the lightest body, so that both yield. */
export function looseMass(state: Pick<StudioState, "bodies">): number {
  const masses = state.bodies.map((body) => body.mass).filter((mass) => mass > 0);
  return masses.length === 0 ? 1 : Number(Math.min(...masses).toPrecision(2));
}

interface Row {
  id: string;
  name: string;
  kind: string;
  chosen: boolean;
  /** Undefined where it cannot be hidden. */
  hidden: boolean | undefined;
  choose: () => void;
  duplicate: (() => void) | undefined;
  remove: (() => void) | undefined;
}

export function scenePanel(desk: Desk, joints: JointSection): Panel {
  const list = make("ul", { className: "outliner", aria: { label: "Bodies, obstacles and joints" } });
  const place = tripleField("Start", ["x", "y", "z"], (value) => {
    const { obstacle, body } = desk.local();
    const position = value as unknown as Vec3;
    if (obstacle !== undefined) desk.send({ do: "place_obstacle", obstacle, position });
    else desk.send({ do: "place_body", body, position });
  });
  place.element.dataset["test"] = "place";
  const size = tripleField("Size", [], (value) => {
    const { obstacle } = desk.local();
    if (obstacle !== undefined) desk.send({ do: "size_obstacle", obstacle, size: value });
  });
  size.element.dataset["test"] = "size";
  const chosenName = make("h2");
  const chosen = make("section", { className: "section" }, chosenName, place.element, size.element);
  const groundThere = make("input", { type: "checkbox", data: { test: "ground" },
    onchange: () => desk.send({ do: "ground", there: groundThere.checked, height: null }) });
  const groundHeight = make("input", { type: "text", className: "number", inputMode: "decimal",
    aria: { label: "Height of the ground" }, data: { test: "ground-height" }, onchange: () => {
      const height = parseNumber(groundHeight.value, "m");
      groundHeight.classList.toggle("wrong", height === undefined);
      if (height !== undefined) desk.send({ do: "ground", there: true, height });
    } });
  const feet = make("button", { type: "button", className: "button small", title: "The ground where the lowest body begins",
    data: { test: "feet" }, onclick: () => desk.send({ do: "ground", there: true, height: null }) }, "Under the feet");
  const contacts = make("input", { type: "checkbox", data: { test: "contacts" },
    onchange: () => desk.send({ do: "contacts", shown: contacts.checked }) });
  const touching = make("output", { className: "hint-inline" });
  const loose = make("input", { type: "checkbox", data: { test: "loose" } });
  const shapes = SHAPES.map((shape) => make("button", { type: "button", className: "button small",
    data: { shape }, onclick: () => {
      const state = desk.state();
      if (state === undefined) return;
      const mass = loose.checked && shape !== "plane" ? looseMass(state) : null;
      desk.send({ do: "add_obstacle", shape, mass });
    } }, shape));
  const addBody = make("button", { type: "button", className: "button", data: { test: "add-body" },
    onclick: () => desk.addBody() }, "Add a body");
  const addFile = make("button", { type: "button", className: "button", data: { test: "add-file" },
    onclick: () => desk.addBodyFile() }, "From a file");
  const history = make("ol", { className: "history", aria: { label: "History" } });
  const nothing = make("p", { className: "hint" }, "Nothing was changed yet. Ctrl + Z undoes, Ctrl + Shift + Z redoes.");
  const element = make("div", {},
    section("Scene", list, make("div", { className: "row wrap" }, addBody, addFile)),
    chosen, joints.editing,
    section("Obstacles", make("div", { className: "row wrap", role: "group", aria: { label: "Add an obstacle" } }, ...shapes),
      make("label", { className: "check" }, loose, "Moves by itself"),
      make("p", { className: "hint" }, "Drag an obstacle on the stage to push with it.")),
    joints.making,
    section("Ground", make("div", { className: "row" }, make("label", { className: "check" }, groundThere, "Ground"),
      groundHeight, feet),
      make("label", { className: "check" }, contacts, "Show contacts", touching)),
    section("History", nothing, history));
  let shown = "";
  let told = "";
  return { id: "scene", title: "Scene", element, update, frame: (frame) => {
    setText(touching, contacts.checked ? `${frame.contacts}` : "");
  }, draw: () => {
    const state = desk.state();
    if (state !== undefined && desk.local().joint !== undefined) joints.update(state);
  } };

  function rows(state: StudioState): Row[] {
    const { body, obstacle, joint, hidden } = desk.local();
    return [
      ...state.bodies.map((b, i): Row => ({ id: `body-${i}`, name: b.name, kind: b.free ? "free body" : "held body",
        chosen: obstacle === undefined && joint === undefined && body === i, hidden: hidden.has(b.name),
        choose: () => desk.setLocal({ body: i, obstacle: undefined, joint: undefined }),
        duplicate: () => desk.send({ do: "duplicate_body", body: i }),
        remove: state.bodies.length > 1 ? () => desk.send({ do: "remove_body", body: i }) : undefined })),
      ...state.obstacles.map((o, i): Row => ({ id: `obstacle-${i}`, name: o.name, kind: kindOf(o),
        chosen: obstacle === i, hidden: hidden.has(o.name),
        choose: () => desk.setLocal({ obstacle: i, joint: undefined }),
        duplicate: () => desk.send({ do: "duplicate_obstacle", obstacle: i }),
        remove: () => desk.send({ do: "remove_obstacle", obstacle: i }) })),
      ...state.joints.map((j, i): Row => ({ id: `joint-${i}`, name: jointName(j), kind: "", chosen: joint === i, hidden: undefined,
        choose: () => desk.setLocal({ joint: i, obstacle: undefined }), duplicate: undefined,
        remove: () => desk.send({ do: "remove_joint", joint: i }) })),
    ];
  }

  function item(row: Row): HTMLElement {
    const act = (icon: IconName, label: string, test: string, action: (() => void) | undefined) => {
      const made = iconButton(icon, `${label} ${row.name}`, action ?? (() => undefined));
      made.disabled = action === undefined;
      made.dataset["test"] = test;
      return made;
    };
    const flip = () => {
      const hidden = new Set(desk.local().hidden);
      if (!hidden.delete(row.name)) hidden.add(row.name);
      desk.setLocal({ hidden });
    };
    return make("li", { className: row.hidden === true ? "away" : "", data: { row: row.id } },
      make("button", { type: "button", className: "name", onclick: row.choose,
        aria: { pressed: String(row.chosen) } }, make("strong", {}, row.name), make("span", {}, row.kind)),
      row.hidden === undefined ? undefined : act(row.hidden ? "hidden" : "eye", row.hidden ? "Show" : "Hide", "hide", flip),
      row.duplicate === undefined ? undefined : act("copy", "Duplicate", "duplicate", row.duplicate),
      act("close", "Delete", "delete", row.remove));
  }

  function update(state: StudioState): void {
    const all = rows(state);
    const key = JSON.stringify(all);
    if (key !== shown) {
      shown = key;
      list.replaceChildren(...all.map(item));
    }
    joints.update(state);
    const { body, obstacle, joint } = desk.local();
    const held = obstacle === undefined ? undefined : state.obstacles[obstacle];
    const b = state.bodies[body];
    chosen.hidden = joint !== undefined || (held === undefined && b === undefined);
    setText(chosenName, `Start of ${held?.name ?? b?.name ?? ""}, m`);
    place.element.hidden = held?.keyed === true;
    place.set(held?.position ?? b?.start.position ?? [0, 0, 0]);
    size.element.hidden = held === undefined || held.size.length === 0;
    size.names(SIZE_NAMES[held?.shape ?? "plane"]);
    size.set(held?.size ?? []);
    groundThere.checked = state.ground !== null;
    groundHeight.hidden = feet.hidden = state.ground === null;
    if (state.ground !== null && document.activeElement !== groundHeight) {
      groundHeight.value = String(Number(state.ground.toPrecision(4)));
    }
    contacts.checked = state.contacts_shown;
    showHistory(state);
  }

  /** What was done, the newest first; above it what was undone. */
  function showHistory(state: StudioState): void {
    const key = JSON.stringify([state.undo, state.redo]);
    if (key === told) return;
    told = key;
    nothing.hidden = state.undo.length + state.redo.length > 0;
    const entry = (name: string, steps: number, className: string, hint: string) =>
      make("li", { className }, make("button", { type: "button", title: hint, data: { steps: String(steps) },
        onclick: () => desk.send({ do: "travel", steps }) }, name));
    history.replaceChildren(
      ...state.redo.map((name, i) => entry(name, i + 1, "undone", "Redo up to here")).reverse(),
      ...state.undo.map((name, i) => entry(name, -i - 1, "", "Undo this and all that came after")));
  }
}

function kindOf(obstacle: ObstacleState): string {
  const moves = obstacle.keyed ? "on a path" : obstacle.mass === null ? "fixed" : `${Number(obstacle.mass.toPrecision(3))} kg`;
  return `${obstacle.shape}, ${moves}`;
}

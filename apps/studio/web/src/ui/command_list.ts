// All that Ctrl + K finds, under the names that people look for.
import { type Command, JOINT_KINDS, type JointKind, SHAPES, type StudioState } from "../net/protocol";
import { METHOD_NAME } from "../view/colours";
import { TOOLS } from "../view/tools";
import type { FrameActions } from "./frame";
import type { NamedCommand } from "./palette";

/** What the page can do beside its buttons. */
export interface CommandDesk {
  send(command: Command): void;
  addBody(): void;
  addBodyFile(): void;
  /** Begins a joint of this kind. */
  join(kind: JointKind): void;
  showPanel(id: string): void;
  tour(): void;
  /** Whether the view is orthographic. */
  flat(): boolean;
}

export function namedCommands(state: StudioState, actions: FrameActions, desk: CommandDesk): NamedCommand[] {
  const send = (command: Command) => () => desk.send(command);
  const panel = (id: string, name: string) => ({ name: `Show ${name}`, act: () => desk.showPanel(id) });
  return [
    { name: state.playing ? "Pause" : "Play", key: "Space", act: actions.play },
    { name: "One step", key: ".", act: actions.step },
    { name: "Back to rest", key: "R", act: actions.reset },
    { name: state.undo[0] === undefined ? "Undo" : `Undo: ${state.undo[0]}`, key: "Ctrl + Z", act: actions.undo },
    { name: state.redo[0] === undefined ? "Redo" : `Redo: ${state.redo[0]}`, key: "Ctrl + Shift + Z", act: actions.redo },
    { name: "Gallery", key: "G", act: actions.gallery },
    { name: "Open a file", act: actions.openFile },
    { name: "Add a body from the gallery", act: () => desk.addBody() },
    { name: "Add a body from a file", act: () => desk.addBodyFile() },
    ...SHAPES.map((shape) => ({ name: `Add a ${shape}`, act: send({ do: "add_obstacle", shape, mass: null }) })),
    ...JOINT_KINDS.map((kind) => ({ name: `Join by a ${kind}`, act: () => desk.join(kind) })),
    { name: state.ground === null ? "Ground under the feet" : "Take the ground away",
      act: send({ do: "ground", there: state.ground === null, height: null }) },
    { name: state.contacts_shown ? "Hide contacts" : "Show contacts", act: send({ do: "contacts", shown: !state.contacts_shown }) },
    { name: state.recording ? "Stop recording" : "Record a take", act: actions.record },
    { name: "Save the project", act: () => actions.save("limberproj") },
    { name: "Save the scene", act: () => actions.save("json") },
    { name: "Screenshot", key: "S", act: actions.screenshot },
    { name: "Look at everything", key: "F", act: actions.fit },
    ...(["x", "y", "z"] as const).map((axis) => ({ name: `Look along ${axis}`, key: axis.toUpperCase(), act: () => actions.along(axis) })),
    { name: desk.flat() ? "Perspective view" : "Flat view (orthographic)", key: "O", act: actions.flat },
    { name: "Light or dark theme", act: actions.theme },
    { name: "Release all hands", act: actions.releaseAll },
    { name: "Keys and hands", key: "?", act: actions.legend },
    { name: "A short tour", act: () => desk.tour() },
    ...TOOLS.map((tool, i) => ({ name: `Tool: ${tool}`, key: String(i + 1), act: () => actions.tool(tool) })),
    panel("scene", "the scene"), panel("body", "the body"), panel("modes", "modes"), panel("compare", "comparison"),
    panel("plots", "plots"), panel("poses", "poses"), panel("takes", "takes"),
    ...state.methods.map((method) => ({ name: `Play by ${METHOD_NAME[method]}`,
      act: send({ do: "lanes", methods: [method, ...state.wanted_lanes.slice(1)], truth: state.truth }) })),
  ];
}

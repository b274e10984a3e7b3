// What page and worker tell each other. Commands and frames are the studio's own; a model comes as
// the page draws it.
import type { BodyModel } from "../../studio/web/src/net/model";
import type { Command, Frame } from "../../studio/web/src/net/protocol";

/** What this world understands of the studio's commands. */
export type LiveCommand = Extract<Command,
  { do: "play" | "reset" | "handle" | "move" | "release" | "release_all" | "hit" }>;

export interface Character {
  readonly name: string;
  /** Where its .limber file is. */
  readonly address: string;
}

export type ToWorker =
  | { type: "start"; runtime: string; characters: readonly Character[]; bodies: number }
  | { type: "more" }
  | { type: "command"; command: LiveCommand };

/** One body at the place where it starts. */
export interface LiveBody {
  /** Shared by all bodies of a character. */
  readonly model: BodyModel;
  readonly mass: number;
}

export type FromWorker =
  | { type: "bodies"; generation: number; bodies: readonly LiveBody[] }
  | { type: "frame"; frame: Frame }
  | { type: "error"; message: string };

const UNDERSTOOD: readonly string[] =
  ["play", "reset", "handle", "move", "release", "release_all", "hit"] satisfies LiveCommand["do"][];

export function isLiveCommand(command: Command): command is LiveCommand {
  return UNDERSTOOD.includes(command.do);
}

// Where models and frames come from and where commands go. The picture and the panels know only
// this; the socket is one source, a recording or a simulation inside the page could be another.
import type { Command, Frame, ServerMessage } from "./protocol";

/** The model's container as it comes over the wire; model.ts reads it. */
export type ModelBytes = ArrayBuffer;

/** Opens a mesh, a body or a scene; adds it as a key pose of the first body, or as one more body. */
export type FileUse = "scene" | "pose" | "body";

/** How a mesh's numbers become metres with y up. */
export interface MeshImport {
  scale: number;
  up: "x" | "y" | "z";
}

/** What a mesh's file holds, in its own units. */
export interface MeshSurvey {
  low: [number, number, number];
  high: [number, number, number];
  vertices: number;
  /** 0 for a surface. */
  tets: number;
}

export type Connection = "connecting" | "open" | "lost";

export interface BackendEvents {
  frame(frame: Frame): void;
  message(message: ServerMessage): void;
  connection(state: Connection): void;
}

export interface Backend {
  start(events: BackendEvents): void;
  stop(): void;
  /** False when the command could not be sent. */
  send(command: Command): boolean;
  fetchModel(generation: number): Promise<ModelBytes>;
  survey(file: File): Promise<MeshSurvey>;
  upload(file: File, as: FileUse, mesh?: MeshImport): Promise<void>;
  /** Where the recording (by ending), the scene ("json") or the project can be downloaded. */
  downloadAddress(ending: string): string;
}

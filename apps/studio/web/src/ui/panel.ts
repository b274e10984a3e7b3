// What a panel may know and do.
import type { Command, Frame, JointNow, StudioState } from "../net/protocol";
import type { ModePreview } from "../view/bodies";
import type { Layout } from "../view/stage";

/** What belongs to this page alone and not to the shared scene. */
export interface LocalState {
  preview: ModePreview | undefined;
  /** Swing of the previewed mode in parts of the body's size, and its pace. */
  previewPart: number;
  /** The previewed mode swings over the body, which goes on. */
  ghost: boolean;
  layout: Layout;
  body: number;
  /** The obstacle that is chosen instead of a body. */
  obstacle: number | undefined;
  /** The joint that is chosen instead of either. */
  joint: number | undefined;
  /** Names of bodies and obstacles that are not shown. */
  hidden: ReadonlySet<string>;
}

export interface Desk {
  send(command: Command): void;
  state(): StudioState | undefined;
  local(): LocalState;
  setLocal(change: Partial<LocalState>): void;
  addPoseFile(): void;
  /** One more body: from the gallery, or a file. */
  addBody(): void;
  addBodyFile(): void;
  /** A joint as it stands in the first lane. */
  jointNow(joint: number): JointNow | undefined;
  /** Downloads what is shown with this ending. */
  save(ending: string): void;
  /** A picture of the stage, pixels. */
  picture(width: number, height: number): void;
}

export interface Panel {
  id: string;
  title: string;
  element: HTMLElement;
  update(state: StudioState): void;
  frame?(frame: Frame, milliseconds: number): void;
  draw?(): void;
}

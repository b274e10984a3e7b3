// The page around the picture: bar at the top, tools at the left, transport at the foot, panels at
// the right.
import type { Connection } from "../net/backend";
import type { Method, StudioState } from "../net/protocol";
import type { BrushMode } from "../view/brush";
import { TOOLS, type Tool } from "../view/tools";
import type { ViewRectangle, Layout } from "../view/stage";
import { select, segmented } from "./controls";
import { icon, iconButton, make, setText, type IconName } from "./dom";
import { LaneLabels } from "./lane_labels";
import type { Panel } from "./panel";

/** The visible legend: what the pointer does with the chosen tool. */
const TOOL_HINT: Readonly<Record<Tool, string>> = {
  grab: "Drag the body to pull it, beside it to look around",
  turn: "Click a point, then drag the rings around it; with Shift the point stays free to move",
  pin: "Click a point to hold it, its dot to let go",
  push: "Drag from the body: a force along the arrow",
  shake: "Drag anywhere to throw the support around, with Shift to tilt it",
  hit: "Drag from the body and let go: a blow along the arrow; a click hits it away from you",
};

const TOOL_TEXT: Readonly<Record<Tool, readonly [string, string]>> = {
  grab: ["Grab", "Pull the body by the hand (1)"],
  turn: ["Turn", "Take a point and turn it (2)"],
  pin: ["Pin", "Hold a point where it is; click again to let go (3)"],
  push: ["Push", "Pull out a force arrow (4)"],
  shake: ["Shake", "Throw the support around (5)"],
  hit: ["Hit", "Strike the body (6)"],
};

export interface FrameActions {
  tool(tool: Tool): void;
  play(): void;
  step(): void;
  reset(): void;
  speed(factor: number): void;
  undo(): void;
  redo(): void;
  releaseAll(): void;
  gallery(): void;
  openFile(): void;
  record(): void;
  save(ending: string): void;
  screenshot(): void;
  legend(): void;
  fit(): void;
  along(axis: "x" | "y" | "z"): void;
  flat(): void;
  theme(): void;
  palette(): void;
  /** Plays a stopped lane by another method. */
  goOn(lane: number, method: Method): void;
}

const SPEEDS = ["1", "0.5", "0.25", "0.1"] as const;

export class PageFrame {
  readonly canvas = make("canvas", { className: "picture", tabIndex: 0,
    aria: { label: "The bodies. Drag them; drag beside them to look from elsewhere." } });
  readonly picture = make("main", { className: "stage" }, this.canvas);
  private readonly title = make("span", { className: "scene-title" });
  private readonly link = make("span", { className: "link", role: "status" });
  private readonly toolButtons = new Map<Tool, HTMLButtonElement>();
  private readonly playButton: HTMLButtonElement;
  private readonly recordButton: HTMLButtonElement;
  private readonly undoButton: HTMLButtonElement;
  private readonly redoButton: HTMLButtonElement;
  private readonly releaseButton: HTMLButtonElement;
  private readonly clock = make("output", { className: "clock", data: { test: "clock" } });
  private readonly pace = make("output", { className: "pace", data: { test: "pace" } });
  private readonly speed;
  private readonly save;
  private readonly hint = make("p", { className: "hands-hint" });
  private readonly labels: LaneLabels;
  private readonly loading = make("p", { className: "loading", hidden: true, role: "status" });
  private readonly notice = make("div", { className: "notice", hidden: true, role: "alert" });
  private panelShown: string;
  private connection: Connection = "connecting";
  private loadingBodies = true;

  constructor(
    root: HTMLElement,
    private readonly actions: FrameActions,
    private readonly panels: Panel[],
    private readonly panelChanged: (id: string) => void,
    foot: HTMLElement,
    overlays: HTMLElement[],
  ) {
    this.panelShown = panels[0]!.id;
    this.playButton = iconButton("pause", "Pause", () => actions.play());
    this.playButton.dataset["test"] = "play";
    this.recordButton = iconButton("record", "Record", () => actions.record());
    this.recordButton.dataset["test"] = "record";
    this.undoButton = iconButton("undo", "Undo (Ctrl + Z)", () => actions.undo());
    this.redoButton = iconButton("redo", "Redo (Ctrl + Shift + Z)", () => actions.redo());
    this.releaseButton = make("button", { type: "button", className: "button", hidden: true,
      onclick: () => actions.releaseAll() }, "Release all");
    this.speed = segmented<string>("Speed", SPEEDS.map((value) => ({
      value, label: value === "1" ? "1×" : `${value}×`, hint: "Pace of time" })),
      (value) => actions.speed(Number(value)));
    this.save = select<string>("Save", (ending) => {
      if (ending !== "") actions.save(ending);
      this.save.set("");
    });
    this.save.element.classList.add("save");
    this.labels = new LaneLabels({ goOn: (lane, method) => actions.goOn(lane, method),
      reset: () => actions.reset() });
    this.picture.append(this.labels.element, this.loading, this.hint, this.rail(), this.transport(), this.notice, foot, ...overlays);
    root.append(this.bar(), this.picture, this.side());
    this.setTool("grab");
  }

  update(state: StudioState): void {
    // What is only looked at cannot be taken hold of.
    const handsOff = state.interpolation.active || state.take !== 0;
    this.picture.classList.toggle("hands-off", handsOff);
    setText(this.title, state.title);
    document.title = state.title === "" ? "Limber" : `${state.title} · Limber`;
    this.playButton.replaceChildren(icon(state.playing ? "pause" : "play") as unknown as Node);
    label(this.playButton, state.playing ? "Pause (space)" : "Play (space)");
    this.recordButton.classList.toggle("on", state.recording);
    label(this.recordButton, state.recording ? "Stop recording" : "Record");
    this.undoButton.disabled = state.undo.length === 0;
    this.redoButton.disabled = state.redo.length === 0;
    label(this.undoButton, state.undo[0] === undefined ? "Undo (Ctrl + Z)" : `Undo: ${state.undo[0]} (Ctrl + Z)`);
    label(this.redoButton, state.redo[0] === undefined ? "Redo (Ctrl + Shift + Z)" : `Redo: ${state.redo[0]} (Ctrl + Shift + Z)`);
    this.releaseButton.hidden = state.handles.length === 0;
    this.speed.set(String(state.speed));
    const recorded = state.takes.length > 0 && !state.recording;
    this.save.options([{ value: "", label: "Save…" }, { value: "limberproj", label: "Project (.limberproj)" },
      { value: "json", label: "Scene (.json)" },
      ...(recorded ? state.formats.map((f) => ({ value: f, label: `Take (.${f})` })) : [])]);
    for (const panel of this.panels) {
      if (panel.id === this.panelShown) panel.update(state);
    }
  }

  setClock(time: number): void {
    setText(this.clock, `${time.toFixed(2)} s`);
  }

  /** How fast the scene's time goes, in words; late ones stand out. */
  setPace(words: string, late: boolean): void {
    setText(this.pace, words);
    this.pace.classList.toggle("late", late);
  }

  setTool(tool: Tool): void {
    for (const [name, button] of this.toolButtons) {
      button.setAttribute("aria-pressed", String(name === tool));
    }
    this.canvas.dataset["tool"] = tool;
    setText(this.hint, `${TOOL_HINT[tool]} · ? shows all keys`);
  }

  /** A brush that is in use shows its own pointer. */
  setBrush(mode: BrushMode): void {
    this.canvas.classList.toggle("painting", mode !== "off");
  }

  setConnection(connection: Connection): void {
    this.connection = connection;
    this.showLink();
    this.notice.hidden = connection !== "lost";
    if (connection === "lost") {
      setText(this.notice,
        "The studio's server is gone. Start it again; this page connects by itself.");
    }
  }

  /** Names of the lanes over their views, and what stopped; none for a single lane that plays. */
  setLabels(state: StudioState, views: ViewRectangle[], layout: Layout): void {
    this.labels.update(state, views, layout);
  }

  /** A stage without its bodies says that they are on their way. */
  setLoading(loading: boolean): void {
    this.loadingBodies = loading;
    this.showLink();
  }

  private showLink(): void {
    const loading = this.loadingBodies && this.connection === "open";
    const words = { connecting: "Connecting…", open: "Connected", lost: "Not connected" };
    setText(this.link, loading ? "Loading…" : words[this.connection]);
    this.link.dataset["state"] = loading ? "connecting" : this.connection;
    this.loading.hidden = !loading;
    setText(this.loading, "Loading the scene…");
  }

  showPanel(id: string): void {
    this.panelShown = id;
    for (const panel of this.panels) panel.element.hidden = panel.id !== id;
    document.querySelectorAll<HTMLElement>("[role=tab]").forEach((tab) => {
      tab.setAttribute("aria-selected", String(tab.dataset["panel"] === id));
    });
    this.panelChanged(id);
  }

  get panel(): Panel {
    return this.panels.find((panel) => panel.id === this.panelShown)!;
  }

  private bar(): HTMLElement {
    const { actions } = this;
    const labelled = (name: IconName, text: string, act: () => void) =>
      make("button", { type: "button", className: "button bar-button", onclick: act },
        icon(name) as unknown as Node, text);
    return make("header", { className: "bar" },
      make("h1", { className: "wordmark" }, "Limber"), this.title,
      make("span", { className: "spacer" }),
      labelled("gallery", "Gallery", () => actions.gallery()),
      labelled("open", "Open", () => actions.openFile()),
      this.recordButton, this.save.element,
      iconButton("camera", "Screenshot (S)", () => actions.screenshot()),
      iconButton("search", "Commands (Ctrl + K)", () => actions.palette()),
      iconButton("theme", "Light or dark", () => actions.theme()),
      iconButton("help", "Keys (?)", () => actions.legend()), this.link);
  }

  private rail(): HTMLElement {
    const rail = make("nav", { className: "rail", aria: { label: "Tools" } });
    for (const tool of TOOLS) {
      const [name, hint] = TOOL_TEXT[tool];
      const button = make("button", { type: "button", title: hint, data: { tool },
        onclick: () => this.actions.tool(tool) }, icon(tool) as unknown as Node, make("span", {}, name));
      this.toolButtons.set(tool, button);
      rail.append(button);
    }
    rail.append(make("hr"), this.undoButton, this.redoButton,
      iconButton("fit", "Look at the whole body (F)", () => this.actions.fit()));
    return rail;
  }

  private transport(): HTMLElement {
    const { actions } = this;
    return make("div", { className: "transport" },
      iconButton("reset", "Back to rest (R)", () => actions.reset()), this.playButton,
      iconButton("step", "One step (.)", () => actions.step()), this.clock, this.pace, this.speed.element,
      this.releaseButton);
  }

  private side(): HTMLElement {
    const tabs = this.panels.map((panel) =>
      make("button", { type: "button", role: "tab", data: { panel: panel.id },
        onclick: () => this.showPanel(panel.id) }, panel.title));
    return make("aside", { className: "side" },
      make("div", { className: "tabs", role: "tablist" }, ...tabs),
      make("div", { className: "panels" }, ...this.panels.map((panel) => panel.element)));
  }
}

function label(button: HTMLButtonElement, text: string): void {
  button.title = text;
  button.setAttribute("aria-label", text);
}

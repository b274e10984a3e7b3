// The studio: joins the backend, the picture and the panels.
import * as THREE from "three";
import type { Backend, Connection, FileUse } from "./net/backend";
import { decodeModel } from "./net/model";
import { downloadName } from "./net/socket_backend";
import { sameGeneration, type Command, type Frame, type Handle, type Method, type SavedView,
  SHAPES, type ServerMessage, type StudioState, type Vec3 } from "./net/protocol";
import { bodyPanel } from "./ui/body_panel";
import { comparePanel } from "./ui/compare_panel";
import { PageFrame } from "./ui/frame";
import { bindKeys } from "./ui/keys";
import { modesPanel } from "./ui/modes_panel";
import { Offer } from "./ui/offer";
import { acceptDrops, chooseFile, download, Gallery, Legend, Messages } from "./ui/overlays";
import { Pace, paceText } from "./ui/pace";
import { Palette, type NamedCommand } from "./ui/palette";
import type { LocalState } from "./ui/panel";
import { plotsPanel } from "./ui/plots_panel";
import { posesPanel } from "./ui/poses_panel";
import { scenePanel } from "./ui/scene_panel";
import { takesPanel } from "./ui/takes_panel";
import { Tour } from "./ui/tour";
import { applyTheme, chosenTheme, toggledTheme } from "./ui/theme";
import { Timeline } from "./ui/timeline";
import { Bodies } from "./view/bodies";
import { METHOD_NAME } from "./view/colours";
import { Markers } from "./view/markers";
import { Obstacles } from "./view/obstacles";
import { Stage } from "./view/stage";
import { TOOLS, Tools, type Tool } from "./view/tools";
import { Touching } from "./view/touching";

const MESHES = ".limberproj,.obj,.ply,.stl,.off,.glb,.msh,.mesh,.vtk,.vtu,.veg,.limber,.json";
/** A previewed mode swings at this pace whatever its frequency, Hz. */
const PREVIEW_HZ = 0.7;
/** Plots are redrawn so often, Hz. */
const PLOT_HZ = 12;

export class Studio {
  readonly stage: Stage;
  readonly bodies: Bodies;
  readonly obstacles: Obstacles;
  readonly touching: Touching;
  readonly tools: Tools;
  state: StudioState | undefined;
  connection: Connection = "connecting";
  frames = 0;
  newest: Frame | undefined;
  private local: LocalState = { preview: undefined, previewPart: 0.25, layout: "side", body: 0,
    obstacle: undefined, hidden: new Set() };
  private handles: Handle[] = [];
  private loadedGeneration = -1;
  private wantedGeneration = -1;
  private openedSeen = -1;
  private readonly page: PageFrame;
  private readonly markers: Markers;
  private readonly messages = new Messages();
  private readonly gallery: Gallery;
  private readonly legend = new Legend();
  private readonly palette: Palette;
  private readonly tour = new Tour();
  private readonly pace = new Pace();
  private sceneSize = 1;
  private readonly timeline: Timeline;
  private readonly offer: Offer;
  private readonly poses;
  private lastPicture = performance.now();
  private lastPlot = 0;
  private fresh = false;

  constructor(
    root: HTMLElement,
    private readonly backend: Backend,
  ) {
    const desk = {
      send: (command: Command) => void this.send(command),
      state: () => this.state,
      local: () => this.local,
      setLocal: (change: Partial<LocalState>) => this.setLocal(change),
      addPoseFile: () => chooseFile(MESHES, (file) => void this.upload(file, "pose")),
      addBody: () => this.gallery.toggle(true),
      addBodyFile: () => this.openFile("body"),
      save: (ending: string) => this.save(ending),
      picture: (width: number, height: number) => void this.picture(width, height),
    };
    this.poses = posesPanel(desk);
    this.timeline = new Timeline(desk);
    this.offer = new Offer(desk);
    this.gallery = new Gallery((sample, adding) => this.send(adding ? { do: "add_body", sample } : { do: "open", sample }),
      (adding) => this.openFile(adding ? "body" : "scene"));
    this.palette = new Palette(() => this.commands());
    const panels = [scenePanel(desk), bodyPanel(desk), modesPanel(desk), comparePanel(desk),
      plotsPanel(desk, () => this.bodies.where), this.poses, takesPanel(desk)];
    this.page = new PageFrame(root, this.actions(), panels, (id) => this.panelChanged(id),
      this.timeline.element, [this.messages.element, this.offer.element, this.tour.element]);
    root.append(this.gallery.element, this.legend.element, this.palette.element);
    this.stage = new Stage(this.page.canvas);
    this.stage.controls.addEventListener("end", () => this.sendView());
    this.bodies = new Bodies(this.stage);
    this.obstacles = new Obstacles(this.stage);
    this.touching = new Touching(this.stage);
    applyTheme(chosenTheme());
    this.stage.setDark(chosenTheme() === "dark");
    this.markers = new Markers(this.stage.scene, this.stage.camera);
    this.tools = new Tools(this.stage, this.bodies, this.markers, this.obstacles, {
      send: (command) => this.send(command),
      handles: () => this.handles,
      showHandle: (handle, id) => this.showHandle(handle, id),
      mass: (body) => this.state?.bodies[body]?.mass ?? 1,
      selectionChanged: () => undefined,
      touched: (what) => this.setLocal("body" in what ? { body: what.body, obstacle: undefined } : what),
    });
    bindKeys(this.actions(), this.tools);
    acceptDrops(root, (files) => void this.dropped(files));
    this.page.showPanel("body");
  }

  start(): void {
    this.backend.start({
      frame: (frame) => this.frame(frame),
      message: (message) => this.message(message),
      connection: (state) => {
        this.connection = state;
        this.page.setConnection(state);
      },
    });
    this.stage.renderer.setAnimationLoop((now) => this.draw(now));
  }

  send(command: Command): boolean {
    return this.backend.send(command);
  }

  private actions() {
    return {
      tool: (tool: Tool) => {
        this.tools.setTool(tool);
        this.page.setTool(tool);
      },
      play: () => this.send({ do: "play", playing: !(this.state?.playing ?? false) }),
      step: () => this.send({ do: "step" }),
      reset: () => this.send({ do: "reset" }),
      speed: (factor: number) => this.send({ do: "speed", factor }),
      undo: () => this.send({ do: "undo" }),
      redo: () => this.send({ do: "redo" }),
      releaseAll: () => this.send({ do: "release_all" }),
      gallery: () => this.gallery.toggle(),
      openFile: () => this.openFile("scene"),
      record: () => this.send({ do: "record", running: !(this.state?.recording ?? false) }),
      save: (ending: string) => this.save(ending),
      screenshot: () => this.screenshot(),
      legend: () => this.legend.toggle(),
      fit: () => this.fit(),
      along: (axis: "x" | "y" | "z") => this.stage.lookAlong(axis),
      flat: () => this.stage.setFlat(!this.stage.flat),
      theme: () => this.stage.setDark(toggledTheme() === "dark"),
      palette: () => this.palette.toggle(),
      goOn: (lane: number, method: Method) => {
        const { state } = this;
        if (state === undefined) return;
        this.send({ do: "lanes", truth: state.truth,
          methods: state.wanted_lanes.map((m, i) => (i === lane ? method : m)) });
      },
    };
  }

  /** All that Ctrl + K finds. */
  private commands(): NamedCommand[] {
    const actions = this.actions();
    const { state } = this;
    if (state === undefined) return [];
    const send = (command: Command) => () => void this.send(command);
    const panel = (id: string, name: string) => ({ name: `Show ${name}`, act: () => this.page.showPanel(id) });
    return [
      { name: state.playing ? "Pause" : "Play", key: "Space", act: actions.play },
      { name: "One step", key: ".", act: actions.step },
      { name: "Back to rest", key: "R", act: actions.reset },
      { name: state.undo[0] === undefined ? "Undo" : `Undo: ${state.undo[0]}`, key: "Ctrl + Z", act: actions.undo },
      { name: state.redo[0] === undefined ? "Redo" : `Redo: ${state.redo[0]}`, key: "Ctrl + Shift + Z", act: actions.redo },
      { name: "Gallery", key: "G", act: actions.gallery },
      { name: "Open a file", act: actions.openFile },
      { name: "Add a body from the gallery", act: () => this.gallery.toggle(true) },
      { name: "Add a body from a file", act: () => this.openFile("body") },
      ...SHAPES.map((shape) => ({ name: `Add a ${shape}`, act: send({ do: "add_obstacle", shape, mass: null }) })),
      { name: state.ground === null ? "Ground under the feet" : "Take the ground away",
        act: send({ do: "ground", there: state.ground === null, height: null }) },
      { name: state.contacts_shown ? "Hide contacts" : "Show contacts", act: send({ do: "contacts", shown: !state.contacts_shown }) },
      { name: state.recording ? "Stop recording" : "Record a take", act: actions.record },
      { name: "Save the project", act: () => actions.save("limberproj") },
      { name: "Save the scene", act: () => actions.save("json") },
      { name: "Screenshot", key: "S", act: actions.screenshot },
      { name: "Look at everything", key: "F", act: actions.fit },
      ...(["x", "y", "z"] as const).map((axis) => ({ name: `Look along ${axis}`, key: axis.toUpperCase(), act: () => actions.along(axis) })),
      { name: this.stage.flat ? "Perspective view" : "Flat view (orthographic)", key: "O", act: actions.flat },
      { name: "Light or dark theme", act: actions.theme },
      { name: "Release all hands", act: actions.releaseAll },
      { name: "Keys and hands", key: "?", act: actions.legend },
      { name: "A short tour", act: () => this.tour.show(0) },
      ...TOOLS.map((tool, i) => ({ name: `Tool: ${tool}`, key: String(i + 1), act: () => actions.tool(tool) })),
      panel("scene", "the scene"), panel("body", "the body"), panel("modes", "modes"), panel("compare", "comparison"),
      panel("plots", "plots"), panel("poses", "poses"), panel("takes", "takes"),
      ...state.methods.map((method) => ({ name: `Play by ${METHOD_NAME[method]}`,
        act: send({ do: "lanes", methods: [method, ...state.wanted_lanes.slice(1)], truth: state.truth }) })),
    ];
  }

  private save(ending: string): void {
    this.sendView();
    download(this.backend.downloadAddress(ending), downloadName(ending));
  }

  private message(message: ServerMessage): void {
    switch (message.type) {
      case "state":
        this.applyState(message);
        break;
      case "handles":
        this.takeHandles(message.handles);
        break;
      case "progress":
        this.messages.progress(message.stage, message.fraction);
        break;
      case "idle":
        this.messages.progress(undefined);
        break;
      case "error":
        this.messages.say(message.message, "error");
        break;
      case "curve":
        this.poses.curve(message);
    }
  }

  private applyState(state: StudioState): void {
    this.state = state;
    if (this.local.body >= state.bodies.length) this.local.body = 0;
    if ((this.local.obstacle ?? -1) >= state.obstacles.length) this.local.obstacle = undefined;
    this.bodies.setLanes(state.lanes, this.local.layout);
    this.takeHandles(state.handles);
    this.gallery.update(state.samples);
    this.timeline.update(state);
    this.offer.update(state);
    this.refresh();
    if (state.generation !== this.wantedGeneration) void this.loadModel(state.generation);
  }

  private refresh(): void {
    if (this.state === undefined) return;
    this.obstacles.update(this.state.obstacles, this.state.lanes.length, this.sceneSize, this.local.hidden);
    this.obstacles.choose(this.local.obstacle);
    this.bodies.setHidden(this.local.hidden);
    if (this.newest !== undefined) this.obstacles.show(this.newest);
    this.page.update(this.state);
    this.page.setLabels(this.state, this.stage.rectangles(), this.local.layout);
  }

  private async loadModel(generation: number): Promise<void> {
    this.wantedGeneration = generation;
    this.local.preview = undefined;
    this.page.setLoading(true);
    try {
      const model = decodeModel(await this.backend.fetchModel(generation));
      if (this.wantedGeneration !== generation) return; // a newer one is on its way
      const grown = model.bodies.length > (this.bodies.loaded?.bodies.length ?? 0);
      this.bodies.load(model);
      this.obstacles.load(model.surfaces);
      this.surround();
      if (grown) this.fit();
      this.takeView();
      this.loadedGeneration = generation;
      this.page.setLoading(false);
      if (this.newest !== undefined) this.frame(this.newest);
      this.refresh();
      this.tour.startOnce();
    } catch (error) {
      if (this.wantedGeneration !== generation) return;
      this.wantedGeneration = -1;
      this.messages.say(error instanceof Error ? error.message : String(error), "error");
    }
  }

  /** A project is looked at as it was when it was saved; a changed body from where one stands. */
  private takeView(): void {
    const { state } = this;
    if (state === undefined) return;
    if (state.opened !== this.openedSeen) {
      this.openedSeen = state.opened;
      this.local.hidden = new Set(state.view?.hidden ?? []);
      this.fit();
      if (state.view !== null) this.stage.lookFrom(state.view.eye, state.view.target);
    }
  }

  private box(): THREE.Box3 {
    return this.bodies.box(this.state?.bodies.map((body) => body.start) ?? []);
  }

  private fit(): void {
    const { min, max } = this.box();
    if (min.x <= max.x) this.stage.frame(min, max, this.bodies.loaded?.floor ?? null);
  }

  private surround(): void {
    const { min, max } = this.box();
    if (min.x > max.x) return;
    this.sceneSize = this.stage.surround(min, max, this.bodies.loaded?.floor ?? null).size;
  }

  private sendView(): void {
    const [eye, target] = [this.stage.camera.position, this.stage.controls.target]
      .map((v) => [v.x, v.y, v.z] as Vec3);
    const view: SavedView = { eye: eye!, target: target!, hidden: [...this.local.hidden] };
    this.send({ do: "view", view });
  }

  private frame(frame: Frame): void {
    this.newest = frame;
    this.fresh = true;
    if (this.state?.playing === true) this.pace.push(performance.now() / 1000, frame.time);
    else this.pace.clear();
    ++this.frames;
  }

  /** The hand that this page is moving is known here first. */
  private takeHandles(handles: Handle[]): void {
    const held = this.tools.dragged;
    const mine = this.handles.find((handle) => handle.id === held);
    this.handles = handles.map((h) => (mine !== undefined && h.id === held ? mine : h));
    if (mine !== undefined && !handles.some((h) => h.id === held)) this.handles.push(mine);
  }

  private showHandle(handle: Handle | undefined, id: number): void {
    this.handles = this.handles.filter((h) => h.id !== id);
    if (handle !== undefined) this.handles.push({ ...handle });
  }

  private setLocal(change: Partial<LocalState>): void {
    Object.assign(this.local, change);
    if (change.hidden !== undefined) this.sendView();
    if (this.local.preview !== undefined) {
      const { body, mode } = this.local.preview;
      const amplitude = this.bodies.previewAmplitude(body, mode, this.local.previewPart);
      this.local.preview = { body, mode, amplitude };
    }
    if (this.state !== undefined) this.bodies.setLanes(this.state.lanes, this.local.layout);
    this.fresh = true;
    this.refresh();
  }

  private panelChanged(id: string): void {
    this.timeline.element.hidden = id !== "poses";
    this.page.picture.classList.toggle("with-timeline", id === "poses");
    if (id !== "modes" && this.local.preview !== undefined) this.setLocal({ preview: undefined });
    this.refresh();
  }

  private draw(now: number): void {
    const elapsed = now - this.lastPicture;
    this.lastPicture = now;
    const { newest, state } = this;
    const { preview } = this.local;
    const current = newest !== undefined && state !== undefined &&
      sameGeneration(newest, this.loadedGeneration);
    if (preview !== undefined) {
      this.bodies.preview(preview, 2 * Math.PI * PREVIEW_HZ * (now / 1000));
    } else if (current && this.fresh) {
      this.fresh = !this.bodies.show(newest);
      this.obstacles.show(newest);
      this.touching.show(state.contacts_shown ? newest.touching : [], this.sceneSize);
      this.page.setClock(newest.time);
      if (state.interpolation.active) this.timeline.showTime(newest.time);
    }
    if (current) this.page.panel.frame?.(newest, elapsed);
    this.tools.update();
    this.markers.update(this.handles, this.tools.selected,
      (handle) => this.bodies.vertexInWorld(0, handle.body, handle.vertex));
    this.stage.render();
    if (now - this.lastPlot > 1000 / PLOT_HZ) {
      this.lastPlot = now;
      this.page.panel.draw?.();
      if (state !== undefined) this.showPace(state);
      if (state !== undefined) this.page.setLabels(state, this.stage.rectangles(), this.local.layout);
    }
  }

  /** "0.4× real time: stvk" when the simulation is late, by the lane that costs most. */
  private showPace(state: StudioState): void {
    const { factor } = this.pace;
    const costs = [...(this.newest?.laneCosts ?? [])];
    const slowest = state.lanes[costs.indexOf(Math.max(...costs))] ?? state.lanes[0];
    const late = factor !== undefined && factor < 0.9 * state.speed;
    this.page.setPace(state.playing ? paceText(factor, state.speed, slowest) : "paused", late);
  }

  private openFile(as: FileUse = "scene"): void {
    chooseFile(MESHES, (file) => void this.upload(file, as));
  }

  private async dropped(files: File[]): Promise<void> {
    if (files.length > 1) {
      this.messages.say("One file at a time, please: the first one is opened.");
    }
    await this.upload(files[0]!, this.page.panel.id === "poses" ? "pose" : "scene");
  }

  private async upload(file: File, as: FileUse): Promise<void> {
    const limit = this.state?.upload_limit ?? Infinity;
    if (file.size > limit) {
      const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(0);
      this.messages.say(`${file.name} has ${megabytes(file.size)} MB; the studio takes files up to ` +
        `${megabytes(limit)} MB.`, "error");
      return;
    }
    this.messages.progress(`Opening ${file.name}`, 0);
    try {
      await this.backend.upload(file, as);
    } catch (error) {
      this.messages.say(error instanceof Error ? error.message : String(error), "error");
    } finally {
      this.messages.progress(undefined);
    }
  }

  private screenshot(): void {
    const { clientWidth, clientHeight } = this.stage.canvas;
    const ratio = Math.min(devicePixelRatio, 2);
    void this.picture(Math.round(clientWidth * ratio), Math.round(clientHeight * ratio));
  }

  private async picture(width: number, height: number): Promise<void> {
    const blob = await this.stage.picture(width, height);
    if (blob === null) {
      this.messages.say("This browser makes no picture that large.", "error");
      return;
    }
    const address = URL.createObjectURL(blob);
    download(address, "limber.png");
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    this.messages.say("The screenshot is in your downloads.");
  }

  /** Where a vertex of a lane is on the page, for tests and the documentation's pictures. */
  vertexOnPage(lane: number, body: number, vertex: number): { x: number; y: number } | undefined {
    const point = this.bodies.vertexInWorld(lane, body, vertex);
    return point === undefined ? undefined : this.stage.toPage(new THREE.Vector3().copy(point), lane);
  }
}

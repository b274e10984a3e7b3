// The studio: joins the backend, the picture and the panels.
import * as THREE from "three";
import type { Backend, Connection } from "./net/backend";
import { decodeModel } from "./net/model";
import { downloadName } from "./net/socket_backend";
import { sameGeneration, type Command, type Frame, type Handle, type JointKind, type Method,
  type ServerMessage, type StudioState } from "./net/protocol";
import { bodyPanel } from "./ui/body_panel";
import { namedCommands } from "./ui/command_list";
import { comparePanel } from "./ui/compare_panel";
import { Files } from "./ui/files";
import { filmSection } from "./ui/film_section";
import { PageFrame } from "./ui/frame";
import { bindKeys } from "./ui/keys";
import { ImportSheet } from "./ui/import_sheet";
import { jointSection } from "./ui/joint_section";
import { makeSection } from "./ui/make_section";
import { modesPanel } from "./ui/modes_panel";
import { Offer } from "./ui/offer";
import { acceptDrops, download, Gallery, Legend, Messages } from "./ui/overlays";
import { Pace, paceText } from "./ui/pace";
import { Palette } from "./ui/palette";
import type { LocalState } from "./ui/panel";
import { Pictures } from "./ui/pictures";
import { plotsPanel } from "./ui/plots_panel";
import { posesPanel } from "./ui/poses_panel";
import { scenePanel } from "./ui/scene_panel";
import { seeSection } from "./ui/see_section";
import { takesPanel } from "./ui/takes_panel";
import { Tour } from "./ui/tour";
import { applyTheme, chosenTheme, toggledTheme } from "./ui/theme";
import { Timeline } from "./ui/timeline";
import { Bodies } from "./view/bodies";
import { Brush } from "./view/brush";
import { Cage } from "./view/cage";
import { Colouring } from "./view/colouring";
import { ModeGhost } from "./view/ghost";
import { JointPicker } from "./view/joint_picker";
import { Joints } from "./view/joints";
import { nearestPlaces, weldRadius } from "./view/joint_places";
import { Looking } from "./view/looking";
import { Markers } from "./view/markers";
import { Obstacles } from "./view/obstacles";
import { OnionSkins } from "./view/onion";
import { slicePlanes } from "./view/slice";
import { Stage } from "./view/stage";
import { Tools, type Tool } from "./view/tools";
import { Touching } from "./view/touching";
import { Turns } from "./view/turns";

/** A previewed mode swings at this pace whatever its frequency, Hz. */
const PREVIEW_HZ = 0.7;
/** Plots are redrawn so often, Hz. */
const PLOT_HZ = 12;

export class Studio {
  readonly stage: Stage;
  readonly bodies: Bodies;
  readonly obstacles: Obstacles;
  readonly joints: Joints;
  readonly picker: JointPicker;
  readonly touching: Touching;
  readonly tools: Tools;
  readonly brush: Brush;
  readonly colouring: Colouring;
  readonly cage: Cage;
  readonly turns: Turns;
  readonly ghost: ModeGhost;
  readonly onion: OnionSkins;
  state: StudioState | undefined;
  connection: Connection = "connecting";
  frames = 0;
  newest: Frame | undefined;
  private local: LocalState = { preview: undefined, previewPart: 0.25, ghost: false, layout: "side", body: 0,
    obstacle: undefined, joint: undefined, hidden: new Set() };
  private handles: Handle[] = [];
  private loadedGeneration = -1;
  private wantedGeneration = -1;
  private readonly page: PageFrame;
  private readonly markers: Markers;
  private readonly messages = new Messages();
  private readonly gallery: Gallery;
  private readonly legend = new Legend();
  private readonly palette: Palette;
  private readonly tour = new Tour();
  private readonly pace = new Pace();
  private readonly looking: Looking;
  private readonly timeline: Timeline;
  private readonly offer: Offer;
  private readonly pictures: Pictures;
  private readonly poses;
  private readonly making;
  private readonly joining;
  private readonly see;
  private readonly importing = new ImportSheet();
  private readonly files: Files;
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
      addPoseFile: () => this.files.choose("pose"),
      addBody: () => this.gallery.toggle(true),
      addBodyFile: () => this.files.choose("body"),
      jointNow: (joint: number) => this.joints.shown[joint],
      save: (ending: string) => this.save(ending),
      picture: (width: number, height: number) => void this.pictures.save(width, height),
    };
    this.files = new Files(backend, this.importing, this.messages, () => this.state);
    this.poses = posesPanel(desk, (on) => {
      this.onion.on = on;
      if (!on) this.onion.hide();
    });
    this.timeline = new Timeline(desk);
    this.offer = new Offer(desk);
    this.gallery = new Gallery((sample, adding) => this.send(adding ? { do: "add_body", sample } : { do: "open", sample }),
      (adding) => this.files.choose(adding ? "body" : "scene"));
    this.palette = new Palette(() => (this.state === undefined ? [] : namedCommands(this.state, this.actions(), {
      ...desk,
      join: (kind: JointKind) => {
        this.page.showPanel("scene");
        this.picker.start(kind);
      },
      showPanel: (id) => this.page.showPanel(id),
      tour: () => this.tour.show(0),
      flat: () => this.stage.flat,
    })));
    this.brush = new Brush(() => this.bodies, (command) => void this.send(command),
      (body) => this.state?.bodies[body]?.young ?? 1, (mode) => this.page.setBrush(mode));
    this.colouring = new Colouring(() => this.bodies);
    this.see = seeSection(desk, {
      colour: (kind) => {
        this.colouring.choose(kind);
        this.fresh = true;
      },
      wireframe: (on) => this.bodies.setWireframe(on),
      turns: (on) => this.turns.setOn(on),
      slice: (axis, part) => this.bodies.setClipping(slicePlanes(axis, part, this.looking.box())),
    });
    this.making = makeSection(desk, this.brush, (message) =>
      this.cage.show(message, message && this.state?.bodies[message.body]?.start));
    this.joining = jointSection(desk, {
      picker: () => this.picker,
      between: (a, b) => nearestPlaces(this.state, this.bodies.loaded, a, b),
    });
    const panels = [scenePanel(desk, this.joining), bodyPanel(desk, this.making), modesPanel(desk), comparePanel(desk),
      plotsPanel(desk, () => this.bodies.where, this.see), this.poses, takesPanel(desk, filmSection(desk, (aspect) => this.stage.eye(aspect)))];
    this.page = new PageFrame(root, this.actions(), panels, (id) => this.panelChanged(id),
      this.timeline.element, [this.messages.element, this.offer.element, this.tour.element, this.see.legend, this.joining.prompt]);
    root.append(this.gallery.element, this.legend.element, this.palette.element,
      this.importing.element);
    this.stage = new Stage(this.page.canvas);
    this.stage.controls.addEventListener("end", () => this.sendView());
    this.bodies = new Bodies(this.stage);
    this.looking = new Looking(this.stage, this.bodies, () => this.state);
    this.pictures = new Pictures(this.stage, this.bodies, this.messages, this.timeline);
    this.obstacles = new Obstacles(this.stage);
    this.joints = new Joints(this.stage);
    this.picker = new JointPicker(this.stage, this.bodies, this.obstacles, () => this.state,
      (command) => void this.send(command), () => this.refresh());
    this.touching = new Touching(this.stage);
    this.cage = new Cage(this.stage);
    this.turns = new Turns(this.stage, this.bodies);
    this.ghost = new ModeGhost(this.stage, this.bodies);
    this.onion = new OnionSkins(this.stage);
    applyTheme(chosenTheme());
    this.stage.setDark(chosenTheme() === "dark");
    this.markers = new Markers(this.stage.scene, this.stage.camera);
    this.tools = new Tools(this.stage, this.bodies, this.markers, this.obstacles, {
      send: (command) => this.send(command),
      handles: () => this.handles,
      showHandle: (handle, id) => this.showHandle(handle, id),
      mass: (body) => this.state?.bodies[body]?.mass ?? 1,
      speed: () => this.state?.speed ?? 1,
      handsOff: () => this.state?.interpolation.active === true || this.state?.take !== 0,
      selectionChanged: () => undefined,
      touched: (what) => this.setLocal({ obstacle: undefined, joint: undefined, ...what }),
    });
    this.tools.brush = this.brush;
    this.tools.picker = this.picker;
    bindKeys(this.actions(), this.tools);
    acceptDrops(root, (files) =>
      void this.files.dropped(files, this.page.panel.id === "poses" ? "pose" : "scene"));
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
        this.brush.setMode("off");
        this.tools.setTool(tool);
        this.page.setTool(tool);
        this.refresh();
      },
      play: () => this.send({ do: "play", playing: !(this.state?.playing ?? false) }),
      step: () => this.send({ do: "step" }),
      reset: () => this.send({ do: "reset" }),
      speed: (factor: number) => this.send({ do: "speed", factor }),
      undo: () => this.send({ do: "undo" }),
      redo: () => this.send({ do: "redo" }),
      releaseAll: () => this.send({ do: "release_all" }),
      gallery: () => this.gallery.toggle(),
      openFile: () => this.files.choose("scene"),
      record: () => this.send({ do: "record", running: !(this.state?.recording ?? false) }),
      save: (ending: string) => this.save(ending),
      screenshot: () => this.pictures.screenshot(),
      legend: () => this.legend.toggle(),
      fit: () => this.looking.fit(),
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
      case "cage":
        this.making.cage(message);
        break;
      case "curve":
        this.poses.curve(message);
    }
  }

  private applyState(state: StudioState): void {
    this.state = state;
    if (this.local.body >= state.bodies.length) this.local.body = 0;
    if ((this.local.obstacle ?? -1) >= state.obstacles.length) this.local.obstacle = undefined;
    if ((this.local.joint ?? -1) >= state.joints.length) this.local.joint = undefined;
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
    this.obstacles.update(this.state.obstacles, this.state.lanes.length, this.looking.sceneSize, this.local.hidden);
    this.obstacles.choose(this.local.obstacle);
    const { state } = this;
    this.joints.update(state.joints, state.lanes.length, this.looking.sceneSize, (joint) => weldRadius(joint, state, this.bodies.loaded));
    this.joints.choose(this.local.joint);
    this.joining.update(state);
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
      this.looking.surround();
      if (grown) this.looking.fit();
      const view = this.looking.takeView();
      if (view !== undefined) this.local.hidden = new Set(view.saved?.hidden ?? []);
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

  private sendView(): void {
    this.send({ do: "view", view: this.looking.view(this.local.hidden) });
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
    if (id !== "body") this.brush.setMode("off");
    if (id !== "modes" && this.local.preview !== undefined && !this.local.ghost) this.setLocal({ preview: undefined });
    this.refresh();
  }

  private draw(now: number): void {
    const elapsed = now - this.lastPicture;
    this.lastPicture = now;
    const { newest, state } = this;
    const phase = 2 * Math.PI * PREVIEW_HZ * (now / 1000);
    const preview = this.local.ghost ? undefined : this.local.preview;
    const current = newest !== undefined && state !== undefined &&
      sameGeneration(newest, this.loadedGeneration);
    if (preview !== undefined) {
      this.bodies.preview(preview, phase);
    } else if (current && this.fresh) {
      this.fresh = !this.bodies.show(newest);
      this.obstacles.show(newest);
      this.joints.show(newest);
      this.colouring.update(newest, state.truth);
      this.turns.update();
      this.touching.show(state.contacts_shown ? newest.touching : [], this.looking.sceneSize);
      this.page.setClock(newest.time);
      this.showMotion(newest, state);
    }
    if (current) this.page.panel.frame?.(newest, elapsed);
    this.ghost.show(this.local.ghost ? this.local.preview : undefined, phase);
    this.tools.update();
    this.markers.update(this.handles, this.tools.selected,
      (handle) => this.bodies.vertexInWorld(0, handle.body, handle.vertex));
    this.stage.render();
    if (current && !this.fresh && preview === undefined) this.pictures.takeThumbnail(newest, state);
    if (now - this.lastPlot > 1000 / PLOT_HZ) {
      this.lastPlot = now;
      this.page.panel.draw?.();
      this.see.draw(this.colouring);
      if (state !== undefined) this.showPace(state);
      if (state !== undefined) this.page.setLabels(state, this.stage.rectangles(), this.local.layout);
    }
  }

  /** While the poses play: the time line's head, and where the body was and will be. */
  private showMotion(frame: Frame, { interpolation }: StudioState): void {
    const [first] = frame.instances;
    const { active, poses, frequency, damping, weight, share, modes } = interpolation;
    this.onion.expect(JSON.stringify([active, this.loadedGeneration, poses, frequency, damping, weight, share, modes]));
    if (!active || first?.kind !== "positions") {
      this.onion.hide();
      return;
    }
    this.timeline.showTime(frame.time);
    const drawn = this.bodies.view(0, 0)?.assets.drawn;
    if (drawn !== undefined) this.onion.show(frame.time, first.values, drawn);
  }

  /** "0.4× real time: stvk" when the simulation is late, by the lane that costs most. */
  private showPace(state: StudioState): void {
    const { factor } = this.pace;
    const costs = [...(this.newest?.laneCosts ?? [])];
    const slowest = state.lanes[costs.indexOf(Math.max(...costs))] ?? state.lanes[0];
    const late = factor !== undefined && factor < 0.9 * state.speed;
    this.page.setPace(state.playing ? paceText(factor, state.speed, slowest) : "paused", late);
  }

  /** Where a vertex of a lane is on the page, for tests and the documentation's pictures. */
  vertexOnPage(lane: number, body: number, vertex: number): { x: number; y: number } | undefined {
    const point = this.bodies.vertexInWorld(lane, body, vertex);
    return point === undefined ? undefined : this.stage.toPage(new THREE.Vector3().copy(point), lane);
  }
}

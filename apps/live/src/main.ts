// The page: the studio's stage, bodies and tools before a world in a worker.
import * as THREE from "three";
import type { Frame, Handle } from "../../studio/web/src/net/protocol";
import { sameGeneration, type Command } from "../../studio/web/src/net/protocol";
import { Bodies } from "../../studio/web/src/view/bodies";
import { Markers } from "../../studio/web/src/view/markers";
import { Stage } from "../../studio/web/src/view/stage";
import { Tools, type Tool } from "../../studio/web/src/view/tools";
import { isLiveCommand, type FromWorker, type LiveBody, type ToWorker } from "./messages";
import "../../studio/web/src/style.css";
import "./style.css";

/** How many there are at first: `?bodies=10` in the address, up to this many. */
const MOST_BODIES = 30;
const CHARACTERS = ["dino", "flubber", "elephant"] as const;
/** What the camera looks at first, m. */
const VIEW = { low: new THREE.Vector3(-0.8, 0, -0.8), high: new THREE.Vector3(0.8, 1, 0.8) };

const element = <E extends HTMLElement>(id: string) => document.querySelector<E>(id)!;

export class Live {
  readonly stage = new Stage(element<HTMLCanvasElement>("#live canvas"));
  readonly bodies = new Bodies(this.stage);
  readonly tools: Tools;
  newest: Frame | undefined;
  pictures = 0;
  private readonly markers = new Markers(this.stage.scene, this.stage.camera);
  private readonly worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  private handles: Handle[] = [];
  private masses: number[] = [];
  private generation = -1;
  private fresh = false;
  private playing = true;
  private paced = performance.now();
  private pacedPictures = 0;

  constructor(bodies: number) {
    this.bodies.setLanes(["modal-warping"], "side");
    this.tools = new Tools(this.stage, this.bodies, this.markers, {
      send: (command) => this.send(command),
      handles: () => this.handles,
      showHandle: (handle, id) => this.showHandle(handle, id),
      mass: (body) => this.masses[body] ?? 1,
      selectionChanged: () => undefined,
    });
    this.worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => this.receive(data));
    this.worker.addEventListener("error", () => this.fault("The world could not be started."));
    const here = (name: string) => new URL(name, document.baseURI).href;
    this.tell({ type: "start", bodies, runtime: here("limber.wasm.gz"),
      characters: CHARACTERS.map((name) => ({ name, address: here(`${name}.limber.gz`) })) });
    this.bindButtons();
    this.stage.frame(VIEW.low, VIEW.high, 0);
    this.stage.renderer.setAnimationLoop((now) => this.draw(now));
  }

  /** Where a vertex is on the page, for tests. */
  vertexOnPage(body: number, vertex: number): { x: number; y: number } | undefined {
    const point = this.bodies.vertexInWorld(0, body, vertex);
    return point === undefined ? undefined : this.stage.toPage(point);
  }

  private tell(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private send(command: Command): boolean {
    if (!isLiveCommand(command)) {
      this.fault(`This page cannot do "${command.do}": the studio can.`);
      return false;
    }
    this.tell({ type: "command", command });
    return true;
  }

  private receive(message: FromWorker): void {
    if (message.type === "error") return this.fault(message.message);
    if (message.type === "frame") {
      this.newest = message.frame;
      this.fresh = true;
      return;
    }
    this.load(message.generation, message.bodies);
  }

  private load(generation: number, list: readonly LiveBody[]): void {
    const { camera, controls } = this.stage;
    const eye = camera.position.clone();
    const aim = controls.target.clone();
    this.generation = generation;
    this.masses = list.map((body) => body.mass);
    this.bodies.load({ bodies: list.map((body) => body.model),
      low: VIEW.low.toArray(), high: VIEW.high.toArray(), floor: 0 });
    camera.position.copy(eye); // who looked around goes on from there
    controls.target.copy(aim);
  }

  private fault(text: string): void {
    const words = element("#words");
    words.textContent = text;
    words.classList.add("fault");
  }

  private showHandle(handle: Handle | undefined, id: number): void {
    this.handles = this.handles.filter((h) => h.id !== id);
    if (handle !== undefined) this.handles.push({ ...handle });
  }

  private bindButtons(): void {
    const tools: Tool[] = ["grab", "pin", "hit"];
    for (const tool of tools) {
      element(`#${tool}`).addEventListener("click", () => {
        this.tools.setTool(tool);
        for (const other of tools) {
          element(`#${other}`).setAttribute("aria-pressed", String(other === tool));
        }
      });
    }
    element("#play").addEventListener("click", () => {
      this.playing = !this.playing;
      this.send({ do: "play", playing: this.playing });
      element("#play").textContent = this.playing ? "Pause" : "Play";
    });
    element("#more").addEventListener("click", () => {
      if (this.masses.length < MOST_BODIES) this.tell({ type: "more" });
    });
    element("#again").addEventListener("click", () => {
      this.handles = [];
      this.send({ do: "reset" });
    });
  }

  private draw(now: number): void {
    const { newest } = this;
    if (newest !== undefined && this.fresh && sameGeneration(newest, this.generation)) {
      this.fresh = !this.bodies.show(newest);
    }
    this.tools.update();
    this.markers.update(this.handles, this.tools.selected,
      (handle) => this.bodies.vertexInWorld(0, handle.body, handle.vertex));
    this.stage.render();
    ++this.pictures;
    if (now - this.paced > 1000) this.showPace(now);
  }

  private showPace(now: number): void {
    const perSecond = (1000 * (this.pictures - this.pacedPictures)) / (now - this.paced);
    this.paced = now;
    this.pacedPictures = this.pictures;
    if (this.newest === undefined) return;
    const { instances, contacts, stepMicroseconds } = this.newest;
    element("#pace").textContent = `${instances.length} bodies, ${contacts} contacts: ` +
      `${(stepMicroseconds / 1000).toFixed(1)} ms a step, ${perSecond.toFixed(0)} pictures/s`;
  }
}

declare global {
  interface Window {
    /** For tests and for the documentation's pictures. */
    limber: { live: Live };
  }
}

const asked = Number(new URLSearchParams(location.search).get("bodies") ?? 6);
const bodies = Number.isInteger(asked) && asked > 0 ? Math.min(asked, MOST_BODIES) : 6;
window.limber = { live: new Live(bodies) };

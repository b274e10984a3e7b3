// All bodies of all lanes: made from the model, moved by frames, found by the pointer.
import * as THREE from "three";
import type { Model } from "../net/model";
import type { BodyState, Frame, Instance, Method, Vec3 } from "../net/protocol";
import { ACCEPTABLE_ERROR, checkWarp, fitsTextures, testAmplitudes } from "../warp/check";
import type { BodyModel } from "../net/model";
import { BodyAssets, BodyView } from "./body_view";
import { bodyColour, METHOD_COLOUR } from "./colours";
import { pick } from "./pick";
import { laneLayer, type Layout, type Stage } from "./stage";

const OVERLAY_OPACITY = 0.55;

export interface BodyHit {
  lane: number;
  body: number;
  vertex: number;
  /** The vertex in the world. */
  point: THREE.Vector3;
  /** From the eye, m. */
  distance: number;
}

/** A mode shown swinging instead of the simulation. */
export interface ModePreview {
  body: number;
  mode: number;
  amplitude: number;
}

export class Bodies {
  private model: Model | undefined;
  private assets: BodyAssets[] = [];
  private views: BodyView[][] = []; // by lane, then body
  private lanes: Method[] = [];
  private hidden: ReadonlySet<string> = new Set();
  private wireframe = false;
  private clipping: THREE.Plane[] = [];

  constructor(private readonly stage: Stage) {}

  /** How each body is warped: "gpu" or "cpu". */
  get where(): string[] {
    return this.assets.map((assets) => (assets.modeTexture === undefined ? "cpu" : "gpu"));
  }

  get loaded(): Model | undefined {
    return this.model;
  }

  load(model: Model): void {
    this.clear();
    this.model = model;
    this.assets = model.bodies.map((body) => new BodyAssets(body, runsOnGpu(this.stage, body)));
    this.rebuild();
  }

  /** Of all bodies where the scene has them at its start. */
  box(starts: readonly BodyState["start"][]): THREE.Box3 {
    const box = new THREE.Box3();
    this.model?.bodies.forEach((body, i) => {
      const at = new THREE.Vector3();
      const { position, rotation } = starts[i] ?? { position: [0, 0, 0], rotation: [0, 0, 0, 1] };
      const turn = new THREE.Quaternion(...rotation);
      for (let v = 0; v < body.vertexCount; ++v) {
        box.expandByPoint(at.fromArray(body.restPositions, 3 * v).applyQuaternion(turn).add(new THREE.Vector3(...position)));
      }
    });
    return box;
  }

  each(act: (view: BodyView, lane: number, body: number) => void): void {
    this.views.forEach((bodies, lane) => bodies.forEach((view, body) => act(view, lane, body)));
  }

  view(lane: number, body: number): BodyView | undefined {
    return this.views[lane]?.[body];
  }

  setWireframe(wireframe: boolean): void {
    this.wireframe = wireframe;
    this.each((view) => view.setWireframe(wireframe));
  }

  setClipping(planes: THREE.Plane[]): void {
    this.clipping = planes;
    this.each((view) => view.setClipping(planes));
  }

  /** A brush's stroke on all lanes, until the body that it makes arrives. */
  tint(body: number, vertices: readonly number[], colour: readonly [number, number, number]): void {
    this.assets[body]?.tint(vertices, colour);
    this.views.forEach((lane) => lane[body]?.shareColours());
  }

  setHidden(hidden: ReadonlySet<string>): void {
    this.hidden = hidden;
    this.applyHidden();
  }

  private applyHidden(): void {
    for (const lane of this.views) {
      for (const view of lane) view.object.visible = !this.hidden.has(view.assets.model.name);
    }
  }

  setLanes(lanes: Method[], layout: Layout): void {
    const same = lanes.length === this.lanes.length && lanes.every((m, i) => m === this.lanes[i]);
    if (same && layout === this.stage.layout) return;
    this.lanes = [...lanes];
    this.stage.lanes = Math.max(1, lanes.length);
    this.stage.layout = layout;
    this.rebuild();
  }

  /** Frames of another model or another number of lanes are left out. */
  show(frame: Frame): boolean {
    if (frame.instances.length !== this.views.length * this.assets.length) return false;
    frame.instances.forEach((instance, index) => this.viewAt(index)?.show(instance));
    return true;
  }

  /** Every lane shows one mode alone, at `phase` of its swing (rad). */
  preview(preview: ModePreview, phase: number): void {
    for (const lane of this.views) {
      lane.forEach((view, body) => {
        const values = new Float32Array(view.assets.model.modeCount);
        if (body === preview.body) values[preview.mode] = preview.amplitude * Math.sin(phase);
        view.show(modalInstance(values));
      });
    }
  }

  /** The amplitude at which a mode moves the surface by `part` of the body's size. */
  previewAmplitude(body: number, mode: number, part: number): number {
    const model = this.model?.bodies[body];
    if (model === undefined) return 0;
    const stride = 4 * model.vertexCount;
    const base = 3 * (mode >> 1) * stride;
    const places = mode % 2 === 0 ? [0, 1, 2] : [3, stride, stride + 1];
    let largest = 0;
    for (let v = 0; v < model.vertexCount; ++v) {
      const [x, y, z] = places.map((place) => model.modeTexels[base + 4 * v + place]!);
      largest = Math.max(largest, Math.hypot(x!, y!, z!));
    }
    return largest > 0 ? (part * model.size) / largest : 0;
  }

  hit(clientX: number, clientY: number): BodyHit | undefined {
    const { lane, raycaster } = this.stage.rayAt(clientX, clientY);
    const over = this.stage.layout === "over";
    const lanes = over ? this.views.map((_, index) => index) : [lane];
    let best: BodyHit | undefined;
    for (const index of lanes) {
      this.views[index]?.forEach((view, body) => {
        if (!view.object.visible) return;
        view.object.updateMatrixWorld();
        const inverse = view.object.matrixWorld.clone().invert();
        const ray = raycaster.ray.clone().applyMatrix4(inverse);
        const { origin: o, direction: d } = ray;
        const found = pick(view.positions(), view.assets.model.triangles, [o.x, o.y, o.z],
          [d.x, d.y, d.z]);
        if (found === undefined || (best !== undefined && found.distance >= best.distance)) return;
        const point = view.vertexInWorld(found.vertex);
        best = { lane: index, body, distance: found.distance, vertex: found.vertex, point };
      });
    }
    return best;
  }

  vertexInWorld(lane: number, body: number, vertex: number): THREE.Vector3 | undefined {
    const view = this.views[lane]?.[body];
    if (view === undefined || vertex >= view.assets.model.vertexCount) return undefined;
    return view.vertexInWorld(vertex);
  }

  /** The rotation vector that the modes give a vertex now; none for full-space methods. */
  rotationOf(lane: number, body: number, vertex: number): Vec3 {
    return this.views[lane]?.[body]?.rotationOf(vertex) ?? [0, 0, 0];
  }

  private viewAt(index: number): BodyView | undefined {
    const count = this.assets.length;
    return this.views[Math.floor(index / count)]?.[index % count];
  }

  private rebuild(): void {
    this.views.flat().forEach((view) => {
      this.stage.scene.remove(view.object);
      view.dispose();
    });
    // Lanes beside each other are told apart by their method's colour.
    const painted = this.assets.map((assets) => assets.usePaint(this.lanes.length === 1));
    this.views = this.lanes.map((method, lane) =>
      this.assets.map((assets, body) => {
        const colour = painted[body] ? "#ffffff" : bodyColour(METHOD_COLOUR[method], body);
        const view = new BodyView(assets, colour, laneLayer(lane));
        const see_through = this.stage.layout === "over" && this.lanes.length > 1;
        view.setOpacity(see_through ? OVERLAY_OPACITY : 1);
        view.setWireframe(this.wireframe);
        view.setClipping(this.clipping);
        this.stage.scene.add(view.object);
        return view;
      }),
    );
    this.applyHidden();
  }

  private clear(): void {
    const lanes = this.lanes;
    this.lanes = [];
    this.rebuild();
    this.lanes = lanes;
    this.assets.forEach((assets) => assets.dispose());
  }
}

function modalInstance(values: Float32Array): Instance {
  return {
    kind: "warped",
    values,
    volumeRatio: 1,
    error: 0,
    position: [0, 0, 0],
    rotation: [0, 0, 0, 1],
  };
}

/** Large enough textures, and right results on this very body at a turn and a half. */
function runsOnGpu(stage: Stage, body: BodyModel): boolean {
  if (body.modeCount === 0) return false;
  const gl = stage.renderer.getContext() as WebGL2RenderingContext;
  if (!fitsTextures(body, stage.renderer.capabilities.maxTextureSize)) return false;
  try {
    const check = checkWarp(gl, body, testAmplitudes(body, 3 * Math.PI));
    return check.positionError < ACCEPTABLE_ERROR && check.normalError < ACCEPTABLE_ERROR;
  } catch {
    return false; // no such program on this driver: the CPU does it
  } finally {
    stage.renderer.resetState();
  }
}

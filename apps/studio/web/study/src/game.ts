// The game of the active task: pull the body out of the balls' way.
import * as THREE from "three";
import * as api from "./api";
import { Film } from "./film";
import { go, make, show } from "./screen";
import { Actor, type Theatre } from "./theatre";
import { askPair, watch } from "./trials";

const REACH = 0.25; // m, of the arrow keys
const PACE = 1.2; // m/s

/** A pointer or the arrow keys that hold a point of the body. */
class Hand {
  pull: api.Pull | null = null;
  private readonly plane = new THREE.Plane();
  private readonly keys = new Set<string>();
  private readonly offset = new THREE.Vector2();
  private top = -1;
  private readonly rest = new THREE.Vector3();

  constructor(private readonly actor: Actor, private readonly canvas: HTMLCanvasElement) {
    canvas.addEventListener("pointerdown", this.down);
    canvas.addEventListener("pointermove", this.move);
    canvas.addEventListener("pointerup", this.up);
    canvas.addEventListener("pointercancel", this.up);
    addEventListener("keydown", this.key);
    addEventListener("keyup", this.key);
  }

  leave(): void {
    this.canvas.removeEventListener("pointerdown", this.down);
    this.canvas.removeEventListener("pointermove", this.move);
    this.canvas.removeEventListener("pointerup", this.up);
    this.canvas.removeEventListener("pointercancel", this.up);
    removeEventListener("keydown", this.key);
    removeEventListener("keyup", this.key);
  }

  /** The arrow keys hold the highest point of the body. */
  steer(seconds: number): void {
    if (this.keys.size === 0) return;
    const has = (key: string) => (this.keys.has(key) ? 1 : 0);
    const way = new THREE.Vector2(has("ArrowRight") - has("ArrowLeft"), has("ArrowUp") - has("ArrowDown"));
    this.offset.addScaledVector(way, PACE * seconds).clampLength(0, REACH);
    const right = new THREE.Vector3().setFromMatrixColumn(this.actor.camera.matrixWorld, 0);
    const away = new THREE.Vector3(right.z, 0, -right.x); // level, from the viewer
    const target = this.rest.clone().addScaledVector(right, this.offset.x).addScaledVector(away, this.offset.y);
    this.pull = { vertex: this.top, target: target.toArray() };
  }

  private ray(event: PointerEvent): THREE.Ray {
    const box = this.canvas.getBoundingClientRect();
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2((2 * (event.clientX - box.left)) / box.width - 1,
      1 - (2 * (event.clientY - box.top)) / box.height), this.actor.camera);
    return caster.ray;
  }

  private readonly down = (event: PointerEvent) => {
    const { mesh, vertices } = this.actor;
    mesh.geometry.computeBoundingSphere();
    const caster = new THREE.Raycaster();
    caster.ray.copy(this.ray(event));
    const hit = caster.intersectObject(mesh)[0];
    if (hit?.face == null) return;
    this.canvas.setPointerCapture(event.pointerId);
    const place = (vertex: number) => new THREE.Vector3().fromArray(vertices, 3 * vertex);
    const corners = [hit.face.a, hit.face.b, hit.face.c];
    corners.sort((a, b) => place(a).distanceTo(hit.point) - place(b).distanceTo(hit.point));
    this.plane.setFromNormalAndCoplanarPoint(this.actor.camera.getWorldDirection(new THREE.Vector3()), hit.point);
    this.pull = { vertex: corners[0]!, target: hit.point.toArray() };
  };

  private readonly move = (event: PointerEvent) => {
    if (this.pull === null || this.keys.size > 0) return;
    const point = this.ray(event).intersectPlane(this.plane, new THREE.Vector3());
    if (point !== null) this.pull = { vertex: this.pull.vertex, target: point.toArray() };
  };

  private readonly up = () => (this.pull = null);

  private readonly key = (event: KeyboardEvent) => {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    if (event.type === "keyup") {
      this.keys.delete(event.key);
      if (this.keys.size === 0) {
        this.pull = null;
        this.offset.set(0, 0);
      }
      return;
    }
    if (this.keys.size === 0) {
      const { vertices } = this.actor;
      this.top = 0;
      for (let v = 1; v < vertices.length / 3; ++v) if (vertices[3 * v + 1]! > vertices[3 * this.top + 1]!) this.top = v;
      this.rest.fromArray(vertices, 3 * this.top);
    }
    this.keys.add(event.key);
  };
}

async function play(trial: api.Trial, place: number, theatre: Theatre): Promise<void> {
  const film = new Film(await api.game(trial.trial, place));
  const actor = new Actor(film);
  const read = (bytes: ArrayBuffer) => {
    const numbers = new Float32Array(bytes);
    actor.vertices.set(numbers.subarray(3, 3 + actor.vertices.length));
    actor.balls.set(numbers.subarray(3 + actor.vertices.length));
    actor.update(numbers[0]!);
    watch.filmTime = numbers[0]!;
    return { hits: numbers[1]!, over: numbers[2]! > 0 };
  };
  read(await api.step(0, null));
  const count = make("output", { class: "hits", "data-test": "hits" }, "Hits: 0");
  show("game", make("header", {}, make("p", { class: "progress" }, `${trial.title}, ${trial.number} of ${trial.of}`),
    make("h2", {}, place === 1 ? "First game" : "Second game"),
    make("p", { class: "note" }, "Pull the body out of the way: with the pointer, or with the arrow keys.")),
  make("div", { class: "theatre" }, theatre.canvas), count);
  theatre.play([actor]);
  const hand = new Hand(actor, theatre.canvas);
  const begun = performance.now();
  let sent = 0;
  let last = begun;
  for (let over = false; !over;) {
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    hand.steer((now - last) / 1000);
    last = now;
    const due = Math.floor(((now - begun) / 1000) * film.header.frame_rate) - sent;
    if (due <= 0) continue;
    sent += due;
    const state = read(await api.step(due, hand.pull));
    count.textContent = `Hits: ${state.hits}`;
    theatre.draw();
    over = state.over;
  }
  hand.leave();
  watch.filmTime = -1;
}

export async function playPair(trial: api.Trial, theatre: Theatre): Promise<api.Answer> {
  for (const place of [1, 2]) {
    const start = go(place === 1 ? "Play the first game" : "Play the second game", "start");
    const first = trial.number === 1 && place === 1;
    show("ready", make("p", { class: "progress" }, `${trial.title}, ${trial.number} of ${trial.of}`),
      make("h2", {}, first ? trial.title : place === 1 ? "Ready?" : "That was the first game"),
      ...(first ? trial.text.split("\n\n").map((part) => make("p", {}, part)) : []),
      ...trial.notes.map((note) => make("p", { class: "note" }, note)), start.button);
    start.button.focus();
    await start.pressed;
    await play(trial, place, theatre);
  }
  return askPair(trial, ["The first one", "The second one"], false);
}

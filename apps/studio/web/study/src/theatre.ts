// Pictures of one or several motions on one canvas, each in a field of its own.
import * as THREE from "three";
import { eyeAt, type Film } from "./film";

const BODY = 0x4f7cac;
const BALL = 0xd5763b;
const IRON = 0x444a52;
const HIDING = (20 * Math.PI) / 180; // between the cannon and the middle of the picture

/** A body, its balls, the cannon and the base it stands on. */
export class Actor {
  readonly vertices: Float32Array;
  readonly balls: Float32Array;
  readonly mesh: THREE.Mesh;
  readonly camera: THREE.PerspectiveCamera;
  private readonly scene = new THREE.Scene();
  private readonly spheres: THREE.Mesh[] = [];
  private readonly cannon = new THREE.Group();
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.2); // over the viewer's shoulder

  constructor(readonly film: Film) {
    const { header } = film;
    this.vertices = new Float32Array(3 * header.vertices);
    this.balls = new Float32Array(3 * header.shots.length);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.vertices, 3));
    geometry.setIndex(new THREE.BufferAttribute(film.faces, 1));
    this.mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: BODY, roughness: 0.6 }));
    this.mesh.frustumCulled = false;
    const ball = new THREE.SphereGeometry(header.radius || 0.01, 24, 16);
    const paint = new THREE.MeshStandardMaterial({ color: BALL, roughness: 0.4 });
    for (let k = 0; k < header.shots.length; ++k) this.spheres.push(new THREE.Mesh(ball, paint));
    const base = new THREE.Mesh(new THREE.BoxGeometry(0.6, 0.04, 0.6),
      new THREE.MeshStandardMaterial({ color: 0x9aa1a9, roughness: 0.9 }));
    base.position.y = -0.02;
    const barrel = new THREE.Mesh(new THREE.CylinderGeometry(1.3 * header.radius, 1.7 * header.radius, 6 * header.radius, 24),
      new THREE.MeshStandardMaterial({ color: IRON, roughness: 0.5 }));
    barrel.rotation.x = Math.PI / 2;
    barrel.position.z = -3 * header.radius;
    this.cannon.add(barrel);
    this.cannon.visible = header.shots.length > 0;
    this.scene.background = new THREE.Color(0xe9edf0);
    this.scene.add(this.mesh, ...this.spheres, base, this.cannon, this.sun, new THREE.HemisphereLight(0xffffff, 0x8d939a, 1.3));
    this.camera = new THREE.PerspectiveCamera(header.camera.field_of_view, 1, 0.01, 100);
  }

  /** The film's picture of a time. */
  show(time: number): void {
    this.film.at(time, this.vertices, this.balls);
    this.update(time);
  }

  /** After vertices and balls have been set. */
  update(time: number): void {
    const { header } = this.film;
    this.mesh.geometry.attributes["position"]!.needsUpdate = true;
    this.mesh.geometry.computeVertexNormals();
    header.shots.forEach((shot, k) => {
      this.spheres[k]!.visible = time >= shot.time;
      this.spheres[k]!.position.fromArray(this.balls, 3 * k);
    });
    // It points where the next ball comes from, until that ball has flown for a moment.
    const next = header.shots.find((shot) => time < shot.time + 0.1) ?? header.shots.at(-1);
    if (next !== undefined) {
      const muzzle = new THREE.Vector3(...next.muzzle);
      this.cannon.position.copy(muzzle);
      this.cannon.lookAt(muzzle.add(new THREE.Vector3(...next.direction)));
    }
    this.camera.position.fromArray(eyeAt(header.camera, time));
    const target = new THREE.Vector3(...header.camera.target);
    this.camera.lookAt(target);
    this.sun.position.set(1, 1.5, 1).applyQuaternion(this.camera.quaternion);
    if (next !== undefined) this.cannon.visible = !this.inTheWay(target);
  }

  /** Whether the cannon would hide the body: what happens there is to be seen. */
  private inTheWay(target: THREE.Vector3): boolean {
    const there = this.cannon.position.clone().sub(this.camera.position);
    const sight = target.clone().sub(this.camera.position);
    return there.length() < sight.length() && there.angleTo(sight) < HIDING;
  }

  draw(renderer: THREE.WebGLRenderer, aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    renderer.render(this.scene, this.camera);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.spheres[0]?.geometry.dispose();
  }
}

export class Theatre {
  readonly canvas = document.createElement("canvas");
  private readonly renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true });
  private actors: Actor[] = [];

  constructor() {
    this.renderer.setScissorTest(true);
    this.canvas.className = "stage";
  }

  play(actors: Actor[]): void {
    for (const actor of this.actors) actor.dispose();
    this.actors = actors;
  }

  /** Columns of fields. */
  static columns(count: number): number {
    return count <= 1 ? 1 : count <= 4 ? 2 : 3;
  }

  draw(): void {
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const ratio = Math.min(devicePixelRatio, 2);
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
    }
    const columns = Theatre.columns(this.actors.length);
    const rows = Math.ceil(this.actors.length / columns);
    const [w, h] = [width / columns, height / rows];
    this.actors.forEach((actor, k) => {
      const [x, y] = [(k % columns) * w, height - (Math.floor(k / columns) + 1) * h];
      this.renderer.setViewport(x, y, w, h);
      this.renderer.setScissor(x, y, w, h);
      actor.draw(this.renderer, w / h);
    });
  }
}

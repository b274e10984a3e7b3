// Renderer, camera, light and floor, and the one to four views that lanes are seen in.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

/** Lanes live on layers 1..4; what all of them see on layer 0. */
export const laneLayer = (lane: number) => lane + 1;

export type Layout = "side" | "over";

export interface ViewRectangle {
  /** CSS pixels from the canvas's top left corner. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The parts of the canvas that lanes are drawn in: columns, or two rows of two for four. */
export function viewRectangles(
  width: number,
  height: number,
  lanes: number,
  layout: Layout,
): ViewRectangle[] {
  if (layout === "over" || lanes <= 1) return [{ x: 0, y: 0, width, height }];
  const rows = lanes === 4 ? 2 : 1;
  const columns = Math.ceil(lanes / rows);
  return Array.from({ length: lanes }, (_, lane) => ({
    x: ((lane % columns) * width) / columns,
    y: (Math.floor(lane / columns) * height) / rows,
    width: width / columns,
    height: height / rows,
  }));
}

/** How far down from straight above the eye may go, rad: so far from what it looks at, which is
 *  `above` the floor, it still stands a little above it. */
export function steepest(above: number, distance: number): number {
  const clearance = 0.02 * distance;
  return Math.acos(Math.min(1, Math.max(-1, (clearance - above) / distance)));
}

const LIGHT = { background: 0xf3f1ec, floor: 0xe9e6df, grid: 0xcac5ba, cells: 0xdcd8cf };
const DARK = { background: 0x1d1f22, floor: 0x26292d, grid: 0x4a4e55, cells: 0x363a40 };
/** So many times further away, and as much narrower. */
const LONG_LENS = 20;
/** A floor is looked at down to so many of the body's sizes below it. */
const FLOOR_REACH = 2;
/** The camera aims so far below the body's middle, in parts of its size: the foot of the picture
 *  belongs to the transport, and bodies hang down. */
const LOOK_BELOW = 0.06;

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  readonly renderer: THREE.WebGLRenderer;
  readonly controls: OrbitControls;
  lanes = 1;
  layout: Layout = "side";
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.2);
  private readonly floor: THREE.Mesh;
  private grid: THREE.GridHelper;
  private size = 1;
  private lens = 1;
  /** While a picture of another size than the page's is taken. */
  private pictureSize: { width: number; height: number } | undefined;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.renderer.autoClear = false;
    this.renderer.localClippingEnabled = true;
    this.scene.background = new THREE.Color(LIGHT.background);
    this.scene.fog = new THREE.Fog(LIGHT.background, 50, 100);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xcfc8bb, 1.6));
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 5;
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sun, this.sun.target);
    const fill = new THREE.DirectionalLight(0xdfe9ff, 0.5);
    fill.position.set(-3, 1, -2);
    this.scene.add(fill);
    this.floor = new THREE.Mesh(
      new THREE.CircleGeometry(1, 64).rotateX(-Math.PI / 2),
      new THREE.MeshStandardMaterial({ color: LIGHT.floor, roughness: 1 }),
    );
    this.floor.receiveShadow = true;
    this.grid = new THREE.GridHelper(1, 20, LIGHT.grid, LIGHT.cells);
    this.scene.add(this.floor, this.grid);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
  }

  /** Looks at the box between the two corners and fits light and floor to it. */
  frame(bodyLow: THREE.Vector3, high: THREE.Vector3, floorHeight: number | null): void {
    const { centre, size } = this.surround(bodyLow, high, floorHeight);
    const direction = new THREE.Vector3(0.55, 0.32, 1).normalize();
    const aim = centre.clone().add(new THREE.Vector3(0, -LOOK_BELOW * size, 0));
    this.camera.position.copy(aim).addScaledVector(direction, 2.2 * size * this.lens);
    this.camera.lookAt(aim);
    this.controls.target.copy(aim);
    this.controls.update();
  }

  /** Fits light, floor and the camera's limits to the box; the eye stays where it is. */
  surround(bodyLow: THREE.Vector3, high: THREE.Vector3, floorHeight: number | null):
    { centre: THREE.Vector3; size: number } {
    const low = bodyLow.clone();
    // A body falls on its floor: that is to be seen too, unless it would make the body tiny.
    const reach = FLOOR_REACH * bodyLow.distanceTo(high);
    if (floorHeight !== null) low.y = Math.min(low.y, Math.max(floorHeight, low.y - reach));
    const centre = low.clone().add(high).multiplyScalar(0.5);
    const size = Math.max(low.distanceTo(high), 1e-3);
    this.size = size;
    this.fitLens();
    const height = floorHeight ?? low.y - 0.35 * size;
    const span = 8 * size;
    this.floor.scale.setScalar(span);
    this.floor.position.set(centre.x, height, centre.z);
    const cell = 10 ** Math.round(Math.log10(size / 4));
    this.grid.scale.setScalar(20 * cell);
    this.grid.position.set(centre.x, height + 0.001 * size, centre.z);
    this.sun.position.copy(centre).add(new THREE.Vector3(0.9, 2.2, 1.1).multiplyScalar(size));
    this.sun.target.position.copy(centre);
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -1.4 * size;
    shadow.right = shadow.top = 1.4 * size;
    shadow.near = 0.1 * size;
    shadow.far = 6 * size;
    shadow.updateProjectionMatrix();
    return { centre, size };
  }

  /** Parallel lines stay parallel: seen from far away through a long lens. */
  get flat(): boolean {
    return this.lens > 1;
  }

  setFlat(flat: boolean): void {
    if (flat === this.flat) return;
    const before = this.lens;
    this.lens = flat ? LONG_LENS : 1;
    const { target } = this.controls;
    this.camera.position.sub(target).multiplyScalar(this.lens / before).add(target);
    this.fitLens();
    this.controls.update();
  }

  /** Looks along an axis from its positive side, from as far away as now. */
  lookAlong(axis: "x" | "y" | "z"): void {
    const { target } = this.controls;
    const distance = this.camera.position.distanceTo(target);
    // Straight down the up axis the camera would not know which way is up.
    const away = { x: [1, 0, 0], y: [0, 1, 1e-4], z: [0, 0, 1] }[axis] as [number, number, number];
    this.camera.position.copy(target).add(new THREE.Vector3(...away).normalize().multiplyScalar(distance));
    this.controls.update();
  }

  setDark(dark: boolean): void {
    const { background, floor, grid, cells } = dark ? DARK : LIGHT;
    (this.scene.background as THREE.Color).setHex(background);
    (this.scene.fog as THREE.Fog).color.setHex(background);
    (this.floor.material as THREE.MeshStandardMaterial).color.setHex(floor);
    const { position, scale } = this.grid;
    const next = new THREE.GridHelper(1, 20, grid, cells);
    next.position.copy(position);
    next.scale.copy(scale);
    this.scene.remove(this.grid);
    this.grid.dispose();
    this.grid = next;
    this.scene.add(next);
  }

  /** The stage as a picture of its own size, pixels. */
  picture(width: number, height: number): Promise<Blob | null> {
    this.pictureSize = { width, height };
    const ratio = this.renderer.getPixelRatio();
    this.renderer.setPixelRatio(1);
    try {
      this.render();
      return new Promise((resolve) => this.canvas.toBlob(resolve, "image/png"));
    } finally {
      this.pictureSize = undefined;
      this.renderer.setPixelRatio(ratio);
    }
  }

  private fitLens(): void {
    const { size, lens } = this;
    this.camera.near = 0.01 * size * lens;
    this.camera.far = 30 * size * Math.sqrt(lens) * Math.max(1, lens / 4);
    this.controls.minDistance = 0.1 * size * lens;
    this.controls.maxDistance = 12 * size * lens;
    const fog = this.scene.fog as THREE.Fog;
    const further = 2.2 * size * (lens - 1);
    fog.near = 4 * size + further;
    fog.far = 9 * size + further;
  }

  /** Puts the eye somewhere; light, floor and limits stay as frame() set them. */
  lookFrom(eye: readonly [number, number, number], target: readonly [number, number, number]): void {
    this.camera.position.set(...eye);
    this.controls.target.set(...target);
    this.controls.update();
  }

  /** What a picture of another aspect looks through. */
  eye(aspect: number): { eye: readonly [number, number, number]; target: readonly [number, number, number]; half_height: number } {
    const [{ x, y, z }, t] = [this.camera.position, this.controls.target];
    return { eye: [x, y, z], target: [t.x, t.y, t.z], half_height: this.halfHeight(aspect) };
  }

  /** Tangent of half the vertical angle: a narrow view steps back by a wider one, so that the body stays whole. */
  private halfHeight(aspect: number): number {
    return Math.tan((17.5 * Math.PI) / 180) / (Math.min(1, aspect / 1.2) * this.lens);
  }

  rectangles(): ViewRectangle[] {
    const { width, height } = this.viewSize();
    return viewRectangles(width, height, this.lanes, this.layout);
  }

  /** The view that a point of the page lies in, and the ray through it. */
  rayAt(clientX: number, clientY: number): { lane: number; raycaster: THREE.Raycaster } {
    const box = this.canvas.getBoundingClientRect();
    const x = clientX - box.left;
    const y = clientY - box.top;
    const views = this.rectangles();
    const inside = (r: ViewRectangle) =>
      x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
    const lane = Math.max(0, views.findIndex(inside));
    const view = views[lane]!;
    this.aim(view);
    const raycaster = new THREE.Raycaster();
    raycaster.setFromCamera(
      new THREE.Vector2(
        (2 * (x - view.x)) / view.width - 1,
        1 - (2 * (y - view.y)) / view.height,
      ),
      this.camera,
    );
    return { lane, raycaster };
  }

  /** Where a point of the world appears on the page, in the given lane's view. */
  toPage(point: THREE.Vector3, lane = 0): { x: number; y: number } {
    const views = this.rectangles();
    const view = views[Math.min(lane, views.length - 1)]!;
    this.aim(view);
    const seen = point.clone().project(this.camera);
    const box = this.canvas.getBoundingClientRect();
    return {
      x: box.left + view.x + ((seen.x + 1) / 2) * view.width,
      y: box.top + view.y + ((1 - seen.y) / 2) * view.height,
    };
  }

  /** The eye and what it looks at stay above the floor, however the camera is turned or moved. */
  private stayAboveFloor(): void {
    const { target } = this.controls;
    const height = this.floor.position.y;
    const distance = Math.max(this.camera.position.distanceTo(target), 1e-9);
    target.y = Math.max(target.y, height);
    this.controls.maxPolarAngle = steepest(target.y - height, distance);
  }

  render(): void {
    this.stayAboveFloor();
    this.controls.update();
    this.fitCanvas();
    const { height } = this.viewSize();
    this.renderer.setScissorTest(false);
    this.renderer.clear();
    this.renderer.setScissorTest(true);
    this.rectangles().forEach((view, index) => {
      this.aim(view);
      this.camera.layers.set(0);
      if (this.layout === "over") {
        for (let lane = 0; lane < this.lanes; ++lane) this.camera.layers.enable(laneLayer(lane));
      } else {
        this.camera.layers.enable(laneLayer(index));
      }
      const bottom = height - view.y - view.height;
      this.renderer.setViewport(view.x, bottom, view.width, view.height);
      this.renderer.setScissor(view.x, bottom, view.width, view.height);
      this.renderer.render(this.scene, this.camera);
    });
  }

  private aim(view: ViewRectangle): void {
    this.camera.aspect = view.width / Math.max(view.height, 1);
    this.camera.fov = (360 / Math.PI) * Math.atan(this.halfHeight(this.camera.aspect));
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  private fitCanvas(): void {
    const { width, height } = this.viewSize();
    const size = this.renderer.getSize(new THREE.Vector2());
    if (size.x !== width || size.y !== height) this.renderer.setSize(width, height, false);
  }

  private viewSize(): { width: number; height: number } {
    return this.pictureSize ?? { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
  }
}

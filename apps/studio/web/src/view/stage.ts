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

const BACKGROUND = 0xf3f1ec;
const FLOOR = 0xe9e6df;
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
  private readonly grid: THREE.GridHelper;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.renderer.autoClear = false;
    this.scene.background = new THREE.Color(BACKGROUND);
    this.scene.fog = new THREE.Fog(BACKGROUND, 50, 100);
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
      new THREE.MeshStandardMaterial({ color: FLOOR, roughness: 1 }),
    );
    this.floor.receiveShadow = true;
    this.grid = new THREE.GridHelper(1, 20, 0xcac5ba, 0xdcd8cf);
    this.scene.add(this.floor, this.grid);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
  }

  /** Looks at the box between the two corners and fits light and floor to it. */
  frame(bodyLow: THREE.Vector3, high: THREE.Vector3, floorHeight: number | null): void {
    const low = bodyLow.clone();
    // A body falls on its floor: that is to be seen too, unless it would make the body tiny.
    const reach = FLOOR_REACH * bodyLow.distanceTo(high);
    if (floorHeight !== null) low.y = Math.min(low.y, Math.max(floorHeight, low.y - reach));
    const centre = low.clone().add(high).multiplyScalar(0.5);
    const size = Math.max(low.distanceTo(high), 1e-3);
    const direction = new THREE.Vector3(0.55, 0.32, 1).normalize();
    const aim = centre.clone().add(new THREE.Vector3(0, -LOOK_BELOW * size, 0));
    this.camera.near = 0.01 * size;
    this.camera.far = 30 * size;
    this.camera.position.copy(aim).addScaledVector(direction, 2.2 * size);
    this.camera.lookAt(aim);
    this.controls.target.copy(aim);
    this.controls.minDistance = 0.1 * size;
    this.controls.maxDistance = 12 * size;
    this.controls.update();
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
    const fog = this.scene.fog as THREE.Fog;
    fog.near = 4 * size;
    fog.far = 9 * size;
  }

  /** Puts the eye somewhere; light, floor and limits stay as frame() set them. */
  lookFrom(eye: readonly [number, number, number], target: readonly [number, number, number]): void {
    this.camera.position.set(...eye);
    this.controls.target.set(...target);
    this.controls.update();
  }

  rectangles(): ViewRectangle[] {
    return viewRectangles(this.canvas.clientWidth, this.canvas.clientHeight, this.lanes, this.layout);
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
    const { clientHeight } = this.canvas;
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
      const bottom = clientHeight - view.y - view.height;
      this.renderer.setViewport(view.x, bottom, view.width, view.height);
      this.renderer.setScissor(view.x, bottom, view.width, view.height);
      this.renderer.render(this.scene, this.camera);
    });
  }

  private aim(view: ViewRectangle): void {
    this.camera.aspect = view.width / Math.max(view.height, 1);
    // A narrow view steps back by a wider angle, so that the body stays whole in it.
    const narrow = Math.min(1, this.camera.aspect / 1.2);
    this.camera.fov = (360 / Math.PI) * Math.atan(Math.tan((17.5 * Math.PI) / 180) / narrow);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  private fitCanvas(): void {
    const { clientWidth, clientHeight } = this.canvas;
    const size = this.renderer.getSize(new THREE.Vector2());
    if (size.x !== clientWidth || size.y !== clientHeight) {
      this.renderer.setSize(clientWidth, clientHeight, false);
    }
  }
}

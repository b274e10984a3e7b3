// Obstacles of all lanes: made from the state, moved by frames, found by the pointer.
import * as THREE from "three";
import type { SurfaceModel } from "../net/model";
import type { Frame, ObstacleState, Vec3 } from "../net/protocol";
import { laneLayer, type Stage } from "./stage";

export interface ObstacleHit {
  obstacle: number;
  lane: number;
  distance: number;
  point: THREE.Vector3;
}

const FIXED_COLOUR = 0xb7b09f;
/** One that moves by itself. */
const LOOSE_COLOUR = 0xc98f4e;
/** A plane is shown this large, in parts of the scene's size. */
const PLANE_PART = 4;

export function obstacleGeometry(
  obstacle: Pick<ObstacleState, "shape" | "size">,
  sceneSize: number,
  surface?: SurfaceModel,
): THREE.BufferGeometry {
  const [a = 1, b = 1, c = 1] = obstacle.size;
  switch (obstacle.shape) {
    case "sphere":
      return new THREE.SphereGeometry(a, 40, 28);
    case "box":
      return new THREE.BoxGeometry(a, b, c);
    case "capsule":
      return new THREE.CapsuleGeometry(a, b, 12, 28);
    case "plane":
      return new THREE.PlaneGeometry(PLANE_PART * sceneSize, PLANE_PART * sceneSize)
        .rotateX(-Math.PI / 2);
    case "surface": {
      const geometry = new THREE.BufferGeometry();
      if (surface === undefined) return geometry;
      geometry.setAttribute("position", new THREE.BufferAttribute(surface.positions, 3));
      geometry.setIndex(new THREE.BufferAttribute(surface.triangles, 1));
      geometry.computeVertexNormals();
      return geometry;
    }
  }
}

export class Obstacles {
  private meshes: THREE.Mesh[][] = []; // by lane, then obstacle
  private shown: ObstacleState[] = [];
  private made = "";
  private surfaces: SurfaceModel[] = [];
  private chosen: number | undefined;

  constructor(private readonly stage: Stage) {}

  load(surfaces: SurfaceModel[]): void {
    this.surfaces = surfaces;
    this.made = "";
  }

  /** `sceneSize` in m. */
  update(obstacles: ObstacleState[], lanes: number, sceneSize: number, hidden: ReadonlySet<string>): void {
    const key = JSON.stringify([obstacles.map(({ shape, size, mass }) => [shape, size, mass]), lanes, sceneSize]);
    this.shown = obstacles;
    if (key !== this.made) {
      this.made = key;
      this.clear();
      this.meshes = Array.from({ length: lanes }, (_, lane) =>
        obstacles.map((obstacle, index) => this.make(obstacle, index, lane, sceneSize)));
    }
    this.meshes.forEach((lane) => lane.forEach((mesh, index) => {
      mesh.visible = !hidden.has(obstacles[index]!.name);
    }));
    this.choose(this.chosen);
  }

  /** Where the scene has them until a frame says otherwise. */
  show(frame: Frame): void {
    const count = this.shown.length;
    if (frame.obstacles.length !== count * this.meshes.length) return;
    frame.obstacles.forEach(({ position, rotation }, index) => {
      const mesh = this.meshes[Math.floor(index / count)]![index % count]!;
      mesh.position.set(...position);
      mesh.quaternion.set(...rotation);
    });
  }

  /** Of the lanes given. */
  hit(raycaster: THREE.Raycaster, lanes: number[]): ObstacleHit | undefined {
    let best: ObstacleHit | undefined;
    for (const lane of lanes) {
      raycaster.layers.set(laneLayer(lane));
      this.meshes[lane]?.forEach((mesh, obstacle) => {
        if (!mesh.visible) return;
        mesh.updateMatrixWorld();
        const found = raycaster.intersectObject(mesh, false)[0];
        if (found === undefined || (best !== undefined && found.distance >= best.distance)) return;
        best = { obstacle, lane, distance: found.distance, point: found.point.clone() };
      });
    }
    return best;
  }

  placeOf(obstacle: number, lane = 0): Vec3 | undefined {
    const mesh = this.meshes[lane]?.[obstacle];
    return mesh === undefined ? undefined : [mesh.position.x, mesh.position.y, mesh.position.z];
  }

  /** Neither on a path nor without an end. */
  movable(obstacle: number): boolean {
    const { keyed, shape } = this.shown[obstacle]!;
    return !keyed && shape !== "plane";
  }

  choose(obstacle: number | undefined): void {
    this.chosen = obstacle;
    this.meshes.forEach((lane) => lane.forEach((mesh, index) => {
      (mesh.material as THREE.MeshStandardMaterial).emissive.setHex(index === obstacle ? 0x222a33 : 0);
    }));
  }

  private make(obstacle: ObstacleState, index: number, lane: number, sceneSize: number): THREE.Mesh {
    const surface = this.surfaces.find((one) => one.obstacle === index);
    const plane = obstacle.shape === "plane";
    const mesh = new THREE.Mesh(obstacleGeometry(obstacle, sceneSize, surface),
      new THREE.MeshStandardMaterial({ color: obstacle.mass === null ? FIXED_COLOUR : LOOSE_COLOUR,
        roughness: 0.85, side: THREE.DoubleSide, transparent: plane, opacity: plane ? 0.55 : 1 }));
    mesh.castShadow = !plane;
    mesh.receiveShadow = true;
    mesh.layers.set(laneLayer(lane));
    mesh.position.set(...obstacle.position);
    mesh.quaternion.set(...obstacle.rotation);
    this.stage.scene.add(mesh);
    return mesh;
  }

  private clear(): void {
    for (const mesh of this.meshes.flat()) {
      this.stage.scene.remove(mesh);
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
    }
  }
}

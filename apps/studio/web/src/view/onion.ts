// Onion skins: where the body was and will be along the motion between poses, as it was last seen there.
import * as THREE from "three";
import type { DrawnSurface } from "./creases";
import type { Stage } from "./stage";

/** Between skins, s. */
export const SKIN_STEP = 0.125;
/** Skins before the time that is shown, and behind it. */
const SKINS = 3;
const BEFORE = 0xd55e00;
const AFTER = 0x0072b2;

/** Which skins belong to a time: numbers of steps, without those that the body itself covers. */
export function skinsAround(time: number): number[] {
  const here = Math.round(time / SKIN_STEP);
  return Array.from({ length: 2 * SKINS + 1 }, (_, i) => here - SKINS + i)
    .filter((number) => number >= 0 && Math.abs(number * SKIN_STEP - time) > 0.5 * SKIN_STEP);
}

export class OnionSkins {
  on = false;
  private known = new Map<number, Float32Array>();
  private key = "";
  private skins: THREE.Mesh[] = [];

  constructor(private readonly stage: Stage) {}

  /** Skins that are drawn now. */
  get count(): number {
    return this.skins.filter((skin) => skin.visible).length;
  }

  /** What was seen belongs to another motion as soon as poses or curves change. */
  expect(key: string): void {
    if (key === this.key) return;
    this.key = key;
    this.known.clear();
    this.hide();
  }

  /** The surface as it is at a time of the motion, and the skins around it. */
  show(time: number, positions: Float32Array, surface: DrawnSurface): void {
    const number = Math.round(time / SKIN_STEP);
    if (Math.abs(number * SKIN_STEP - time) < 0.2 * SKIN_STEP) this.known.set(number, positions.slice());
    if (!this.on) return;
    const wanted = skinsAround(time).filter((one) => this.known.has(one));
    while (this.skins.length < wanted.length) this.skins.push(this.make());
    this.skins.forEach((skin, i) => {
      const which = wanted[i];
      skin.visible = which !== undefined;
      if (which === undefined) return;
      const from = this.known.get(which)!;
      const places = new Float32Array(3 * surface.source.length);
      surface.source.forEach((vertex, place) => places.set(from.subarray(3 * vertex, 3 * vertex + 3), 3 * place));
      skin.geometry.setAttribute("position", new THREE.BufferAttribute(places, 3));
      skin.geometry.setIndex(new THREE.BufferAttribute(surface.triangles, 1));
      const material = skin.material as THREE.MeshBasicMaterial;
      material.color.setHex(which * SKIN_STEP < time ? BEFORE : AFTER);
      material.opacity = 0.24 / Math.max(1, Math.abs(which - time / SKIN_STEP));
    });
  }

  hide(): void {
    for (const skin of this.skins) skin.visible = false;
  }

  private make(): THREE.Mesh {
    const skin = new THREE.Mesh(new THREE.BufferGeometry(),
      new THREE.MeshBasicMaterial({ transparent: true, depthWrite: false, fog: false }));
    skin.frustumCulled = false;
    skin.layers.enableAll();
    this.stage.scene.add(skin);
    return skin;
  }
}

// One body of one lane on the screen. Modal bodies are warped by the vertex program, or on the CPU
// where the program cannot run; bodies of full-space methods come as positions.
import * as THREE from "three";
import { TEXEL_ROW, type BodyModel } from "../net/model";
import type { Instance, Vec3 } from "../net/protocol";
import { texelRows } from "../warp/check";
import { deform, superpose } from "../warp/deform";
import { MOST_MODES, WARP_GLSL } from "../warp/program";
import { splitCreases, type DrawnSurface } from "./creases";
import { mapColour } from "./fields";

/** Held parts are darker; less so where darkness would spoil the paint. */
const FIXED_SHADE = 0.42;
const FIXED_PAINT_SHADE = 0.8;

/** What all lanes share of a body: its triangles at rest and its modes on the GPU. */
export class BodyAssets {
  readonly restGeometry: THREE.BufferGeometry;
  readonly drawn: DrawnSurface;
  readonly modeTexture: THREE.DataTexture | undefined;
  private readonly shade: THREE.BufferAttribute;
  private readonly paint: THREE.BufferAttribute | undefined;

  constructor(
    readonly model: BodyModel,
    readonly onGpu: boolean,
  ) {
    const drawn = splitCreases(model.restPositions, model.restNormals, model.triangles);
    this.drawn = drawn;
    const fixed = new Set(model.fixedVertices);
    const shaded = (colours: Float32Array, factor: number) => {
      drawn.source.forEach((vertex, place) => {
        if (fixed.has(vertex)) for (let k = 0; k < 3; ++k) colours[3 * place + k]! *= factor;
      });
      return new THREE.BufferAttribute(colours, 3);
    };
    this.shade = shaded(new Float32Array(3 * drawn.source.length).fill(1), FIXED_SHADE);
    if (model.stiffness.length === model.vertexCount) {
      drawn.source.forEach((vertex, place) => {
        const colour = stiffnessColour(model.stiffness[vertex]!);
        for (let k = 0; k < 3; ++k) (this.shade.array as Float32Array)[3 * place + k]! *= colour[k]!;
      });
    }
    if (model.colours.length === model.restPositions.length) {
      this.paint = shaded(gathered(model.colours, drawn.source), FIXED_PAINT_SHADE);
    }
    this.restGeometry = new THREE.BufferGeometry();
    this.restGeometry.setAttribute("position",
      new THREE.BufferAttribute(gathered(model.restPositions, drawn.source), 3));
    this.restGeometry.setAttribute("normal", new THREE.BufferAttribute(drawn.normals, 3));
    this.restGeometry.setAttribute("color", this.shade);
    // A float names vertices up to 2^24 exactly, more than a texture of modes can hold.
    this.restGeometry.setAttribute("modelVertex",
      new THREE.BufferAttribute(Float32Array.from(drawn.source), 1));
    this.restGeometry.setIndex(new THREE.BufferAttribute(drawn.triangles, 1));
    if (onGpu && model.modeCount > 0) {
      this.modeTexture = new THREE.DataTexture(model.modeTexels, TEXEL_ROW, texelRows(model),
        THREE.RGBAFormat, THREE.FloatType);
      this.modeTexture.internalFormat = "RGBA32F";
      this.modeTexture.needsUpdate = true;
    }
  }

  /** What a brush has just painted, in the colours that are shown. */
  tint(vertices: readonly number[], colour: readonly [number, number, number]): void {
    const wanted = new Set(vertices);
    const shown = this.restGeometry.getAttribute("color") as THREE.BufferAttribute;
    this.drawn.source.forEach((vertex, place) => {
      if (wanted.has(vertex)) shown.setXYZ(place, ...colour);
    });
    shown.needsUpdate = true;
  }

  /** Shows the surface's own colours where it has some; true when it does. */
  usePaint(wanted: boolean): boolean {
    const paint = wanted ? this.paint : undefined;
    this.restGeometry.setAttribute("color", paint ?? this.shade);
    return paint !== undefined;
  }

  dispose(): void {
    this.restGeometry.dispose();
    this.modeTexture?.dispose();
  }
}

/** Stiffer parts lean to violet, softer ones to yellow: a factor of a thousand is the whole way. */
function stiffnessColour(logRatio: number): readonly [number, number, number] {
  const part = Math.min(1, Math.abs(logRatio) / 3) ** 0.5;
  const end = logRatio > 0 ? [0.62, 0.25, 0.75] : [1, 0.93, 0.35];
  return [0, 1, 2].map((k) => 1 - part * (1 - end[k]!)) as [number, number, number];
}

/** The three numbers of each vertex, once for each of its drawn ones. */
function gathered(numbers: Float32Array, source: Uint32Array, result?: Float32Array): Float32Array {
  const all = result ?? new Float32Array(3 * source.length);
  for (let place = 0; place < source.length; ++place) {
    const from = 3 * source[place]!;
    for (let k = 0; k < 3; ++k) all[3 * place + k] = numbers[from + k]!;
  }
  return all;
}

interface WarpUniforms {
  modeTexels: THREE.IUniform<THREE.Texture | null>;
  vertexCount: THREE.IUniform<number>;
  modePairs: THREE.IUniform<number>;
  warped: THREE.IUniform<number>;
  amplitudes: THREE.IUniform<Float32Array>;
}

/** Puts the vertex program into one of three's own materials, lighting and shadows included. */
function warpedBy<M extends THREE.Material>(material: M, uniforms: WarpUniforms): M {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${WARP_GLSL}\nin float modelVertex;`)
      .replace(
        "#include <uv_vertex>",
        `#include <uv_vertex>
        highp vec3 limberPlace = position;
        highp vec3 limberNormal = normal;
        deformVertex(int(modelVertex), limberPlace, limberNormal);`,
      )
      .replace("#include <beginnormal_vertex>", "vec3 objectNormal = limberNormal;")
      .replace("#include <begin_vertex>", "vec3 transformed = limberPlace;");
  };
  material.customProgramCacheKey = () => "limber-warp";
  return material;
}

export class BodyView {
  readonly object = new THREE.Group();
  private readonly material: THREE.MeshStandardMaterial;
  private readonly uniforms: WarpUniforms;
  private readonly gpuMesh: THREE.Mesh | undefined;
  private readonly cpuMesh: THREE.Mesh;
  private readonly cpuGeometry: THREE.BufferGeometry;
  private readonly scratch: Float32Array;
  private shown: Instance | undefined;
  private scratchFresh = false;
  private field: THREE.BufferAttribute | undefined;
  private readonly colour: THREE.Color;

  constructor(
    readonly assets: BodyAssets,
    colour: string,
    layer: number,
  ) {
    const { model } = assets;
    this.uniforms = {
      modeTexels: { value: assets.modeTexture ?? null },
      vertexCount: { value: model.vertexCount },
      modePairs: { value: 0 },
      warped: { value: 1 },
      amplitudes: { value: new Float32Array(MOST_MODES) },
    };
    this.material = standardMaterial(colour);
    this.colour = new THREE.Color(colour);
    this.scratch = model.restPositions.slice();
    this.cpuGeometry = assets.restGeometry.clone();
    for (const name of ["position", "normal"]) {
      this.cpuGeometry.setAttribute(name, this.cpuGeometry.getAttribute(name).clone());
    }
    this.cpuMesh = new THREE.Mesh(this.cpuGeometry, this.material);
    if (assets.modeTexture !== undefined) {
      this.gpuMesh = new THREE.Mesh(assets.restGeometry,
        warpedBy(standardMaterial(colour), this.uniforms));
      this.gpuMesh.customDepthMaterial = warpedBy(
        new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking }), this.uniforms);
      this.object.add(this.gpuMesh);
    }
    this.object.add(this.cpuMesh);
    for (const mesh of this.meshes()) {
      mesh.frustumCulled = false; // three knows the rest shape only
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      mesh.layers.set(layer);
    }
    this.showKind(this.gpuMesh !== undefined);
  }

  /** What is warped on the CPU has a geometry of its own, but the colours of all. */
  shareColours(): void {
    if (this.field !== undefined) return;
    this.cpuGeometry.setAttribute("color", this.assets.restGeometry.getAttribute("color"));
  }

  /** Numbers at the vertices as colours, `end` the last of the map, from −end where they have two signs; undefined:
   *  the body's own colours. */
  setField(values: Float32Array | undefined, end: number, signed = false): void {
    const { source } = this.assets.drawn;
    if (values === undefined) {
      this.field = undefined;
      this.shareColours();
      this.material.color.copy(this.colour);
      if (this.shown !== undefined) this.show(this.shown);
      return;
    }
    const colours = this.field?.array as Float32Array | undefined ?? new Float32Array(3 * source.length);
    const linear = new THREE.Color();
    source.forEach((vertex, place) => {
      const part = end > 0 ? values[vertex]! / end : 0;
      const [r, g, b] = mapColour(signed ? (part + 1) / 2 : part);
      linear.setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace).toArray(colours, 3 * place);
    });
    const first = this.field === undefined;
    this.field ??= new THREE.BufferAttribute(colours, 3);
    this.field.needsUpdate = true;
    this.cpuGeometry.setAttribute("color", this.field);
    this.material.color.set("#ffffff");
    if (first && this.shown !== undefined) this.show(this.shown);
  }

  setWireframe(wireframe: boolean): void {
    for (const mesh of this.meshes()) (mesh.material as THREE.MeshStandardMaterial).wireframe = wireframe;
  }

  /** Cuts away what lies beyond the planes. */
  setClipping(planes: THREE.Plane[]): void {
    for (const mesh of this.meshes()) {
      const material = mesh.material as THREE.MeshStandardMaterial;
      const before = material.clippingPlanes?.length ?? 0;
      material.clippingPlanes = planes;
      material.clipShadows = true;
      if (before !== planes.length) material.needsUpdate = true;
    }
  }

  /** Where the vertices are now in the world, three numbers each. */
  worldPositions(): Float32Array {
    const own = this.positions();
    const { position, quaternion } = this.object;
    if (position.lengthSq() === 0 && quaternion.w === 1) return own;
    const result = new Float32Array(own.length);
    const at = new THREE.Vector3();
    for (let i = 0; i < own.length; i += 3) at.fromArray(own, i).applyQuaternion(quaternion).add(position).toArray(result, i);
    return result;
  }

  /** Lets the body show through, for lanes laid over each other. */
  setOpacity(opacity: number): void {
    for (const mesh of this.meshes()) {
      const material = mesh.material as THREE.MeshStandardMaterial;
      material.transparent = opacity < 1;
      material.opacity = opacity;
      material.depthWrite = true;
      mesh.castShadow = opacity === 1;
    }
  }

  show(instance: Instance): void {
    this.shown = instance;
    this.scratchFresh = false;
    this.object.position.set(...instance.position);
    this.object.quaternion.set(...instance.rotation);
    const onGpu = instance.kind !== "positions" && this.gpuMesh !== undefined && this.field === undefined;
    this.showKind(onGpu);
    if (onGpu) {
      this.uniforms.amplitudes.value.fill(0);
      this.uniforms.amplitudes.value.set(instance.values.subarray(0, MOST_MODES));
      this.uniforms.modePairs.value = Math.ceil(
        Math.min(instance.values.length, this.assets.model.modeCount) / 2);
      this.uniforms.warped.value = instance.kind === "warped" ? 1 : 0;
    } else {
      this.updateOnCpu(instance);
    }
  }

  /** Where the vertices are now in the body's own frame, three numbers each. */
  positions(): Float32Array {
    if (!this.scratchFresh) {
      if (this.shown !== undefined) this.fillScratch(this.shown);
      this.scratchFresh = true;
    }
    return this.scratch;
  }

  /** One vertex in the world, without deforming all the others. */
  vertexInWorld(vertex: number): THREE.Vector3 {
    if (!this.scratchFresh && this.shown !== undefined && this.shown.kind !== "positions") {
      deform(this.assets.model, this.shown.values, this.shown.kind === "warped", this.scratch,
        undefined, vertex, vertex + 1);
    } else if (!this.scratchFresh) {
      this.positions();
    }
    this.object.updateMatrixWorld();
    return new THREE.Vector3().fromArray(this.scratch, 3 * vertex)
      .applyMatrix4(this.object.matrixWorld);
  }

  rotationOf(vertex: number): Vec3 {
    if (this.shown === undefined || this.shown.kind === "positions") return [0, 0, 0];
    const uw = superpose(this.assets.model, vertex, this.shown.values, new Float64Array(6));
    return [uw[3]!, uw[4]!, uw[5]!];
  }

  /** Whether what is shown are modes rather than positions. */
  hasModes(): boolean {
    return this.shown !== undefined && this.shown.kind !== "positions";
  }

  dispose(): void {
    this.cpuGeometry.dispose();
    this.meshes().forEach((mesh) => (mesh.material as THREE.Material).dispose());
  }

  private meshes(): THREE.Mesh[] {
    return this.gpuMesh === undefined ? [this.cpuMesh] : [this.cpuMesh, this.gpuMesh];
  }

  private showKind(onGpu: boolean): void {
    if (this.gpuMesh !== undefined) this.gpuMesh.visible = onGpu;
    this.cpuMesh.visible = !onGpu;
  }

  private fillScratch(instance: Instance): void {
    if (instance.kind === "positions") {
      if (instance.values.length === this.scratch.length) this.scratch.set(instance.values);
    } else {
      deform(this.assets.model, instance.values, instance.kind === "warped", this.scratch);
    }
  }

  private updateOnCpu(instance: Instance): void {
    this.fillScratch(instance);
    this.scratchFresh = true;
    const places = this.cpuGeometry.getAttribute("position") as THREE.BufferAttribute;
    gathered(this.scratch, this.assets.drawn.source, places.array as Float32Array);
    places.needsUpdate = true;
    this.cpuGeometry.computeVertexNormals();
  }
}

function standardMaterial(colour: string): THREE.MeshStandardMaterial {
  return new THREE.MeshStandardMaterial({
    color: colour,
    roughness: 0.55,
    metalness: 0,
    vertexColors: true,
    side: THREE.DoubleSide,
  });
}

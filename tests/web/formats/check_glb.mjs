// Opens a .glb with Khronos' validator and with three.js, and prints as JSON what they found:
// the validator's issues, and the vertices of every mesh at the given time as three.js shows them.
//
//   node check_glb.mjs FILE SECONDS
import { readFileSync } from 'node:fs';
import validator from 'gltf-validator';

globalThis.self = globalThis; // three.js expects a browser's name for it
const { AnimationMixer, Vector3 } = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

const [file, seconds] = process.argv.slice(2);
const bytes = readFileSync(file);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);

const { issues } = await validator.validateBytes(new Uint8Array(buffer), { maxIssues: 10 });

const gltf = await new GLTFLoader().parseAsync(buffer, '');
const mixer = new AnimationMixer(gltf.scene);
for (const clip of gltf.animations) mixer.clipAction(clip).play();
mixer.setTime(Number(seconds));
gltf.scene.updateMatrixWorld(true);

const meshes = [];
gltf.scene.traverse((object) => {
  if (!object.isMesh) return;
  const { position, normal, uv, color } = object.geometry.attributes;
  const vertices = [];
  for (let i = 0; i < position.count; ++i) {
    const vertex = object.getVertexPosition(i, new Vector3());
    vertices.push(object.localToWorld(vertex).toArray());
  }
  meshes.push({
    name: object.name,
    parent: object.parent.name,
    material: object.material.name,
    vertices,
    normals: normal.count,
    uv: uv?.count ?? 0,
    colours: color?.count ?? 0,
    triangles: Array.from(object.geometry.index.array),
    targets: object.morphTargetInfluences?.length ?? 0,
    influences: object.morphTargetInfluences ?? [],
  });
});

console.log(
  JSON.stringify({
    issues,
    animations: gltf.animations.map(({ name, duration }) => ({ name, duration })),
    meshes,
  }),
);

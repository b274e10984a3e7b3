// Prints as JSON where three.js places the vertices of a .glb, each mesh after the other, those that
// its triangles use:
//
//   node place_glb.mjs FILE [CLIP SECONDS]
//
// Paint does not matter here and needs a browser, so materials and pictures are taken out first.
import { readFileSync } from 'node:fs';

globalThis.self = globalThis; // three.js expects a browser's name for it
const { AnimationMixer, LoopOnce, Matrix4, Vector3 } = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

const JSON_CHUNK = 0x4e4f534a;

/** The same file without paint. */
function bare(bytes) {
  const size = bytes.readUInt32LE(12);
  if (bytes.readUInt32LE(16) !== JSON_CHUNK) throw new Error('no JSON in front');
  const json = JSON.parse(bytes.subarray(20, 20 + size).toString());
  for (const key of ['materials', 'textures', 'images', 'samplers']) delete json[key];
  for (const mesh of json.meshes ?? []) {
    for (const primitive of mesh.primitives) {
      delete primitive.material;
      delete primitive.extensions;
    }
  }
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const rest = bytes.subarray(20 + size);
  const head = Buffer.alloc(20);
  bytes.copy(head, 0, 0, 8);
  head.writeUInt32LE(20 + padded.length + rest.length, 8);
  head.writeUInt32LE(padded.length, 12);
  head.writeUInt32LE(JSON_CHUNK, 16);
  return Buffer.concat([head, padded, rest]);
}

const [file, clip, seconds] = process.argv.slice(2);
const bytes = bare(readFileSync(file));
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new GLTFLoader().parseAsync(buffer, '');
if (clip !== undefined) {
  const mixer = new AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations[Number(clip)]);
  action.setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  mixer.setTime(Number(seconds));
}
gltf.scene.updateMatrixWorld(true);

const vertices = [];
gltf.scene.traverse((object) => {
  if (!object.isMesh) return;
  const { index, attributes } = object.geometry;
  const all = Array.from({ length: attributes.position.count }, (_, i) => i);
  const used = index ? [...new Set(index.array)].sort((a, b) => a - b) : all;
  const places = object.isInstancedMesh ? object.count : 1;
  for (let instance = 0; instance < places; ++instance) {
    const within = new Matrix4();
    if (object.isInstancedMesh) object.getMatrixAt(instance, within);
    for (const i of used) {
      const vertex = object.getVertexPosition(i, new Vector3()).applyMatrix4(within);
      vertices.push(object.localToWorld(vertex).toArray());
    }
  }
});
console.log(JSON.stringify(vertices));

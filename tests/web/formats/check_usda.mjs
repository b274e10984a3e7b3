// Reads a .usda with tinyusdz and prints as JSON the meshes it found and the layer as it would
// write it again.
//
//   node check_usda.mjs FILE
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// The package does not say that it holds a module, which Node before 20 must be told: load a copy
// by a name that says so.
async function importModule(source) {
  const folder = mkdtempSync(join(tmpdir(), 'limber-'));
  try {
    copyFileSync(source, join(folder, 'module.mjs'));
    return await import(pathToFileURL(join(folder, 'module.mjs')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// It knows browsers alone: look like one, and hand over the bytes of its WebAssembly.
process.type = 'renderer';
globalThis.window = globalThis;
const packaged = new URL('node_modules/tinyusdz/', import.meta.url);
const { default: start } = await importModule(new URL('tinyusdz.js', packaged));
const wasm = readFileSync(new URL('tinyusdz.wasm', packaged));
const { TinyUSDZLoaderNative } = await start({
  instantiateWasm(imports, done) {
    WebAssembly.instantiate(wasm, imports).then((it) => done(it.instance, it.module));
    return {};
  },
});

const [file] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(file));
const scene = new TinyUSDZLoaderNative();
const loaded = scene.loadFromBinary(bytes, file);
const meshes = [];
for (let i = 0; loaded && i < scene.numMeshes(); ++i) {
  const { primName, absPath, points, normals, faceVertexIndices } = scene.getMesh(i);
  meshes.push({
    primName,
    absPath,
    points: Array.from(points),
    normals: Array.from(normals),
    triangles: Array.from(faceVertexIndices),
  });
}
const layer = new TinyUSDZLoaderNative();
const text = layer.loadAsLayerFromBinary(bytes, file) ? layer.layerToString() : '';
console.log(JSON.stringify({ loaded, error: scene.error() + layer.error(), meshes, text }));

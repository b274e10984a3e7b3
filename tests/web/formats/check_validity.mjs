// Prints as JSON what Khronos' validator finds in a .glb:
//
//   node check_validity.mjs FILE
import { readFileSync } from 'node:fs';
import validator from 'gltf-validator';

const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(process.argv[2])), {
  maxIssues: 20,
});
console.log(JSON.stringify(issues));

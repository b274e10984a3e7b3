import { BoxGeometry, IcosahedronGeometry } from "three";
import { mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { describe, expect, it } from "vitest";
import { splitCreases } from "./creases";

/** Positions, normals and triangles of a three.js shape whose vertices are joined. */
function joined(shape: BoxGeometry | IcosahedronGeometry) {
  shape.deleteAttribute("normal");
  shape.deleteAttribute("uv");
  const merged = mergeVertices(shape);
  merged.computeVertexNormals();
  return [merged.getAttribute("position").array as Float32Array,
    merged.getAttribute("normal").array as Float32Array,
    Uint32Array.from(merged.index!.array)] as const;
}

describe("splitCreases", () => {
  it("draws each corner of a box three times, with the normals of its faces", () => {
    const [positions, normals, triangles] = joined(new BoxGeometry(1, 2, 3));
    const drawn = splitCreases(positions, normals, triangles);
    expect(drawn.source.length).toBe(24);
    for (let v = 0; v < 24; ++v) {
      const parts = [...drawn.normals.subarray(3 * v, 3 * v + 3)].map(Math.abs).sort();
      expect(parts[0]).toBeCloseTo(0, 6);
      expect(parts[2]).toBeCloseTo(1, 6);
    }
  });

  it("keeps triangles on the model's vertices", () => {
    const [positions, normals, triangles] = joined(new BoxGeometry(1, 1, 1, 3, 3, 3));
    const drawn = splitCreases(positions, normals, triangles);
    expect([...drawn.triangles].map((v) => drawn.source[v])).toEqual([...triangles]);
  });

  it("leaves a smooth surface as it is", () => {
    const [positions, normals, triangles] = joined(new IcosahedronGeometry(1, 4));
    const drawn = splitCreases(positions, normals, triangles);
    expect(drawn.source.length).toBe(positions.length / 3);
    expect(drawn.normals).toEqual(normals);
    expect(drawn.triangles).toEqual(triangles);
  });
});

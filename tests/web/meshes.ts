// Small tetrahedral meshes, as Medit writes them: opened at once, where filling a surface takes seconds.

type Cell = readonly [number, number, number];

/** Kuhn's six ways from one corner of a cell to the opposite one along its edges; true: right-handed. */
const WAYS: readonly (readonly [string, boolean])[] = [["xyz", true], ["yzx", true], ["zxy", true],
  ["xzy", false], ["yxz", false], ["zyx", false]];

/** Cubes of this edge, m, cut into six tetrahedra each. */
export function cubes(cells: readonly Cell[], edge: number): string {
  const numbers = new Map<string, number>();
  const node = (place: Cell) => {
    const key = place.map((c) => edge * c).join(" ");
    if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
    return numbers.get(key)!;
  };
  const tets = cells.flatMap((cell) => WAYS.map(([way, right]) => {
    const place: [number, number, number] = [...cell];
    const nodes = [node(place), ...[...way].map((axis) => {
      ++place["xyz".indexOf(axis)]!;
      return node(place);
    })];
    return `${(right ? nodes : [nodes[0], nodes[2], nodes[1], nodes[3]]).join(" ")} 0`;
  }));
  return ["MeshVersionFormatted 2", "Dimension 3", `Vertices ${numbers.size}`,
    ...[...numbers.keys()].map((key) => `${key} 0`), `Tetrahedra ${tets.length}`, ...tets, "End", ""].join("\n");
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

export function block(x: number, y: number, z: number): Cell[] {
  return upTo(x).flatMap((i) => upTo(y).flatMap((j) => upTo(z).map((k) => [i, j, k] as const)));
}

/** A head of 3 × 3 × 3 cells on a stalk one cell thick and four high. */
export function headOnAStalk(): Cell[] {
  return [...upTo(4).map((j) => [1, j, 1] as const), ...block(3, 3, 3).map(([i, j, k]) => [i, j + 4, k] as const)];
}

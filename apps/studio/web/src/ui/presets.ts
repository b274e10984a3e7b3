// What bodies are made of, as people call it: round values of the right magnitude.
import type { BodyState } from "../net/protocol";

export interface Preset {
  name: string;
  /** Pa, none, kg/m³. */
  young: number;
  poisson: number;
  density: number;
  /** Damping ratio of the first mode. */
  ratio: number;
}

export const PRESETS: readonly Preset[] = [
  { name: "Jelly", young: 1e4, poisson: 0.45, density: 1000, ratio: 0.06 },
  { name: "Flesh", young: 5e4, poisson: 0.45, density: 1050, ratio: 0.15 },
  { name: "Foam", young: 1e5, poisson: 0.1, density: 50, ratio: 0.12 },
  { name: "Rubber", young: 2e6, poisson: 0.47, density: 1100, ratio: 0.05 },
  { name: "Wood", young: 1e10, poisson: 0.3, density: 600, ratio: 0.01 },
  { name: "Steel", young: 2e11, poisson: 0.3, density: 7850, ratio: 0.002 },
];

/** The one that the body is made of, if it is of any. */
export function presetOf({ young, poisson, density }: Pick<BodyState, "young" | "poisson" | "density">): Preset | undefined {
  const near = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * b;
  return PRESETS.find((p) => near(young, p.young) && near(poisson, p.poisson) && near(density, p.density));
}

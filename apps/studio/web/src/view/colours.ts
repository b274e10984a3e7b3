// The methods' colours, names and words: those of src/limber/dynamics/method.cpp.
import type { Method } from "../net/protocol";

export const METHOD_COLOUR: Readonly<Record<Method, string>> = {
  "linear-modal": "#d55e00",
  linear: "#882255",
  "modal-warping": "#0072b2",
  "rotation-strain": "#cc79a7",
  "global-local": "#332288",
  "stiffness-warping": "#56b4e9",
  corotational: "#e69f00",
  stvk: "#009e73",
  "neo-hookean": "#44aa99",
  reduced: "#117733",
};

/** Bodies of one lane are told apart by lightness. */
export function bodyColour(method: string, body: number): string {
  const part = [0, 0.35, 0.18, 0.5][body % 4]!;
  const lighter = (channel: string) => Math.round(parseInt(channel, 16) * (1 - part) + 255 * part)
    .toString(16).padStart(2, "0");
  return `#${method.slice(1).match(/../g)!.map(lighter).join("")}`;
}

export const METHOD_NAME: Readonly<Record<Method, string>> = {
  "linear-modal": "Linear modes",
  linear: "Linear FEM",
  "modal-warping": "Modal warping",
  "rotation-strain": "Rotation-strain",
  "global-local": "Global and local",
  "stiffness-warping": "Stiffness warping",
  corotational: "Corotational FEM",
  stvk: "Nonlinear FEM (StVK)",
  "neo-hookean": "Nonlinear FEM (neo-Hookean)",
  reduced: "Reduced nonlinear",
};

export const METHOD_TEXT: Readonly<Record<Method, string>> = {
  "linear-modal": "Fast; swells when it turns far.",
  linear: "Every node, small rotations only.",
  "modal-warping": "Modes that follow large rotations.",
  "rotation-strain": "Modes of rotation and strain, rebuilt into a shape.",
  "global-local": "Modes, and full detail where it is touched.",
  "stiffness-warping": "Every node, its stiffness turned with it.",
  corotational: "Every element turned with its own rotation.",
  stvk: "Green strain, every node. Slow.",
  "neo-hookean": "Stable under any compression, every node. Slow.",
  reduced: "Modes and their derivatives, with the forces of nonlinear elements.",
};

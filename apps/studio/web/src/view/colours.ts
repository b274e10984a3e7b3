// Okabe and Ito's palette: told apart by people of every colour vision.
import type { Method } from "../net/protocol";

export const METHOD_COLOUR: Readonly<Record<Method, string>> = {
  "linear-modal": "#d55e00",
  linear: "#e69f00",
  "modal-warping": "#0072b2",
  "rotation-strain": "#56b4e9",
  "global-local": "#cc79a7",
  "stiffness-warping": "#b3a100",
  corotational: "#5a5a5a",
  stvk: "#009e73",
};

export const METHOD_NAME: Readonly<Record<Method, string>> = {
  "linear-modal": "Linear modes",
  linear: "Linear FEM",
  "modal-warping": "Modal warping",
  "rotation-strain": "Rotation-strain",
  "global-local": "Global and local",
  "stiffness-warping": "Stiffness warping",
  corotational: "Corotational FEM",
  stvk: "Nonlinear FEM (StVK)",
};

export const METHOD_TEXT: Readonly<Record<Method, string>> = {
  "linear-modal": "Fast; swells when it turns far.",
  linear: "Every node, small rotations only.",
  "modal-warping": "Modes that follow large rotations.",
  "rotation-strain": "Modes of rotation and strain, rebuilt into a shape.",
  "global-local": "Modes, and full detail where it is touched.",
  "stiffness-warping": "Every node, its stiffness turned with it.",
  corotational: "Every element turned with its own rotation.",
  stvk: "The reference: Green strain, every node. Slow.",
};

// The keyboard.
import { TOOLS, type Tools } from "../view/tools";
import type { FrameActions } from "./frame";

export function bindKeys(actions: FrameActions, tools: Tools): void {
  const plain: Record<string, () => void> = {
    " ": actions.play,
    ".": actions.step,
    r: actions.reset,
    f: actions.fit,
    g: actions.gallery,
    s: actions.screenshot,
    p: () => tools.pinHeld(),
    "?": actions.legend,
    x: () => actions.along("x"),
    y: () => actions.along("y"),
    z: () => actions.along("z"),
    o: actions.flat,
    Delete: () => tools.removeSelected(),
    Backspace: () => tools.removeSelected(),
  };
  TOOLS.forEach((tool, index) => (plain[String(index + 1)] = () => actions.tool(tool)));
  addEventListener("keydown", (event) => {
    const { target } = event;
    const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    const pressing = target instanceof HTMLButtonElement && event.key === " ";
    if (typing || pressing || document.querySelector("dialog[open]") !== null) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key === "z") (event.shiftKey ? actions.redo : actions.undo)();
      else if (key === "y") actions.redo();
      else if (key === "k") actions.palette();
      else return;
    } else {
      const act = plain[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (act === undefined) return;
      act();
    }
    event.preventDefault();
  });
}

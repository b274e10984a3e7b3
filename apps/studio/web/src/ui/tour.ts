// Five steps for the first visit; never again once it was ended.
import { button } from "./controls";
import { make, setText } from "./dom";

const KEY = "limber-tour";

export const STEPS: readonly (readonly [string, string, string])[] = [
  [".picture", "Take hold of it", "Drag the body and let go: it swings as its material would. Drag beside it to look from elsewhere."],
  [".rail", "Six tools", "Grab, turn, pin, push, shake and hit. The keys 1 to 6 choose them."],
  ["[data-panel=scene]", "A world on the stage", "Add bodies, obstacles and ground here. Everything can be undone with Ctrl + Z."],
  ["[data-panel=compare]", "Methods beside each other", "Play the same scene by up to four methods at once and see how far they are apart."],
  [".transport", "Time", "Pause, step or slow it down. Record keeps what you see as a take to replay and export."],
];

export class Tour {
  readonly element: HTMLElement;
  private readonly title = make("strong");
  private readonly text = make("p");
  private readonly count = make("span", { className: "hint-inline" });
  private readonly next = button("Next", () => this.show(this.step + 1), "primary");
  private step = 0;

  constructor() {
    this.next.dataset["test"] = "tour-next";
    const skip = button("Skip", () => this.end());
    skip.dataset["test"] = "tour-skip";
    this.element = make("div", { className: "tour", role: "dialog", hidden: true,
      aria: { label: "A short tour", live: "polite" } }, this.title, this.text,
      make("div", { className: "row" }, this.next, skip, this.count));
  }

  /** Where nobody has seen it yet. */
  startOnce(): void {
    try {
      if (localStorage.getItem(KEY) !== null) return;
    } catch {
      return; // a browser that keeps nothing would show it every time
    }
    this.show(0);
  }

  show(step: number): void {
    const shown = STEPS[step];
    document.querySelectorAll(".toured").forEach((element) => element.classList.remove("toured"));
    if (shown === undefined) {
      this.end();
      return;
    }
    this.step = step;
    this.element.hidden = false;
    setText(this.title, shown[1]);
    setText(this.text, shown[2]);
    setText(this.count, `${step + 1} of ${STEPS.length}`);
    setText(this.next, step + 1 < STEPS.length ? "Next" : "Done");
    document.querySelector(shown[0])?.classList.add("toured");
  }

  private end(): void {
    this.element.hidden = true;
    document.querySelectorAll(".toured").forEach((element) => element.classList.remove("toured"));
    try {
      localStorage.setItem(KEY, "seen");
    } catch {
      // Then it comes again at the next visit.
    }
  }
}

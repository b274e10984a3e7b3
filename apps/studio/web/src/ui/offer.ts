// The project that an earlier run of the studio kept, offered again.
import type { StudioState } from "../net/protocol";
import { make } from "./dom";
import type { Desk } from "./panel";

export class Offer {
  readonly element: HTMLElement;
  private readonly title = make("strong");

  constructor(desk: Pick<Desk, "send">) {
    const act = (label: string, className: string, open: boolean) =>
      make("button", { type: "button", className, data: { test: open ? "resume" : "forget" },
        onclick: () => desk.send({ do: "resume", open }) }, label);
    this.element = make("div", { className: "offer", hidden: true, role: "status" },
      make("span", {}, "You left ", this.title, " here."),
      act("Open it again", "button primary", true), act("Let it go", "button", false));
  }

  update(state: StudioState): void {
    this.element.hidden = state.offer === "";
    if (this.title.textContent !== state.offer) this.title.textContent = state.offer;
  }
}

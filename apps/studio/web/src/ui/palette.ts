// Ctrl + K: every command of the studio by its name.
import { make } from "./dom";

export interface NamedCommand {
  name: string;
  /** The key that does the same, for people to learn. */
  key?: string;
  act: () => void;
}

/** Commands whose names hold all words that were typed, those that begin with the first in front. */
export function matching(commands: readonly NamedCommand[], typed: string): NamedCommand[] {
  const words = typed.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const holds = (command: NamedCommand) =>
    words.every((word) => command.name.toLowerCase().includes(word));
  const begins = (command: NamedCommand) =>
    words.length > 0 && command.name.toLowerCase().startsWith(words[0]!) ? 0 : 1;
  return commands.filter(holds).sort((a, b) => begins(a) - begins(b));
}

export class Palette {
  readonly element: HTMLDialogElement;
  private readonly input = make("input", { type: "text", placeholder: "What shall be done?",
    aria: { label: "Command" }, autocomplete: "off" });
  private readonly list = make("ul", { role: "listbox", aria: { label: "Commands" } });
  private found: NamedCommand[] = [];
  private chosen = 0;

  constructor(private readonly commands: () => NamedCommand[]) {
    this.element = make("dialog", { className: "sheet palette" }, this.input, this.list);
    this.input.addEventListener("input", () => this.search());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  toggle(): void {
    if (this.element.open) {
      this.element.close();
      return;
    }
    this.input.value = "";
    this.element.showModal();
    this.search();
  }

  private search(): void {
    this.found = matching(this.commands(), this.input.value);
    this.chosen = 0;
    this.show();
  }

  private show(): void {
    this.list.replaceChildren(...this.found.map((command, index) => make("li", {
      role: "option", className: index === this.chosen ? "chosen" : "",
      aria: { selected: String(index === this.chosen) }, onclick: () => this.run(command) },
      make("span", {}, command.name), command.key === undefined ? undefined : make("kbd", {}, command.key))));
    this.list.children[this.chosen]?.scrollIntoView({ block: "nearest" });
  }

  private key(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const count = this.found.length;
    if (by !== undefined && count > 0) {
      this.chosen = (this.chosen + by + count) % count;
      this.show();
    } else if (event.key === "Enter" && this.found[this.chosen] !== undefined) {
      this.run(this.found[this.chosen]!);
    } else {
      return;
    }
    event.preventDefault();
  }

  private run(command: NamedCommand): void {
    this.element.close();
    command.act();
  }
}

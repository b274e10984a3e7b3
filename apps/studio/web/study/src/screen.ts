// Small pieces of the page: elements, buttons, one screen after the other.

type Child = Node | string;

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Record<string, string> = {},
  ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const root = () => document.getElementById("study")!;

/** A new screen; its heading gets the focus, so that it is read aloud. */
export function show(name: string, ...children: Child[]): HTMLElement {
  const screen = make("section", { class: "screen", "data-screen": name }, ...children);
  root().replaceChildren(screen);
  const heading = screen.querySelector<HTMLElement>("h1, h2");
  if (heading !== null) {
    heading.tabIndex = -1;
    heading.focus();
  }
  scrollTo(0, 0);
  return screen;
}

export function paragraphs(text: string): HTMLParagraphElement[] {
  return text.split("\n\n").map((part) => make("p", {}, part));
}

/** Until one of the buttons is pressed, by pointer or by its key. Gives its number. */
export function choose(buttons: { button: HTMLButtonElement; keys: string[] }[]): Promise<number> {
  return new Promise((resolve) => {
    const done = (k: number) => {
      removeEventListener("keydown", onKey);
      resolve(k);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      const k = buttons.findIndex((one) => one.keys.includes(event.key.toLowerCase()));
      if (k < 0 || buttons[k]!.button.disabled) return;
      event.preventDefault();
      done(k);
    };
    addEventListener("keydown", onKey);
    buttons.forEach((one, k) => one.button.addEventListener("click", () => done(k)));
  });
}

/** A button and the wait for it. */
export function go(label: string, name = "go"): { button: HTMLButtonElement; pressed: Promise<void> } {
  const button = make("button", { class: "main", "data-test": name, type: "button" }, label);
  return { button, pressed: new Promise((resolve) => button.addEventListener("click", () => resolve(), { once: true })) };
}

// What lies over the picture now and then: gallery, key legend, messages, the drop target.
import type { Sample } from "../net/protocol";
import { icon, iconButton, make, setText } from "./dom";

const thumbnails = import.meta.glob<string>("../../thumbnails/*.webp", {
  eager: true,
  query: "?url",
  import: "default",
});

const thumbnailOf = (name: string) => thumbnails[`../../thumbnails/${name}.webp`];

export const KEYS: readonly (readonly [string, string])[] = [
  ["1 … 6", "Grab, turn, pin, push, shake, hit"],
  ["Drag the body", "Pull it by the hand"],
  ["Shift + drag", "Pull, and keep the hand when you let go"],
  ["Shift + click to turn", "Turn a point that stays free to move"],
  ["Shift + drag to shake", "Tilt the support"],
  ["P", "Pin or unpin the held or chosen hand"],
  ["Delete", "Remove the chosen hand"],
  ["Drag an obstacle", "Push with it; it stays where you let go"],
  ["Let go in a swing", "Throws a free body"],
  ["Ctrl + Z", "Undo; with Shift redo. The Scene panel lists all"],
  ["Ctrl + K", "Every command by its name"],
  ["X, Y, Z, O", "Look along an axis; flat view without perspective"],
  ["Drag beside it", "Orbit; right button pans, wheel zooms"],
  ["One, two fingers", "Pull or orbit; pan and zoom"],
  ["F", "Look at the whole body"],
  ["Space", "Play or pause"],
  [".", "One step"],
  ["R", "Back to rest"],
  ["G", "Gallery"],
  ["S", "Screenshot"],
  ["?", "This legend"],
];

/** A sheet over the picture, closed by Escape, its cross or a click beside it. */
export class Sheet {
  readonly element: HTMLDialogElement;
  protected readonly content = make("div", { className: "sheet-content" });
  protected readonly title = make("h1");

  constructor(title: string, className: string) {
    const close = iconButton("close", "Close", () => this.element.close());
    this.title.textContent = title;
    this.element = make("dialog", { className: `sheet ${className}` },
      make("header", {}, this.title, close), this.content);
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}

export class Gallery extends Sheet {
  private shown = "";
  private adding = false;

  /** Both are told whether the scene is replaced or gets one more body. */
  constructor(
    private readonly open: (sample: string, adding: boolean) => void,
    private readonly openFile: (adding: boolean) => void,
  ) {
    super("Gallery", "gallery");
  }

  override toggle(adding = false): void {
    this.adding = adding;
    this.title.textContent = adding ? "Add a body" : "Gallery";
    super.toggle();
  }

  update(samples: Sample[]): void {
    const key = JSON.stringify(samples);
    if (key === this.shown) return;
    this.shown = key;
    const own = make("button", { type: "button", className: "card", onclick: () => {
      this.element.close();
      this.openFile(this.adding);
    } }, make("span", { className: "card-picture card-own" }, icon("add") as unknown as Node),
      make("strong", {}, "Your own"),
      make("span", {}, "Drop a surface, a tetrahedral mesh, a baked body or a scene anywhere on the page."));
    this.content.replaceChildren(...samples.map((sample) => this.card(sample)), own);
  }

  private card(sample: Sample): HTMLElement {
    const address = thumbnailOf(sample.name);
    const picture = address === undefined
      ? make("span", { className: "card-picture" })
      : make("img", { className: "card-picture", src: address, alt: "", loading: "lazy" });
    return make("button", { type: "button", className: "card", data: { sample: sample.name },
      onclick: () => {
        this.element.close();
        this.open(sample.name, this.adding);
      } }, picture, make("strong", {}, sample.title), make("span", {}, sample.text));
  }
}

export class Legend extends Sheet {
  constructor() {
    super("Keys and hands", "legend");
    const list = make("dl", {});
    for (const [keys, text] of KEYS) {
      list.append(make("div", {}, make("dt", {}, make("kbd", {}, keys)), make("dd", {}, text)));
    }
    this.content.append(list);
  }
}

const MESSAGE_MS = 9000;

/** Words at the foot of the picture; errors stay longer and can be closed. */
export class Messages {
  readonly element = make("div", { className: "messages", role: "status", aria: { live: "polite" } });
  private readonly progressBar = make("i");
  private readonly progressText = make("span");
  private readonly progressBox = make("div", { className: "message progress", hidden: true },
    this.progressText, make("div", { className: "bar" }, this.progressBar));

  constructor() {
    this.element.append(this.progressBox);
  }

  say(text: string, kind: "info" | "error" = "info"): void {
    const box = make("div", { className: `message ${kind}`, data: { test: kind } },
      make("span", {}, text));
    box.append(iconButton("close", "Close", () => box.remove()));
    this.element.append(box);
    setTimeout(() => box.remove(), kind === "error" ? 2 * MESSAGE_MS : MESSAGE_MS);
    while (this.element.children.length > 5) this.element.children[1]?.remove();
  }

  progress(stage: string | undefined, fraction = 0): void {
    this.progressBox.hidden = stage === undefined;
    setText(this.progressText, stage ?? "");
    this.progressBar.style.width = `${(100 * fraction).toFixed(0)}%`;
  }
}

/** Takes files dropped anywhere on the page. */
export function acceptDrops(element: HTMLElement, take: (files: File[]) => void): void {
  let depth = 0;
  const show = (change: number) => {
    depth = Math.max(0, depth + change);
    element.classList.toggle("dropping", depth > 0);
  };
  element.addEventListener("dragenter", () => show(1));
  element.addEventListener("dragleave", () => show(-1));
  element.addEventListener("dragover", (event) => event.preventDefault());
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    show(-depth);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) take(files);
  });
}

/** Lets the user choose a file. */
export function chooseFile(accept: string, take: (file: File) => void): void {
  const input = make("input", { type: "file", accept });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file !== undefined) take(file);
  });
  input.click();
}

export function download(address: string, name: string): void {
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

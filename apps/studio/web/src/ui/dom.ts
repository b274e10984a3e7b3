// Elements in one expression.

type Child = Node | string | undefined;
type Properties<K extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[K], "style" | "dataset">
> & { data?: Record<string, string>; aria?: Record<string, string>; style?: string };

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties<K> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { data, aria, style, ...rest } = properties;
  Object.assign(element, rest);
  for (const [key, value] of Object.entries(data ?? {})) element.dataset[key] = value;
  for (const [key, value] of Object.entries(aria ?? {})) element.setAttribute(`aria-${key}`, value);
  if (style !== undefined) element.setAttribute("style", style);
  element.append(...children.filter((child): child is Node | string => child !== undefined));
  return element;
}

/** Sets text only when it changes, so that nothing flickers and selections stay. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** Line icons on a 24×24 field, drawn with the text's colour. */
const ICONS = {
  grab: "M8 12V6.5a1.5 1.5 0 0 1 3 0V11m0-5.5a1.5 1.5 0 0 1 3 0V11m0-4a1.5 1.5 0 0 1 3 0v6.5c0 3.6-2.2 6.5-6 6.5-3 0-4.4-1.4-5.7-4l-1.8-3.6c-.6-1.3 1-2.4 2-1.3L8 12.6",
  turn: "M20 12a8 8 0 1 1-2.5-5.8M20 3v4h-4",
  pin: "M9 3h6l-1 6 3 3v2H7v-2l3-3-1-6ZM12 14v7",
  push: "M3 12h13m-5-6 6 6-6 6M21 4v16",
  shake: "M7 8 3 12l4 4M17 8l4 4-4 4M3 12h18M12 5v2m0 10v2",
  hit: "M12 2l2.2 6.2L20 5l-3 6 5 2-6 1.5 1.5 6.5L12 16l-5.5 5L8 14.5 2 13l5-2-3-6 5.8 3.2L12 2Z",
  play: "M7 4.5v15l12-7.5-12-7.5Z",
  pause: "M8 5v14M16 5v14",
  step: "M6 5v14l9-7-9-7ZM18 5v14",
  reset: "M4 12a8 8 0 1 0 2.5-5.8M4 3v4h4",
  open: "M3 7v11a1.5 1.5 0 0 0 1.5 1.5h15A1.5 1.5 0 0 0 21 18V9a1.5 1.5 0 0 0-1.5-1.5H12L10 5H4.5A1.5 1.5 0 0 0 3 6.5",
  gallery: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  record: "M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12Z",
  save: "M12 3v12m-5-5 5 5 5-5M4 20h16",
  camera: "M4 8h3l2-3h6l2 3h3v11H4V8Zm8 2.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.1-1.5 2.4m0 3.5v.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
  undo: "M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m16 5 4 4-4 4M20 9H10a6 6 0 0 0 0 12h3",
  close: "M6 6l12 12M18 6 6 18",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  add: "M12 5v14M5 12h14",
  eye: "M2 12c3-5 6.5-7 10-7s7 2 10 7c-3 5-6.5 7-10 7s-7-2-10-7Zm10-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z",
  hidden: "M3 3l18 18M6.5 6.8C4.800 8 3.300 9.800 2 12c3 5 6.500 7 10 7 1.700 0 3.300-.4 4.900-1.300M10 5.200c.7-.1 1.300-.2 2-.2 3.500 0 7 2 10 7-.8 1.300-1.700 2.500-2.600 3.400",
  copy: "M8 8h12v12H8zM4 16V4h12",
  theme: "M12 3a9 9 0 1 0 0 18V3Z",
  search: "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13ZM15.500 15.500 21 21",
} as const;
export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGSVGElement {
  const root = svg("svg", { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" });
  root.classList.add("icon");
  root.append(svg("path", { d: ICONS[name] }));
  return root;
}

export function iconButton(name: IconName, label: string, action: () => void): HTMLButtonElement {
  return make("button", { type: "button", className: "icon-button", title: label, onclick: action,
    aria: { label } }, icon(name) as unknown as Node);
}

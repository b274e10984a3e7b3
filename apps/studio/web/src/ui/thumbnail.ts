// A small picture of what stands on the stage.

export const THUMBNAIL = { width: 56, height: 42 };
/** Twice as many pixels, for fine screens. */
const FINE = 2;
/** Around the body, in parts of its size. */
const MARGIN = 0.12;

interface Box {
  min: { x: number; y: number };
  max: { x: number; y: number };
}

/** The part of the canvas around a box of the page (CSS pixels), as an address. */
export function thumbnail(canvas: HTMLCanvasElement, { min, max }: Box): string {
  const small = document.createElement("canvas");
  small.width = FINE * THUMBNAIL.width;
  small.height = FINE * THUMBNAIL.height;
  const place = canvas.getBoundingClientRect();
  const pixels = canvas.width / Math.max(place.width, 1);
  const shape = THUMBNAIL.width / THUMBNAIL.height;
  const height = (1 + 2 * MARGIN) * Math.max(max.y - min.y, (max.x - min.x) / shape, 1);
  const x = (min.x + max.x) / 2 - place.left - (shape * height) / 2;
  const y = (min.y + max.y) / 2 - place.top - height / 2;
  small.getContext("2d")?.drawImage(canvas, pixels * x, pixels * y, pixels * shape * height, pixels * height,
    0, 0, small.width, small.height);
  return small.toDataURL("image/webp", 0.8);
}

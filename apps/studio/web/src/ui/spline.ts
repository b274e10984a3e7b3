// Curves over the modes: values at places 0..1, joined by monotone cubics (Fritsch & Carlson 1980),
// so that a curve never swings past the points it was given.
import type { Curve } from "../net/protocol";

export function evaluate(curve: Curve, x: number): number {
  const { at, value } = curve;
  const last = at.length - 1;
  if (last < 0) return 0;
  if (last === 0 || x <= at[0]!) return value[0]!;
  if (x >= at[last]!) return value[last]!;
  let i = 0;
  while (x > at[i + 1]!) ++i;
  const h = at[i + 1]! - at[i]!;
  const t = (x - at[i]!) / h;
  const m0 = slope(curve, i) * h;
  const m1 = slope(curve, i + 1) * h;
  const d = value[i + 1]! - value[i]!;
  // Hermite's form, written from the left end.
  return value[i]! + t * (m0 + t * (3 * d - 2 * m0 - m1 + t * (m0 + m1 - 2 * d)));
}

/** The harmonic mean of the neighbouring secants where they agree in sign, else level. */
function slope({ at, value }: Curve, i: number): number {
  const secant = (k: number) => (value[k + 1]! - value[k]!) / (at[k + 1]! - at[k]!);
  if (i === 0) return secant(0);
  if (i === at.length - 1) return secant(i - 1);
  const before = secant(i - 1);
  const after = secant(i);
  return before * after > 0 ? (2 * before * after) / (before + after) : 0;
}

/** A copy with point `index` moved, kept between its neighbours and within 0..1. */
export function movePoint(curve: Curve, index: number, x: number, y: number): Curve {
  const gap = 0.01;
  const last = curve.at.length - 1;
  const low = index === 0 ? 0 : curve.at[index - 1]! + gap;
  const high = index === last ? 1 : curve.at[index + 1]! - gap;
  const place = index === 0 ? 0 : index === last ? 1 : Math.min(high, Math.max(low, x));
  return {
    at: curve.at.map((a, i) => (i === index ? place : a)),
    value: curve.value.map((v, i) => (i === index ? y : v)),
  };
}

export function addPoint(curve: Curve, x: number, y: number): Curve {
  const index = curve.at.findIndex((a) => a > x);
  if (index <= 0) return curve;
  return { at: spliced(curve.at, index, 0, x), value: spliced(curve.value, index, 0, y) };
}

/** The ends stay. */
export function removePoint(curve: Curve, index: number): Curve {
  if (index <= 0 || index >= curve.at.length - 1) return curve;
  return { at: spliced(curve.at, index, 1), value: spliced(curve.value, index, 1) };
}

function spliced(list: number[], index: number, remove: number, ...insert: number[]): number[] {
  return [...list.slice(0, index), ...insert, ...list.slice(index + remove)];
}

export const constant = (value: number): Curve => ({ at: [0, 1], value: [value, value] });

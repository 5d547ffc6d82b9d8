/** Finds where lines of an old commit are in a file of today. */

import type { Lines } from "../contracts/model.ts";

/** Shorter lines (`}`, `end`, `return`) are everywhere. */
const MIN_LENGTH = 8;
const MAX_TRIED = 40;
/** Of the lines that say something, this share must still be there. */
const MIN_SHARE = 0.5;

/** Where most of the lines are now, in their order and close together; undefined where they are gone. */
export function locate(wanted: readonly string[], lines: readonly string[]): Lines | undefined {
  const telling = wanted
    .map((line) => line.trim())
    .filter((line) => line.length >= MIN_LENGTH)
    .slice(0, MAX_TRIED);
  if (telling.length === 0) return undefined;
  const places = new Map<string, number[]>();
  const known = new Set(telling);
  lines.forEach((line, i) => {
    if (line.length < MIN_LENGTH) return;
    const text = line.trim();
    if (known.has(text)) places.set(text, [...(places.get(text) ?? []), i]);
  });
  const found = telling.flatMap((text) => places.get(text) ?? []);
  let best: { count: number; lines: Lines } | undefined;
  for (const start of new Set(found)) {
    const end = start + wanted.length * 2;
    const inside = telling.filter((text) =>
      places.get(text)?.some((place) => place >= start && place <= end),
    ).length;
    if (best === undefined || inside > best.count) {
      const last = Math.max(...found.filter((place) => place >= start && place <= end));
      best = { count: inside, lines: { start, end: last } };
    }
  }
  return best !== undefined && best.count >= telling.length * MIN_SHARE ? best.lines : undefined;
}

/** Finds where lines of an old commit are in the current file. */

import type { Lines } from "../contracts/model.ts";

/** Shorter lines (`}`, `end`, `return`) occur everywhere. */
const MIN_LENGTH = 8;
const MAX_TRIED = 40;
/** This share of the distinctive lines must still exist. */
const MIN_SHARE = 0.5;

/** The range of `lines` that has most of the `wanted` lines close together; undefined if fewer than half are left. */
export function locate(wanted: readonly string[], lines: readonly string[]): Lines | undefined {
  const distinctive = wanted
    .map((line) => line.trim())
    .filter((line) => line.length >= MIN_LENGTH)
    .slice(0, MAX_TRIED);
  if (distinctive.length === 0) return undefined;
  const places = new Map<string, number[]>();
  const known = new Set(distinctive);
  lines.forEach((line, i) => {
    if (line.length < MIN_LENGTH) return;
    const text = line.trim();
    if (known.has(text)) places.set(text, [...(places.get(text) ?? []), i]);
  });
  const found = distinctive.flatMap((text) => places.get(text) ?? []);
  let best: { count: number; lines: Lines } | undefined;
  for (const start of new Set(found)) {
    const end = start + wanted.length * 2;
    const inside = distinctive.filter((text) =>
      places.get(text)?.some((place) => place >= start && place <= end),
    ).length;
    if (best === undefined || inside > best.count) {
      const last = Math.max(...found.filter((place) => place >= start && place <= end));
      best = { count: inside, lines: { start, end: last } };
    }
  }
  return best !== undefined && best.count >= distinctive.length * MIN_SHARE
    ? best.lines
    : undefined;
}

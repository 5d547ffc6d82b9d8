/** The further places of a file: its chunks that rank behind the hit and are not hits themselves. */

import type { ChunkFacts } from "../../contracts/lanes.ts";
import { byFile, type Ranked, type RankedHit } from "../ranking.ts";

/** Of one hit. More would hide the hits of other files in a list. */
const MAX_PLACES = 3;

/** Of one file, before hits of the list are left out. */
const MAX_CANDIDATES = 12;

/** The chunks behind the first one of each file, in the order of the list, by the first chunk. */
export function chunksBehind(hits: readonly Ranked[]): ReadonlyMap<number, readonly ChunkFacts[]> {
  return new Map(
    [...byFile(hits).values()].flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const named = others.map(({ facts }) => facts).filter(isNamed);
      return [[first.chunk, named.slice(0, MAX_CANDIDATES)] as const];
    }),
  );
}

/** The head of a file, with its license, imports and logger, is in no scope and defines no block. */
function isNamed({ symbols, hierarchy }: ChunkFacts): boolean {
  return (
    symbols.some(({ type }) => type !== "variable") || (hierarchy !== undefined && hierarchy !== "")
  );
}

/** Leaves out the places that are hits of the list themselves, and all but the best three of a hit. */
export function withoutListed(hits: readonly RankedHit[]): RankedHit[] {
  const listed = new Set(hits.map(({ root, facts }) => keyOf(root, facts)));
  return hits.map((hit) => {
    if (hit.places.length === 0) return hit;
    const places = hit.places.filter((facts) => !listed.has(keyOf(hit.root, facts)));
    return { ...hit, places: places.slice(0, MAX_PLACES) };
  });
}

function keyOf(root: string, { path, lines, span }: ChunkFacts): string {
  return JSON.stringify([root, path, lines.start, span.start]);
}

/** The further places of a file: its chunks that rank behind the hit and are not hits themselves. */

import type { ChunkFacts } from "../../contracts/lanes.ts";
import type { CodeSymbol, FurtherPlace, Hit } from "../../contracts/model.ts";
import { numberFiles, type Ranked, type RankedHit } from "../ranking.ts";

/** The maximum for one hit. More would hide the hits of other files in a list. */
const MAX_PLACES = 3;

/** The maximum for one file, before hits of the list are left out. */
const MAX_CANDIDATES = 12;

/** The chunks behind the first one of each file, in the order of the list, by the first chunk; of files among the first `count` hits. */
export function chunksBehind(
  hits: readonly Ranked[],
  count: number,
): ReadonlyMap<number, readonly ChunkFacts[]> {
  const behind = new Map<number, ChunkFacts[]>();
  const listed: ChunkFacts[][] = [];
  numberFiles(hits);
  for (let i = 0; i < hits.length; i++) {
    const { chunk, file, facts } = hits[i] as Ranked;
    const others = listed[file];
    if (others === undefined) {
      if (i < count) behind.set(chunk, (listed[file] = []));
    } else if (others.length < MAX_CANDIDATES && isNamed(facts)) {
      others.push(facts);
    }
  }
  return behind;
}

/** The head of a file, with its license, imports and logger, is in no scope and defines no block. */
function isNamed({ symbols, hierarchy }: ChunkFacts): boolean {
  return (
    symbols.some(({ type }) => type !== "variable") || (hierarchy !== undefined && hierarchy !== "")
  );
}

/** Leaves out the places that are hits of the list themselves. */
export function withoutListed(hits: readonly RankedHit[]): RankedHit[] {
  return hits.map((hit) => {
    if (hit.places.length === 0) return hit;
    const ofFile = hits.filter(({ facts }) => facts.path === hit.facts.path);
    if (ofFile.length === 1) return hit;
    const isListed = ({ lines, span }: ChunkFacts) =>
      ofFile.some(
        ({ root, facts }) =>
          root === hit.root && facts.lines.start === lines.start && facts.span.start === span.start,
      );
    return { ...hit, places: hit.places.filter((each) => !isListed(each)) };
  });
}

/**
 * The best three places of a hit, each in a definition of its own. Of the chunks of a long function, the best is
 * kept. Further chunks of the hit's own definition are left out: the hit already has its name, and its context
 * range shows them. Overloads are definitions of their own.
 */
export function toFurtherPlaces(
  places: readonly ChunkFacts[],
  hit: Pick<Hit, "symbol" | "hierarchy">,
  symbolAt: (facts: ChunkFacts) => CodeSymbol | undefined,
): FurtherPlace[] {
  const kept: FurtherPlace[] = [];
  for (const facts of places) {
    const [symbol, { hierarchy }] = [symbolAt(facts), facts];
    const place: FurtherPlace = {
      lines: facts.lines,
      ...(symbol === undefined ? {} : { symbol }),
      ...(hierarchy === undefined ? {} : { hierarchy }),
    };
    if ([hit, ...kept].some((other) => isSameDefinition(place, other))) continue;
    if (kept.push(place) === MAX_PLACES) break;
  }
  return kept;
}

type Named = Pick<FurtherPlace, "symbol" | "hierarchy">;

/** A later chunk of a definition has only its name, and no line of it. */
function isSameDefinition(a: Named, b: Named): boolean {
  if ((a.symbol?.name ?? a.hierarchy) !== (b.symbol?.name ?? b.hierarchy)) return false;
  return !a.symbol || !b.symbol || a.symbol.nameLine === b.symbol.nameLine;
}

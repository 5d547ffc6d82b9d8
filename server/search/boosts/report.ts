/** What a bug report says of places: named definitions, frames and files, and the purpose of files. */

import { strengthOfMentions } from "../lanes/mentions.ts";
import { type Boost, highest, injectCandidates, type Ranked, rescored } from "../ranking.ts";
import { PURPOSES } from "./file-category.ts";

/** Gain of a definition that is mentioned as clearly as can be, as a multiple of the best score. */
const MENTIONED = 0.8;
/** What the other chunks of its file gain of that: a method is mentioned with its class, and fixed beside it. */
const SAME_FILE = 0.3;

/** Gain of a file that the report names, and of the lines in it. */
const NAMED_FILE = 0.6;
const NAMED_LINES = 0.6;

/** A report speaks of tests, documents and changes whatever it is about; the fix is in the code. */
const ELSEWHERE = 0.1;
const NOT_CODE: ReadonlySet<string> = new Set([
  "test",
  "documentation",
  "configuration",
  "example",
]);

export const reportNames: Boost = {
  name: "report-names",
  apply: (hits, { findings, filter }) => {
    if (findings === undefined) return hits;
    const { mentions, mentionedChunks } = findings;
    const unit = MENTIONED * highest(hits);
    const all = [...hits, ...injectCandidates(mentionedChunks, hits, filter, {})];
    const best = new Map<string, number>();
    const strengths = all.map(({ chunk, facts }) => {
      const strength = strengthOfMentions(mentions.get(chunk) ?? []);
      best.set(facts.path, Math.max(strength, best.get(facts.path) ?? 0));
      return strength;
    });
    return all.map((hit, i) => {
      const own = strengths[i] ?? 0;
      const file = SAME_FILE * (best.get(hit.facts.path) ?? 0);
      const names = mentions.get(hit.chunk)?.map(({ symbol }) => symbol);
      return rescored(
        hit,
        hit.score + unit * Math.max(own, file),
        "report-names",
        names?.slice(0, 3).join(", ") ?? "the file's names",
      );
    });
  },
};

export const reportPlaces: Boost = {
  name: "report-places",
  apply: (hits, { findings, filter }) => {
    if (findings === undefined) return hits;
    const { namedFiles, namedChunks } = findings;
    const unit = highest(hits);
    const all = [...hits, ...injectCandidates(namedChunks, hits, filter, { keyword: 0 })];
    return all.map((hit) => {
      const named = namedFiles.get(hit.facts.path);
      if (named === undefined) return hit;
      const lines = Math.max(
        0,
        ...named.places.map((place) => (isAt(hit, place) ? place.weight : 0)),
      );
      const gain = NAMED_FILE * named.weight + NAMED_LINES * lines;
      return rescored(hit, hit.score + unit * gain, "report-places", named.places[0]?.path);
    });
  },
};

function isAt(
  { facts }: Ranked,
  { line, function: name }: { readonly line?: number; readonly function?: string },
): boolean {
  if (name !== undefined && facts.symbols.some((symbol) => isOfName(symbol.name, name)))
    return true;
  // Lines move between versions: without a function's name they are the best there is.
  return (
    name === undefined && line !== undefined && line >= facts.lines.start && line <= facts.lines.end
  );
}

function isOfName(symbol: string, name: string): boolean {
  return symbol === name || symbol.endsWith(`.${name}`) || symbol.endsWith(`::${name}`);
}

export const reportCategory: Boost = {
  name: "fileCategory",
  apply: (hits, { query }) =>
    hits.map((hit) => {
      const found = PURPOSES.filter(({ has }) => has(hit.facts));
      const isWanted = query.report?.isAboutTests === true;
      const factor = found.reduce((product, { name, factor: usual }) => {
        if (name === "test" && isWanted) return product;
        return product * (NOT_CODE.has(name) ? ELSEWHERE : usual);
      }, 1);
      const names = found.map(({ name }) => name).join(", ");
      return rescored(hit, hit.score * factor, "fileCategory", names);
    }),
};

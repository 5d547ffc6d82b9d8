/** Applies the evidence of a bug report: named definitions, frames and files, and the category of files. */

import { strengthOfMentions } from "../lanes/mentions.ts";
import { type Boost, highest, injectCandidates, type Ranked, rescore } from "../ranking.ts";
import { lowerFiles, loweringOf, purposesOf } from "./file-category.ts";

/** Gain of a definition that is mentioned as clearly as can be, as a multiple of the best score. */
const MENTIONED = 0.7;
/** The share of this gain for the other chunks of its file: a method is mentioned with its class, and fixed beside it. */
const SAME_FILE = 0.6;

/** Gain of a file that the report names, and of the lines in it. */
const NAMED_FILE = 0.6;
const NAMED_LINES = 1.5;

/** A report mentions tests, documents and changes on any subject; the fix is in the code. */
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
    const all = [...hits, ...injectCandidates(mentionedChunks, hits, filter, { symbol: 0 })];
    const best = new Map<string, number>();
    const strengths = all.map(({ chunk, facts }) => {
      const strength = strengthOfMentions(mentions.get(chunk) ?? []);
      best.set(facts.path, Math.max(strength, best.get(facts.path) ?? 0));
      return strength;
    });
    for (const [i, hit] of all.entries()) {
      const own = strengths[i] ?? 0;
      const file = SAME_FILE * (best.get(hit.facts.path) ?? 0);
      const names = mentions.get(hit.chunk)?.map(({ symbol }) => symbol);
      const detail = names?.slice(0, 3).join(", ") ?? "the file's names";
      rescore(hit, hit.score + unit * Math.max(own, file), "report-names", detail);
    }
    return all;
  },
};

export const reportPlaces: Boost = {
  name: "report-places",
  apply: (hits, { findings, filter }) => {
    if (findings === undefined) return hits;
    const { namedFiles, namedChunks } = findings;
    const unit = highest(hits);
    const all = [...hits, ...injectCandidates(namedChunks, hits, filter, { keyword: 0 })];
    for (const hit of all) {
      const named = namedFiles.get(hit.facts.path);
      if (named === undefined) continue;
      const lines = Math.max(0, ...named.places.map((place) => shareAt(hit, place) * place.weight));
      const gain = NAMED_FILE * named.weight + NAMED_LINES * lines;
      rescore(hit, hit.score + unit * gain, "report-places", named.places[0]?.path);
    }
    return all;
  },
};

/** Lines move between versions: a function's name with its line is sure, one of them is a guess. */
function shareAt(
  { facts }: Ranked,
  { line, function: name }: { readonly line?: number; readonly function?: string },
): number {
  const isNear =
    line !== undefined && line >= facts.lines.start - NEAR && line <= facts.lines.end + NEAR;
  if (name !== undefined && facts.symbols.some((symbol) => isOfName(symbol.name, name))) {
    return isNear || name.includes(".") ? 1 : 0.7;
  }
  // The middle of a long function has no name of its own.
  return isNear ? (name === undefined ? 1 : 0.7) : 0;
}

/** How far a line may have moved since the version that was reported. */
const NEAR = 20;

function isOfName(symbol: string, name: string): boolean {
  return symbol === name || symbol.endsWith(`.${name}`) || symbol.endsWith(`::${name}`);
}

export const reportCategory: Boost = {
  name: "fileCategory",
  apply: (hits, { query }) => {
    const isAboutTests = query.report?.isAboutTests === true;
    return lowerFiles(hits, (file) =>
      loweringOf(purposesOf(file), ({ name, factor }) => {
        if (name === "test" && isAboutTests) return 1;
        return NOT_CODE.has(name) ? ELSEWHERE : factor;
      }),
    );
  },
};

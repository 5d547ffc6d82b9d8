/** Ranks the definitions in and around the chunk of a hit; for a bug report, ranks likely fix locations. */

import { memoize } from "../../common/memoize.ts";
import { wordsOf } from "../../common/words.ts";
import type { ChunkFacts, Lanes } from "../../contracts/lanes.ts";
import type { CodeSymbol, Lines } from "../../contracts/model.ts";
import type { MentionsByChunk } from "../lanes/mentions.ts";
import { gradeName, toKnownName, toName } from "../lanes/symbol-names.ts";
import { NameWords } from "../name-words.ts";
import type { Query } from "../query/query.ts";
import { stem, termsOf } from "../query/stem.ts";
import type { Ranked, RankedHit } from "../ranking.ts";

type Hit = Pick<Ranked, "chunk" | "facts">;

/** The definitions around the hits, by path; for a bug report, also all classes. */
export type Definitions = ReadonlyMap<string, readonly CodeSymbol[]>;

export type HitSymbols = Pick<RankedHit, "symbols" | "otherSymbols">;

/** The definitions of each hit, in the order of the hits. */
export function symbolsOfHits(
  hits: readonly Hit[],
  query: Query,
  definitions: Definitions,
  mentions: MentionsByChunk | undefined,
): HitSymbols[] {
  const all = hits.map((hit) => candidatesOf(hit, definitions));
  if (query.report === undefined) {
    const gradeOf = createGrader(query);
    return all.map((symbols) => ({ symbols: sortByQuery(symbols, gradeOf), otherSymbols: [] }));
  }
  const places = likelyPlaces(hits, all, query, definitions, mentions ?? new Map());
  return places.map((symbols, i) => {
    const otherSymbols = all[i]?.filter((each) => !symbols.includes(each)) ?? [];
    return { symbols, otherSymbols };
  });
}

/** The definitions in the chunk, and the innermost definition around its first line. */
function candidatesOf({ facts }: Hit, definitions: Definitions): readonly CodeSymbol[] {
  const own = facts.symbols;
  const enclosing = innermost(definitions.get(facts.path) ?? [], facts.lines);
  const isOwn = own.some(({ name }) => name === enclosing?.name);
  return enclosing === undefined || isOwn ? own : [enclosing, ...own];
}

/** The innermost definition around the start of the chunk. Skips classes, which also cover methods outside the chunk. */
function innermost(around: readonly CodeSymbol[], { start }: Lines): CodeSymbol | undefined {
  return around
    .filter(({ lines, type }) => lines.start < start && lines.end >= start && type !== "class")
    .toSorted((a, b) => a.lines.end - a.lines.start - (b.lines.end - b.lines.start))[0];
}

/** Maximum number of names read from a query: a pasted text may have thousands. */
const MAX_NAMES = 20;

function createGrader(query: Query): (symbol: CodeSymbol) => number {
  const names = query.identifiers.slice(0, MAX_NAMES).map(toName);
  const times = new Map<string, number>();
  for (const term of termsOf(query.words)) times.set(term, (times.get(term) ?? 0) + 1);
  return (symbol) => {
    let named = 0;
    const own = toKnownName(symbol.name);
    for (const name of names) named = Math.max(named, gradeName(name, own));
    const words = wordsOfName(symbol.name);
    let shared = 0;
    for (const word of words) shared += Math.min(4, times.get(word) ?? 0);
    return 2 * named + shared / (4 * Math.max(1, words.length));
  };
}

function sortByQuery(
  symbols: readonly CodeSymbol[],
  gradeOf: (symbol: CodeSymbol) => number,
): readonly CodeSymbol[] {
  if (symbols.length < 2) return symbols;
  return sortByGrade(symbols, gradeOf).map(({ symbol }) => symbol);
}

/** A cache across searches, which compare the same definitions; about 1 MB when full. */
const REMEMBERED_NAMES = 5_000;

/** The words of the last segment, then of its scope. */
const wordsOfName = memoize((text) => {
  const { parts, text: name, last } = toKnownName(text);
  return [...parts, ...wordsOf(name.slice(0, -last.length))].map(stem);
}, REMEMBERED_NAMES);

interface Graded {
  readonly symbol: CodeSymbol;
  readonly grade: number;
}

/** A stable sort: equal grades keep their order. */
function sortByGrade(
  symbols: readonly CodeSymbol[],
  gradeOf: (symbol: CodeSymbol) => number,
): Graded[] {
  return symbols
    .map((symbol) => ({ symbol, grade: gradeOf(symbol) }))
    .toSorted((a, b) => b.grade - a.grade);
}

/** Weights of the evidence for a definition as the fix location. Halving or doubling each makes no difference. */
const COVERAGE = 0.5;
const MENTIONED = 0.5;
const WORDS = 0.3;
const TRACED = 0.5;
/**
 * A fix changes a method more often than the rest of its class. With -.2, function Acc@5 is 1 and 3 points lower, on 101
 * reports and on 128 commit messages of fixes.
 */
const CLASS = -0.4;

/**
 * The share of the best definition's grade to list another, and the maximum number. .8 gains 1 to 2 points of function Acc@10
 * over .9 on both.
 */
const NEARLY = 0.8;
const MAX_PLACES = 3;
/** One fix in nine adds to a class. The classes of the first hits are listed once, after the method found. */
const HITS_WITH_CLASS = 3;

/** Maximum number of definitions per hit: readers check a report's hits in order, definition by definition. */
function likelyPlaces(
  hits: readonly Hit[],
  candidates: readonly (readonly CodeSymbol[])[],
  query: Query,
  definitions: Definitions,
  mentions: MentionsByChunk,
): CodeSymbol[][] {
  const all = new Set(candidates.flatMap((symbols) => symbols.map(({ name }) => name)));
  const words = new NameWords(query.words, all);
  const traced = new Set(query.report?.places.flatMap((place) => place.function ?? []));
  const named = new Set<string>();
  return hits.map(({ chunk, facts }, i) => {
    const strength = new Map(mentions.get(chunk)?.map(({ symbol, weight }) => [symbol, weight]));
    const graded = sortByGrade(candidates[i] ?? [], (symbol) => {
      const { last, text } = toName(symbol.name);
      const isTraced = traced.has(last) || traced.has(text);
      return (
        COVERAGE * Math.sqrt(shareCovered(facts.lines, symbol.lines)) +
        MENTIONED * (strength.get(symbol.name) ?? 0) +
        WORDS * words.share(symbol.name) +
        (isTraced ? TRACED : 0) +
        (symbol.type === "class" ? CLASS : 0)
      );
    });
    const best = graded[0]?.grade ?? 0;
    const [first, ...others] = graded
      .filter(({ grade }, at) => at === 0 || (at < MAX_PLACES && grade >= NEARLY * best))
      .map(({ symbol }) => symbol);
    if (first === undefined) return [];
    const enclosing =
      i < HITS_WITH_CLASS ? classAround(first, definitions.get(facts.path)) : undefined;
    const around = candidates[i]?.find((each) => isSame(each, enclosing)) ?? enclosing;
    const isNew = around !== undefined && !named.has(`${facts.path}:${around.name}`);
    const places = isNew
      ? [first, around, ...others.filter((other) => other !== around)]
      : [first, ...others];
    for (const { name } of places) named.add(`${facts.path}:${name}`);
    return places;
  });
}

function isSame({ name, nameLine }: CodeSymbol, other: CodeSymbol | undefined): boolean {
  return name === other?.name && nameLine === other.nameLine;
}

/** The share of one range that is inside another, 0 to 1. */
function shareCovered(lines: Lines, by: Lines): number {
  const shared = Math.min(lines.end, by.end) - Math.max(lines.start, by.start) + 1;
  return Math.max(0, shared) / (lines.end - lines.start + 1);
}

function classAround(
  { name }: CodeSymbol,
  definitions: readonly CodeSymbol[] | undefined,
): CodeSymbol | undefined {
  const scope = /^(.+)(?:\.|::|#)[^.:#]+$/.exec(name)?.[1];
  return definitions?.find((symbol) => symbol.type === "class" && symbol.name === scope);
}

export async function definitionsOf(
  hits: readonly { readonly facts: Pick<ChunkFacts, "path" | "lines"> }[],
  { report }: Query,
  lanes: Lanes,
): Promise<Definitions> {
  const begins = new Map<string, number[]>();
  for (const { facts } of hits) {
    begins.set(facts.path, [...(begins.get(facts.path) ?? []), facts.lines.start]);
  }
  return await lanes.definitionsAround(begins, report !== undefined);
}

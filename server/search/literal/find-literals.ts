/** Finds the chunks that contain the literals of a query: prefilters by terms in the lanes, then verifies the text. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { inBatches, type YieldToForeground } from "../../common/slices.ts";
import { tokensOf } from "../../common/words.ts";
import { ABSENT_TERM, type ChunkFacts, type Filter, type Lanes } from "../../contracts/lanes.ts";
import { isProductCode } from "../boosts/file-category.ts";
import type { ReadLines } from "../context.ts";
import { termsInText } from "../lanes/pair-terms.ts";
import { EXACT_GRADE } from "../lanes/symbol-names.ts";
import { comparePlaces, type LiteralMatch, type Ranked } from "../ranking.ts";
import { type Literal, type Literals, type Message, MIN_RUN } from "./literals.ts";
import { findFlag, flagName } from "./match-flag.ts";
import {
  expectedOf,
  type MessagePlace,
  messageFinder,
  type WeighedMessage,
} from "./match-message.ts";
import { templateFinder } from "./match-template.ts";
import { findLiteral, type LiteralPlace, literalPattern } from "./match-text.ts";

export interface LiteralMatches {
  /** By chunk, best first. */
  readonly byChunk: ReadonlyMap<number, readonly LiteralMatch[]>;
  /** Covers all compared chunks. */
  readonly facts: ReadonlyMap<number, ChunkFacts>;
}

export interface LiteralSearch {
  readonly lanes: Lanes;
  readonly root: string;
  readonly readLines: ReadLines;
  readonly filter: Filter | undefined;
  /** The hits ranked so far, best first. */
  readonly hits: readonly Ranked[];
  /** The number of hits displayed. */
  readonly limit: number;
  readonly pause: YieldToForeground;
}

/** Maximum number of candidate chunks per literal. A literal with more is a common word, left to the normal ranking. */
const MAX_CONTAINING = 1_000;
/** Number of chunks read per literal, more for a large `limit`; a cached file takes about 50 microseconds. */
const MIN_COMPARED = 32;
const FILES_AT_ONCE = 16;
/** Maximum number of chunks compared with a literal of several tokens, while every place found has it in another letter case. */
const MAX_OTHER_CASE = 128;
/**
 * A question in common words has its words in many chunks, but not in a row. On 300 messages of three repositories, 8 found
 * four fewer in a hundred halves of a message among five, 16 found as many as without a limit (test/ranking/literal.md).
 */
const MAX_MISSES = 16;
/** The same for chunks that contain every word of the message, which few chunks do by coincidence. */
const MAX_COMPLETE = 128;
/** Every word of a shorter message is in many chunks. */
const MIN_COMPLETE_TOKENS = 4;
/**
 * Maximum number of chunks compared with a message that only tests and documents have: the code that prints it has placeholders,
 * and so fewer of its words.
 */
const MAX_TEMPLATES = 256;
/** In a longer message, a value that looks like a word is a small share of it. */
const MAX_TOKENS_LESS_ONE = 12;
/** Two values of a short message may be words of the index, too: `cannot add integer and string`. */
const MAX_TOKENS_LESS_TWO = 6;
/** The factor for a match in another letter case, if the query has capitals or its exact case occurs in the index. */
const OTHER_CASE = 0.4;
/** The factor for a part of a longer hyphenated name. */
const IN_LONGER_NAME = 0.9;
/** The factor for the definition of a flag without its dashes, between product code that has the flag and other files. */
export const WITHOUT_DASHES = 0.95;
/** A smaller share of a message is a coincidence. */
const MIN_SHARE = 0.5;
/** Minimum matched share of a printed message that puts it at the top of the list (place-literals.ts). */
export const MIN_PRINTED = 0.7;
/** A placeholder in a clause costs less. */
const MIN_CLAUSE_CLOSENESS = 0.9;
/** For a clause, a chunk counts as having this share of the line more than MIN_PRINTED, times the portion of the clause. */
const CLAUSE_SHARE = 0.1;
/**
 * The weight of a token that is everywhere; one that is nowhere has 1. By rarity alone, one value that was filled in would
 * weigh more than the message around it.
 */
const COMMON_WEIGHT = 0.4;

const NO_RANKS: ReadonlyMap<number, number> = new Map();
const NOTHING: LiteralMatches = { byChunk: new Map(), facts: new Map() };

export async function findLiterals(
  { exact, messages }: Literals,
  search: LiteralSearch,
): Promise<LiteralMatches> {
  if (exact.length === 0 && messages.length === 0) return NOTHING;
  const facts = new Map<number, ChunkFacts>();
  const byChunk = new Map<number, LiteralMatch[]>();
  const note = (chunk: number, match: LiteralMatch) => {
    getOrCreate(byChunk, chunk, () => []).push(match);
  };
  await findExact(exact, search, facts, note);
  for (const message of messages) await findRunning(message, search, facts, note);
  for (const own of byChunk.values()) own.sort((a, b) => b.share - a.share);
  return { byChunk, facts };
}

type Note = (chunk: number, match: LiteralMatch) => void;

async function findExact(
  literals: readonly Literal[],
  search: LiteralSearch,
  facts: Map<number, ChunkFacts>,
  note: Note,
): Promise<void> {
  if (literals.length === 0) return;
  const { lanes, filter, pause } = search;
  const spellings = literals.map(({ text }) => spellingsOf(text).map(termsInText));
  const found = await lanes.containing(spellings.flat(), { filter, limit: MAX_CONTAINING, pause });
  let at = 0;
  for (const [i, literal] of literals.entries()) {
    const own = found.slice(at, (at += spellings[i]?.length ?? 0));
    const chunks = [...new Set(own.flat())];
    if (chunks.length === 0) continue;
    const ordered = await sortChunks(chunks, search, facts);
    const pattern = literalPattern(literal.text);
    const isCased = literal.text !== literal.text.toLowerCase();
    const files = new Set(ordered.map((chunk) => facts.get(chunk)?.path)).size;
    const places = new Map<number, LiteralPlace>();
    const flag = flagName(literal.text);
    // Imports of `System.Xml` must not hide the one place that reads `system.xml`, nor words the flag.
    const isJoined = flag !== undefined || tokensOf(literal.text).length > 1;
    const visit = (chunk: number, lines: readonly string[]) => {
      const isCode = flag !== undefined && isProductCode(facts.get(chunk) as ChunkFacts);
      const typed = findLiteral(lines, pattern, literal.text);
      const place = typed ?? (isCode ? findFlag(lines, flag) : undefined);
      if (place !== undefined) places.set(chunk, place);
      return place !== undefined && (place.isSameCase || !isJoined);
    };
    const most = maxCompared(search);
    await compare(ordered.slice(0, most), search, facts, Infinity, visit);
    const isSeen = () => [...places.values()].some(({ isSameCase }) => isSameCase);
    if (isJoined && !isSeen())
      await compare(ordered.slice(most, MAX_OTHER_CASE), search, facts, Infinity, visit);
    const isAsTyped = isCased || isSeen();
    for (const [chunk, { isSameCase, isAlone, hasNoDashes, ...place }] of places) {
      const ofCase = isSameCase || !isAsTyped ? 1 : OTHER_CASE;
      const ofForm = hasNoDashes === true ? WITHOUT_DASHES : isAlone ? 1 : IN_LONGER_NAME;
      note(chunk, { ...place, literal, share: ofCase * ofForm, files, run: 0, closeness: 1 });
    }
  }
}

/** A name also matches behind a dollar sign: `$name` is a token of its own. A field may be the definition of a flag. */
function spellingsOf(text: string): string[] {
  if (/^[\p{L}\p{N}_]+$/u.test(text)) return [text, `$${text}`];
  const flag = flagName(text);
  return flag?.includes("-") ? [text, flag.replaceAll("-", "_")] : [text];
}

/**
 * Sorts chunks: definitions of the name and product code, then the others; within both, ranked chunks in their order, then chunks
 * that no lane returned. Only the first chunks are compared, and a hundred tests may rank before the one place they test.
 */
async function sortChunks(
  chunks: readonly number[],
  { lanes, hits }: LiteralSearch,
  facts: Map<number, ChunkFacts>,
): Promise<number[]> {
  const wanted = new Set(chunks);
  const isAll = chunks.length < MAX_CONTAINING;
  const ranked = hits.filter(({ chunk }) => !isAll || wanted.has(chunk));
  for (const { chunk, facts: own } of ranked) facts.set(chunk, own);
  const others = await lanes.facts(chunks.filter((chunk) => !facts.has(chunk)));
  for (const [chunk, own] of others) facts.set(chunk, own);
  const rest = [...others].toSorted(([, a], [, b]) => comparePlaces(a, b));
  const ordered = [...ranked.map(({ chunk }) => chunk), ...rest.map(([chunk]) => chunk)];
  const defining = ranked.filter(({ evidence }) => (evidence.symbol ?? 0) >= EXACT_GRADE);
  const isFirst = new Set(defining.map(({ chunk }) => chunk));
  for (const chunk of ordered)
    if (isProductCode(facts.get(chunk) as ChunkFacts)) isFirst.add(chunk);
  return [...isFirst, ...ordered.filter((chunk) => !isFirst.has(chunk))];
}

function maxCompared({ limit }: Pick<LiteralSearch, "limit">): number {
  return Math.max(MIN_COMPARED, 2 * limit);
}

/**
 * Reads the chunks in this order until as many places were found as are shown, or none in the first `maxMisses` chunks: `visit` says
 * whether a chunk is one.
 */
async function compare(
  chunks: readonly number[],
  { root, readLines, limit, pause }: LiteralSearch,
  facts: ReadonlyMap<number, ChunkFacts>,
  maxMisses: number,
  visit: (chunk: number, lines: readonly string[]) => boolean,
): Promise<void> {
  // A line of a megabyte is hundreds of chunks: it is looked through once.
  const known = new Set<string>();
  let found = 0;
  const atOnce = Math.min(FILES_AT_ONCE, maxMisses);
  for (let from = 0; from < chunks.length && found < limit; from += atOnce) {
    if (found === 0 && from >= maxMisses) return;
    const batch = chunks.slice(from, from + atOnce);
    await inBatches(batch, atOnce, pause, async (chunk) => {
      const own = facts.get(chunk);
      if (own === undefined) return;
      const key = `${own.lines.start} ${own.lines.end} ${own.path}`;
      if (known.has(key)) return;
      known.add(key);
      const lines = await readLines(root, own.path, own.lines);
      if (lines !== undefined && visit(chunk, lines)) found++;
    });
  }
}

async function findRunning(
  message: Message,
  search: LiteralSearch,
  facts: Map<number, ChunkFacts>,
  note: Note,
): Promise<void> {
  const { lanes, filter, hits, pause } = search;
  const { tokens } = message;
  const terms = tokens.map((token) => termsInText(token));
  const nowhere = lanes.rarityOf(ABSENT_TERM);
  const rarities = terms.map((own) => Math.max(0, ...own.map((term) => lanes.rarityOf(term))));
  const weights = rarities.map(
    (rarity) => COMMON_WEIGHT + (1 - COMMON_WEIGHT) * (rarity / nowhere),
  );
  // A token that is nowhere in the index was filled in.
  const isValue = tokens.map((_, i) => message.isValue[i] === true || rarities[i] === nowhere);
  const weighed: WeighedMessage = { tokens, isValue, weights };
  const windows = windowsOf(isValue);
  const found = await lanes.containing(
    windows.map((window) => [...new Set(window.flatMap((i) => terms[i] ?? []))]),
    { filter, limit: MAX_CONTAINING, pause },
  );
  const least = MIN_SHARE * expectedOf(weighed);
  const heavy = weighChunks(found, windows, weights).filter(({ weight }) => weight >= least);
  const ranks = heavy.length > 1 ? new Map(hits.map(({ chunk }, rank) => [chunk, rank])) : NO_RANKS;
  const ordered = heavy.toSorted(
    (a, b) =>
      b.weight - a.weight ||
      (ranks.get(a.chunk) ?? hits.length) - (ranks.get(b.chunk) ?? hits.length),
  );
  const complete = Math.min(MAX_COMPLETE, countComplete(ordered, weighed));
  const promising = ordered
    .slice(0, Math.max(complete, maxCompared(search)))
    .map(({ chunk }) => chunk);
  for (const [chunk, own] of await lanes.facts(promising)) facts.set(chunk, own);
  const findPlace = placeFinder(weighed, message.clauseOf);
  const maxMisses = Math.max(MAX_MISSES, complete);
  const places = new Map<number, MessagePlace>();
  const visit = (chunk: number, lines: readonly string[]) => {
    const place = findPlace(lines);
    if (place === undefined || place.share < MIN_SHARE) return false;
    places.set(chunk, place);
    return place.share >= MIN_PRINTED;
  };
  await compare(promising, search, facts, maxMisses, visit);
  const isCode = (chunk: number) => isProductCode(facts.get(chunk) as ChunkFacts);
  const isPrintedOutside = [...places.values()].some(({ share }) => share >= MIN_PRINTED);
  if (isPrintedOutside && ![...places.keys()].some(isCode)) {
    const further = ordered.slice(promising.length, MAX_TEMPLATES).map(({ chunk }) => chunk);
    for (const [chunk, own] of await lanes.facts(further)) facts.set(chunk, own);
    await compare(further.filter(isCode), search, facts, Infinity, visit);
  }
  const isVerbatim = ({ run }: MessagePlace) =>
    message.clauseOf === undefined && run === tokens.length;
  const files = new Set<string | undefined>();
  for (const [chunk, place] of places) if (isVerbatim(place)) files.add(facts.get(chunk)?.path);
  for (const [chunk, place] of places)
    note(chunk, { ...place, literal: undefined, files: isVerbatim(place) ? files.size : 0 });
}

/** Returns a function that finds the message in lines: its words, or a string with placeholders that prints all of it. */
function placeFinder(
  message: WeighedMessage,
  clauseOf: number | undefined,
): (lines: readonly string[]) => MessagePlace | undefined {
  const findMessage = messageFinder(message);
  const findTemplate = templateFinder(message);
  return (lines) => {
    const aligned = findMessage(lines);
    const whole = isPrinted(aligned) ? aligned : (findTemplate(lines) ?? aligned);
    return clauseOf === undefined ? whole : asClause(whole, clauseOf);
  };
}

/** Whether a string has most of the message. */
function isPrinted(place: MessagePlace | undefined): boolean {
  return place?.isInString === true && place.share >= MIN_PRINTED;
}

/** A clause counts only where a string has all of it: behind most of the whole line, the longer clause first. */
function asClause(place: MessagePlace | undefined, portion: number): MessagePlace | undefined {
  if (place?.isInString !== true || place.closeness < MIN_CLAUSE_CLOSENESS) return undefined;
  return { ...place, share: MIN_PRINTED + CLAUSE_SHARE * portion };
}

/** The number of chunks at the head of the list that contain every token but the values. */
function countComplete(
  ordered: readonly { readonly weight: number }[],
  message: WeighedMessage,
): number {
  if (message.tokens.length < MIN_COMPLETE_TOKENS) return 0;
  // Sums of the same weights in another order differ in the last digits.
  const least = expectedOf(message) * (1 - Number.EPSILON * message.tokens.length);
  const end = ordered.findIndex(({ weight }) => weight < least);
  return end < 0 ? ordered.length : end;
}

/**
 * Windows of consecutive tokens of the message, and all of its tokens, with and without the interpolated values between them.
 * The lanes return only the first chunks of a window of common words, but all chunks that have every token, or every token but
 * one or two: a name that was filled in may be a word of the index.
 */
function windowsOf(isValue: readonly boolean[]): number[][] {
  const all = isValue.map((_, i) => i);
  const fixed = all.filter((i) => isValue[i] !== true);
  const windows = new Map<string, number[]>();
  for (const row of [all, fixed]) {
    if (row.length > MIN_RUN) windows.set(row.join(" "), row);
    if (row.length > MIN_RUN + 1 && row.length <= MAX_TOKENS_LESS_ONE) {
      for (const left of row) {
        const window = row.filter((i) => i !== left);
        windows.set(window.join(" "), window);
        if (row.length > MAX_TOKENS_LESS_TWO || window.length <= MIN_RUN) continue;
        for (const other of window.filter((i) => i > left)) {
          const shorter = window.filter((i) => i !== other);
          windows.set(shorter.join(" "), shorter);
        }
      }
    }
    for (let at = 0; at + MIN_RUN <= row.length; at++) {
      const window = row.slice(at, at + MIN_RUN);
      windows.set(window.join(" "), window);
    }
  }
  return [...windows.values()];
}

/**
 * The total weight of the tokens in the windows of each chunk, in the order of the first window that it contains: `found` has
 * the chunks by window. Loops over numbers, because an iterator makes an object for each step until V8 optimizes it.
 */
function weighChunks(
  found: readonly (readonly number[])[],
  windows: readonly (readonly number[])[],
  weights: readonly number[],
): { readonly chunk: number; readonly weight: number }[] {
  const rowOf = new Map<number, number>();
  const { length } = weights;
  /** A row of tokens for each chunk, 1 for one that is in its windows. */
  const covered = new Uint8Array(found.reduce((sum, chunks) => sum + chunks.length, 0) * length);
  for (let at = 0; at < found.length; at++) {
    const [chunks, window] = [found[at] as readonly number[], windows[at] as readonly number[]];
    for (let c = 0; c < chunks.length; c++) {
      let row = rowOf.get(chunks[c] as number);
      if (row === undefined) rowOf.set(chunks[c] as number, (row = rowOf.size));
      for (let i = 0; i < window.length; i++) covered[row * length + (window[i] as number)] = 1;
    }
  }
  return Array.from(rowOf, ([chunk, row]) => {
    let weight = 0;
    for (let i = 0; i < length; i++)
      if (covered[row * length + i] === 1) weight += weights[i] as number;
    return { chunk, weight };
  });
}

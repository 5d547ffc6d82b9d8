/** The fourth stage: chooses what is shown, and at what length, so that a token budget is filled with the most relevant code. */

import { remember } from "../common/remember.ts";
import { estimateTokens } from "../common/tokens.ts";
import type { ContextLevel } from "../contracts/context-request.ts";
import { type FileText, fileKey, type Passage, symbolAt, type View, viewsOf } from "./passage.ts";

/** Code of one passage. */
interface Excerpt {
  readonly passage: Passage;
  readonly level: ContextLevel;
  readonly lines: readonly number[];
}

/** A definition that is named and not shown. */
export interface Reference {
  readonly passage: Passage;
  readonly level: "signature" | "name";
  /** Where the name is. */
  readonly line: number;
  readonly text: string;
}

export interface Packed {
  readonly excerpts: readonly Excerpt[];
  readonly references: readonly Reference[];
  /** Passages of which nothing is shown. */
  readonly leftOut: number;
}

/** Shares of the budget. */
export interface PackShares {
  /** The first files, in full. */
  readonly first: number;
  /** Signatures of other passages. */
  readonly references: number;
  /** Signatures of what the first passages call, and what calls them. */
  readonly neighbors: number;
  /** Other definitions of the files that are shown. */
  readonly outline: number;
}

/**
 * Measured at 2,000 tokens on a quarter of the commits, as touched definitions that are named and that are shown: first .5 and
 * references .35 give .50 and .28, .8 and .1 give .49 and .34. Neighbors at .1 add .01 to the first, an outline of .1 in
 * place of .05 adds .02.
 */
const SHARES: PackShares = { first: 0.8, references: 0.1, neighbors: 0.1, outline: 0.1 };

/** What may be shown. */
export interface PackInput {
  readonly passages: readonly Passage[];
  readonly siblings: readonly Passage[];
  readonly neighbors: readonly Passage[];
}

/** How many files are shown in full before anything else. */
const FIRST_FILES = 3;
/** What a further excerpt of one file adds, compared with the one before it. */
const COVERAGE_DISCOUNT = 0.7;
/** A header, its fence and the empty lines, without the path. */
const HEADER_TOKENS = 14;
/** The mark between two ranges of a file, and their numbers in the header. */
const RANGE_TOKENS = 8;
/** Lines between two ranges that are shown too, so that they become one. */
export const MAX_GAP_LINES = 4;
const REFERENCE_TOKENS = 5;
/** Where little is left, few are looked at: as many as may fit, and some more, since long ones do not. */
const MIN_EXCERPT_TOKENS = 20;
const MIN_CHOICES = 8;
/** Paths and signatures are counted several times. */
const REMEMBERED_TEXTS = 5_000;

export function pack(
  { passages, siblings, neighbors }: PackInput,
  files: ReadonlyMap<string, FileText>,
  budget: number,
  shares: PackShares = SHARES,
): Packed {
  const packing = new Packing(files, budget);
  const within = (share: number) => Math.min(budget, packing.used + budget * share);
  const firstFiles = new Set([...new Set(passages.map(fileKey))].slice(0, FIRST_FILES));
  const isInFirst = (passage: Passage) => firstFiles.has(fileKey(passage));
  const showFirst = within(shares.first);
  for (const passage of passages) if (isInFirst(passage)) packing.show(passage, showFirst);
  const withReferences = within(shares.references);
  for (const passage of passages) packing.refer(passage, withReferences);
  const withNeighbors = within(shares.neighbors);
  for (const passage of neighbors) packing.refer(passage, withNeighbors);
  const withOutline = within(shares.outline);
  const firstOfFiles = new Map(passages.filter(isInFirst).map((each) => [fileKey(each), each]));
  for (const passage of firstOfFiles.values()) packing.outline(passage, withOutline);
  packing.useRest([...passages, ...siblings]);
  for (const passage of passages) packing.refer(passage, budget);
  return packing.result(passages, [...siblings, ...neighbors]);
}

/** The best way to show a passage next, and what it adds per token. */
interface Choice {
  readonly passage: Passage;
  readonly view: View;
  readonly cost: number;
  readonly gain: number;
}

class Packing {
  readonly #files: ReadonlyMap<string, FileText>;
  readonly #budget: number;
  readonly #excerpts = new Map<Passage, Excerpt>();
  readonly #references = new Map<Passage, Reference>();
  readonly #outlines = new Map<string, Reference>();
  readonly #shown = new Map<string, Set<number>>();
  readonly #views = new Map<Passage, readonly View[]>();
  used = 0;

  constructor(files: ReadonlyMap<string, FileText>, budget: number) {
    this.#files = files;
    this.#budget = budget;
  }

  /** The longest view that fits below `limit`; nothing where none does. */
  show(passage: Passage, limit: number): boolean {
    for (const view of this.#viewsOf(passage)) {
      const cost = this.#costOf(passage, view, limit - this.used);
      if (this.used + cost > limit) continue;
      this.#add(passage, view, cost);
      return true;
    }
    return false;
  }

  refer(passage: Passage, limit: number): void {
    if (this.#excerpts.has(passage) || this.#references.has(passage)) return;
    const file = this.#files.get(fileKey(passage));
    const symbol = symbolAt(passage, file);
    const line = symbol?.nameLine ?? passage.matches[0]?.start ?? passage.range.start;
    const firstLine = file?.text(line).trim() ?? "";
    const texts = [
      ["signature", symbol?.signature ?? firstLine],
      ["name", symbol?.name ?? ""],
    ] as const;
    for (const [level, text] of texts) {
      const reference: Reference = { passage, level, line, text };
      const cost = costOfReference(reference);
      if (this.used + cost > limit) continue;
      this.#references.set(passage, reference);
      this.used += cost;
      return;
    }
  }

  /** Names the definitions of the passage's file that are neither shown nor named yet. */
  outline(passage: Passage, limit: number): void {
    const key = fileKey(passage);
    const named = new Set([...this.#references.values()].map((each) => placeOf(each)));
    const shown = this.#shown.get(key);
    for (const symbol of this.#files.get(key)?.definitions ?? []) {
      if (this.used + REFERENCE_TOKENS > limit) return;
      const { nameLine: line, signature: text } = symbol;
      if (shown?.has(line)) continue;
      const reference: Reference = {
        passage: { ...passage, symbol, range: symbol.lines },
        level: "signature",
        line,
        text,
      };
      const place = placeOf(reference);
      if (named.has(place) || this.#outlines.has(place)) continue;
      const cost = costOfReference(reference);
      if (this.used + cost > limit) continue;
      this.#outlines.set(place, reference);
      this.used += cost;
    }
  }

  /** The rest of the budget: what adds most per token, until nothing more fits. */
  useRest(passages: readonly Passage[]): void {
    const most = MIN_CHOICES + (this.#budget - this.used) / MIN_EXCERPT_TOKENS;
    let open = passages
      .filter((passage) => !this.#excerpts.has(passage))
      .slice(0, Math.max(0, Math.floor(most)))
      .flatMap((passage) => this.#bestView(passage) ?? []);
    while (open.length > 0) {
      const best = open.reduce((first, each) => (each.gain > first.gain ? each : first));
      const { passage, view, cost } = best;
      this.#add(passage, view, cost);
      const key = fileKey(passage);
      // What was added changes the costs in its own file; elsewhere only what fits.
      open = open.flatMap((each) => {
        if (each === best) return [];
        const isSame = fileKey(each.passage) !== key && this.used + each.cost <= this.#budget;
        return isSame ? each : (this.#bestView(each.passage) ?? []);
      });
    }
  }

  result(passages: readonly Passage[], others: readonly Passage[]): Packed {
    const isNamed = (passage: Passage) =>
      this.#excerpts.has(passage) || this.#references.has(passage);
    const all = [...passages, ...others];
    const isHidden = ({ passage, line }: Reference) =>
      !this.#shown.get(fileKey(passage))?.has(line);
    return {
      excerpts: all.flatMap((passage) => this.#excerpts.get(passage) ?? []),
      references: [
        ...all.flatMap((passage) => this.#references.get(passage) ?? []),
        ...[...this.#outlines.values()].filter(isHidden),
      ],
      leftOut: passages.filter((passage) => !isNamed(passage)).length,
    };
  }

  #bestView(passage: Passage): Choice | undefined {
    const ofFile = [...this.#excerpts.keys()].filter(
      (each) => fileKey(each) === fileKey(passage),
    ).length;
    const value = passage.relevance * COVERAGE_DISCOUNT ** ofFile;
    for (const view of this.#viewsOf(passage)) {
      const cost = this.#costOf(passage, view, this.#budget - this.used);
      if (this.used + cost > this.#budget) continue;
      return { passage, view, cost, gain: value / Math.max(1, cost) };
    }
    return undefined;
  }

  #viewsOf(passage: Passage): readonly View[] {
    const known = this.#views.get(passage);
    if (known !== undefined) return known;
    const file = this.#files.get(fileKey(passage));
    const views = file === undefined ? [] : viewsOf(passage, file);
    this.#views.set(passage, views);
    return views;
  }

  /**
   * Lines that are shown already cost nothing; a reference that is replaced gives its tokens back. Counted until it is over
   * `max`.
   */
  #costOf(passage: Passage, { lines }: View, max: number): number {
    const key = fileKey(passage);
    const file = this.#files.get(key);
    const shown = this.#shown.get(key);
    const reference = this.#references.get(passage);
    let cost = shown === undefined ? HEADER_TOKENS + tokensOfText(passage.path) : 0;
    cost -= reference === undefined ? 0 : costOfReference(reference);
    let previous = Number.NEGATIVE_INFINITY;
    for (const line of lines) {
      if (!shown?.has(line)) cost += file?.tokens(line) ?? 0;
      if (line > previous + 1) cost += RANGE_TOKENS;
      previous = line;
      if (cost > max) return cost;
    }
    return cost;
  }

  #add(passage: Passage, { level, lines }: View, cost: number): void {
    const key = fileKey(passage);
    const shown = this.#shown.get(key) ?? new Set();
    for (const line of lines) shown.add(line);
    this.#shown.set(key, shown);
    this.#excerpts.set(passage, { passage, level, lines });
    this.#references.delete(passage);
    this.used += cost;
  }
}

const tokensOfText = remember(estimateTokens, REMEMBERED_TEXTS);
const tokensOfPlace = remember((path) => estimateTokens(`${path}:1000`), REMEMBERED_TEXTS);

function costOfReference({ passage, text }: Reference): number {
  return REFERENCE_TOKENS + tokensOfPlace(passage.path) + tokensOfText(text);
}

function placeOf({ passage, line }: Reference): string {
  return `${fileKey(passage)}\n${line}`;
}

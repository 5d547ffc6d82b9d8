/** The fourth stage: selects passages and their lengths to fill a token budget with the most relevant code. */

import { getOrCreate } from "../common/get-or-create.ts";
import type { ContextLevel } from "../contracts/context-request.ts";
import {
  type FileText,
  fileKey,
  lineNumbersOf,
  type Passage,
  symbolAt,
  type View,
  viewsOf,
} from "./passage.ts";

/** The displayed code of one passage. */
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
  /** In tokens. */
  readonly cost: number;
}

export interface Packed {
  readonly excerpts: readonly Excerpt[];
  readonly references: readonly Reference[];
  /** Number of passages that are not shown at all. */
  readonly leftOut: number;
}

/**
 * Shares of the budget: of the first files, in full; of signatures of other passages; of signatures of further places of the
 * files found; of signatures of what the first passages call, and what calls them; of other definitions of the files that
 * are shown.
 *
 * Measured at 2,000 tokens on a quarter of the commits, as touched definitions that are named and that are shown: first .5 and
 * references .35 give .50 and .28, .8 and .1 give .49 and .34; an outline of .1 in place of .05 adds .02 to the first. On half of
 * them, neighbors at 0, .1 and .15 give .556, .560 and .551 named, and .416, .411 and .411 shown. Places and outline: see
 * test/ranking/context.md.
 */
const SHARES = { first: 0.8, references: 0.1, places: 0.05, neighbors: 0.1, outline: 0.05 };

/** The passages to pack. */
interface PackInput {
  readonly passages: readonly Passage[];
  readonly places: readonly Passage[];
  readonly siblings: readonly Passage[];
  readonly neighbors: readonly Passage[];
  readonly files: ReadonlyMap<string, FileText>;
}

/** The views of passages: the same for every budget. */
export type KnownViews = Map<Passage, readonly View[]>;

/** The number of files shown in full first. */
const FIRST_FILES = 3;
/** The gain of each further excerpt of a file, as a share of the previous one. */
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

/** `tokensOf` counts the tokens of a path or a signature; each is counted several times, so that it should remember. */
export function pack(
  { passages, places, siblings, neighbors, files }: PackInput,
  budget: number,
  views: KnownViews,
  tokensOf: (text: string) => number,
): Packed {
  const packing = new Packing(files, views, budget, tokensOf);
  const within = (share: number) => Math.min(budget, packing.used + budget * share);
  const firstFiles = new Set([...new Set(passages.map(fileKey))].slice(0, FIRST_FILES));
  const isInFirst = (passage: Passage) => firstFiles.has(fileKey(passage));
  const showFirst = within(SHARES.first);
  for (const passage of passages) if (isInFirst(passage)) packing.show(passage, showFirst);
  const withReferences = within(SHARES.references);
  for (const passage of passages) packing.refer(passage, withReferences);
  const withPlaces = within(SHARES.places);
  for (const passage of places) packing.name(passage, withPlaces);
  const withNeighbors = within(SHARES.neighbors);
  for (const passage of neighbors) packing.name(passage, withNeighbors);
  const withOutline = within(SHARES.outline);
  const firstOfFiles = new Map(passages.filter(isInFirst).map((each) => [fileKey(each), each]));
  for (const passage of firstOfFiles.values()) packing.outline(passage, withOutline);
  packing.useRest([...passages, ...siblings]);
  for (const passage of passages) packing.refer(passage, budget);
  return packing.result(passages, siblings);
}

/** The packing state of a file. */
interface OpenFile {
  readonly text: FileText | undefined;
  /** The lines shown so far; undefined if no line is shown. */
  shown: Set<number> | undefined;
  excerpts: number;
  /** Lines whose definitions are named. */
  readonly named: Set<number>;
  /** The tokens of its header. */
  readonly header: number;
  /** The tokens of a reference into it, without its text. */
  readonly place: number;
}

/** The packing state of a passage. */
interface Candidate {
  readonly passage: Passage;
  readonly file: OpenFile;
  excerpt: Excerpt | undefined;
  reference: Reference | undefined;
}

/** The best next view of a passage, and its gain per token. */
interface Choice {
  readonly candidate: Candidate;
  readonly view: View;
  readonly cost: number;
  readonly gain: number;
}

class Packing {
  readonly #texts: ReadonlyMap<string, FileText>;
  readonly #views: KnownViews;
  readonly #budget: number;
  readonly #tokensOf: (text: string) => number;
  readonly #files = new Map<string, OpenFile>();
  readonly #candidates = new Map<Passage, Candidate>();
  /** Definitions named without a passage, by file and line. */
  readonly #named = new Map<string, Reference>();
  used = 0;

  constructor(
    texts: ReadonlyMap<string, FileText>,
    views: KnownViews,
    budget: number,
    tokensOf: (text: string) => number,
  ) {
    this.#texts = texts;
    this.#views = views;
    this.#budget = budget;
    this.#tokensOf = tokensOf;
  }

  /** The longest view that fits below `limit`; nothing where none does. */
  show(passage: Passage, limit: number): boolean {
    const candidate = this.#candidateOf(passage);
    for (const view of this.#viewsOf(candidate)) {
      const cost = costOf(candidate, view, limit - this.used);
      if (this.used + cost > limit) continue;
      this.#add(candidate, view, cost);
      return true;
    }
    return false;
  }

  refer(passage: Passage, limit: number): void {
    const candidate = this.#candidateOf(passage);
    if (candidate.excerpt !== undefined || candidate.reference !== undefined) return;
    const reference = this.#referenceTo(candidate, limit);
    if (reference === undefined) return;
    const place = placeOf(reference);
    const named = this.#named.get(place);
    this.#named.delete(place);
    this.used += reference.cost - (named?.cost ?? 0);
    candidate.reference = reference;
    candidate.file.named.add(reference.line);
  }

  /** The same for a definition outside the passages. Does nothing if the definition is already shown or named. */
  name(passage: Passage, limit: number): void {
    const candidate = this.#candidateOf(passage);
    const reference = this.#referenceTo(candidate, limit);
    if (reference === undefined || isKnown(candidate.file, reference.line)) return;
    this.used += reference.cost;
    this.#named.set(placeOf(reference), reference);
    candidate.file.named.add(reference.line);
  }

  /** Names the definitions of the passage's file that are neither shown nor named yet. */
  outline(passage: Passage, limit: number): void {
    const { file } = this.#candidateOf(passage);
    for (const symbol of file.text?.definitions ?? []) {
      if (this.used + file.place > limit) return;
      const { nameLine: line, signature: text } = symbol;
      if (isKnown(file, line)) continue;
      const cost = file.place + this.#tokensOf(text);
      if (this.used + cost > limit) continue;
      const ofSymbol = { ...passage, symbol, range: symbol.lines };
      const reference: Reference = { passage: ofSymbol, level: "signature", line, text, cost };
      this.#named.set(placeOf(reference), reference);
      file.named.add(line);
      this.used += cost;
    }
  }

  /** Spends the rest of the budget greedily: adds the view with the highest gain per token until none fits. */
  useRest(passages: readonly Passage[]): void {
    const most = MIN_CHOICES + (this.#budget - this.used) / MIN_EXCERPT_TOKENS;
    let open = passages
      .map((passage) => this.#candidateOf(passage))
      .filter(({ excerpt }) => excerpt === undefined)
      .slice(0, Math.max(0, Math.floor(most)))
      .flatMap((candidate) => this.#bestView(candidate) ?? []);
    while (open.length > 0) {
      const best = open.reduce((first, each) => (each.gain > first.gain ? each : first));
      this.#add(best.candidate, best.view, best.cost);
      const { file } = best.candidate;
      // The added view changes costs in its own file only; in other files, drop the views that no longer fit.
      open = open.flatMap((each) => {
        if (each === best) return [];
        const isSame = each.candidate.file !== file && this.used + each.cost <= this.#budget;
        return isSame ? each : (this.#bestView(each.candidate) ?? []);
      });
    }
  }

  result(passages: readonly Passage[], others: readonly Passage[]): Packed {
    const all = [...passages, ...others].map((passage) => this.#candidateOf(passage));
    const isHidden = ({ passage, line }: Reference) =>
      this.#files.get(fileKey(passage))?.shown?.has(line) !== true;
    return {
      excerpts: all.flatMap(({ excerpt }) => excerpt ?? []),
      references: [
        ...all.flatMap(({ reference }) => reference ?? []),
        ...[...this.#named.values()].filter(isHidden),
      ],
      leftOut: all
        .slice(0, passages.length)
        .filter(({ excerpt, reference }) => excerpt === undefined && reference === undefined)
        .length,
    };
  }

  #bestView(candidate: Candidate): Choice | undefined {
    const { passage, file } = candidate;
    const value = passage.relevance * COVERAGE_DISCOUNT ** file.excerpts;
    for (const view of this.#viewsOf(candidate)) {
      const cost = costOf(candidate, view, this.#budget - this.used);
      if (this.used + cost > this.#budget) continue;
      return { candidate, view, cost, gain: value / Math.max(1, cost) };
    }
    return undefined;
  }

  #viewsOf({ passage, file: { text } }: Candidate): readonly View[] {
    return getOrCreate(this.#views, passage, () =>
      text === undefined ? [] : viewsOf(passage, text),
    );
  }

  #candidateOf(passage: Passage): Candidate {
    const fileOf = (key: string) => ({
      text: this.#texts.get(key),
      shown: undefined,
      excerpts: 0,
      named: new Set<number>(),
      header: HEADER_TOKENS + this.#tokensOf(passage.path),
      place: REFERENCE_TOKENS + this.#tokensOf(`${passage.path}:1000`),
    });
    return getOrCreate(this.#candidates, passage, () => ({
      passage,
      file: getOrCreate(this.#files, fileKey(passage), fileOf),
      excerpt: undefined,
      reference: undefined,
    }));
  }

  /** The signature if it fits below `limit`, else the name, else nothing. */
  #referenceTo({ passage, file }: Candidate, limit: number): Reference | undefined {
    const symbol = symbolAt(passage, file.text);
    const line = symbol?.nameLine ?? passage.matches[0]?.start ?? passage.range.start;
    const signature = symbol?.signature ?? file.text?.text(line).trim() ?? "";
    const texts = [
      ["signature", signature],
      ["name", symbol?.name ?? ""],
    ] as const;
    for (const [level, text] of texts) {
      const cost = file.place + this.#tokensOf(text);
      if (this.used + cost <= limit) return { passage, level, line, text, cost };
    }
    return undefined;
  }

  #add(candidate: Candidate, { level, ranges }: View, cost: number): void {
    const { passage, file } = candidate;
    const lines = ranges.flatMap(lineNumbersOf);
    file.shown ??= new Set();
    for (const line of lines) file.shown.add(line);
    file.excerpts++;
    candidate.excerpt = { passage, level, lines };
    candidate.reference = undefined;
    this.used += cost;
  }
}

/** Whether a line is shown, or its definition is named. */
function isKnown({ shown, named }: OpenFile, line: number): boolean {
  return shown?.has(line) === true || named.has(line);
}

/**
 * Lines that are shown already cost nothing; a reference that is replaced gives its tokens back. Counted until it is over
 * `max`.
 */
function costOf({ file, reference }: Candidate, { ranges }: View, max: number): number {
  const { text, shown, header } = file;
  let cost = shown === undefined ? header : 0;
  cost -= reference?.cost ?? 0;
  for (const { start, end } of ranges) {
    cost += RANGE_TOKENS;
    for (let line = start; line <= end && cost <= max; line++) {
      if (shown?.has(line) !== true) cost += text?.tokens(line) ?? 0;
    }
    if (cost > max) return cost;
  }
  return cost;
}

function placeOf({ passage, line }: Reference): string {
  return `${fileKey(passage)}\n${line}`;
}

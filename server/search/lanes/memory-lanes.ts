/** The vector, keyword and symbol lanes of one index in memory: loaded from the store, then updated by each commit. */

import { setImmediate } from "node:timers/promises";
import { NumberLists } from "../../common/packed/number-lists.ts";
import {
  DamagedArrays,
  type PackedArrays,
  packParts,
  partOf,
} from "../../common/packed/packed-arrays.ts";
import { StringLists } from "../../common/packed/string-lists.ts";
import { TopK } from "../../common/ranking/top-k.ts";
import type {
  Candidate,
  ChunkFacts,
  Filter,
  LaneBounds,
  LiveLanes,
  SubstituteModel,
} from "../../contracts/lanes.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import type { ChunkVector, StoredChunk } from "../../contracts/stored-chunk.ts";
import { squash, stemOf } from "../paths.ts";
import { AllowedSlots } from "./allowed-slots.ts";
import { Bm25, type WordStatistics } from "./bm25.ts";
import { ChunkTable } from "./chunk-table.ts";
import { eachOnce } from "./definitions.ts";
import { fieldsOf } from "./fields.ts";
import { nextGeneration } from "./generation.ts";
import { type Categorizer, PathCategories } from "./path-categories.ts";
import { needsSubstitutes, Substitutes } from "./substitutes.ts";
import { SymbolIndex } from "./symbol-index.ts";
import { toName } from "./symbol-names.ts";
import { VectorIndex } from "./vector-index.ts";

/** Minimum share of removed slots for `tidy` to compact; compacting costs as much as loading the index. */
const DEAD_SHARE = 0.25;
/** Minimum share of removed slots for a commit to compact without waiting for `tidy`. */
const MAX_DEAD_SHARE = 0.4;
const MIN_DEAD = 1000;

export interface LanesOptions {
  readonly categorizer: Categorizer;
  /** Paths of the repository that are not in the lanes. The lanes of open buffers hold only a few of its files. */
  readonly otherPaths?: () => Iterable<string>;
  /** Embeds each chunk too, until most chunks have a vector of the index's own model. */
  readonly substitute?: SubstituteModel | undefined;
}

/** Document frequencies come from `background` if there is one. */
export function createMemoryLanes(options: LanesOptions, background?: WordStatistics): LiveLanes {
  return new MemoryLanes(options, { bm25: new Bm25(background) });
}

/** Restores lanes from the arrays of `pack`, in steps; throws DamagedArrays if they are inconsistent. */
export function* unpackMemoryLanes(
  options: LanesOptions,
  arrays: PackedArrays,
): Generator<void, LiveLanes> {
  const chunks = yield* ChunkTable.unpack(partOf(arrays, "chunks"));
  const byPath = NumberLists.unpack(partOf(arrays, "byPath"), Uint32Array, chunks.size);
  yield;
  const vectors = VectorIndex.unpack(partOf(arrays, "vectors"));
  yield;
  if (byPath.size > chunks.paths.size || vectors.size > chunks.size) {
    throw new DamagedArrays("the parts of the lanes do not fit together");
  }
  return new MemoryLanes(options, {
    chunks,
    byPath,
    vectors,
    byStem: StringLists.unpack(partOf(arrays, "byStem"), chunks.paths.size),
    bm25: yield* Bm25.unpack(partOf(arrays, "bm25"), chunks.size),
    symbols: yield* SymbolIndex.unpack(partOf(arrays, "symbols"), chunks.size),
  });
}

/** Cached definitions, in files; about 4 MB when full. */
const MAX_KNOWN_FILES = 400;

/**
 * Cached chunk facts; about 8 MB when full. A query reads about 350; a smaller cache made queries a third slower in a
 * running session of 12,000 chunks.
 */
const MAX_KNOWN_FACTS = 10_000;

/** Whether a slot passes the filter; undefined if all slots pass. */
type IsAllowed = ((slot: number) => boolean) | undefined;

/** Offers the allowed slots with their scores to a top-k list, in steps. */
type Lane = (isAllowed: IsAllowed, best: TopK) => Generator<void, void>;

const NO_STEPS = (function* (): Generator<void, void> {})();

function runAtOnce(steps: Generator<void, void>): void {
  while (steps.next().done !== true);
}

interface LaneData {
  readonly bm25: Bm25;
  readonly chunks?: ChunkTable;
  readonly byPath?: NumberLists;
  readonly byStem?: StringLists;
  readonly vectors?: VectorIndex;
  readonly symbols?: SymbolIndex;
}

class MemoryLanes implements LiveLanes {
  /** Chunks of one write: at most two milliseconds of work. */
  readonly chunksAtOnce = 10;
  readonly questionsAtOnce = 1;
  readonly #options: LanesOptions;
  readonly #categories: PathCategories;
  readonly #bm25: Bm25;
  readonly #vectors: VectorIndex;
  readonly #symbols: SymbolIndex;
  /** A chunk has a public id, which never changes, and a slot, which compacting changes. */
  readonly #chunks: ChunkTable;
  /** Maps a path number to the slots of its chunks, in source order. */
  readonly #byPath: NumberLists;
  /** Maps a file stem to path numbers. */
  readonly #byStem: StringLists;
  /** Undefined once the vectors of the index's own model answer. */
  #substitutes: Substitutes | undefined;
  #generation = nextGeneration();
  readonly #allowed: AllowedSlots;
  /** Number of compactions so far; each renumbers the slots. */
  #renumberings = 0;
  readonly #facts = new Map<number, ChunkFacts>();
  readonly #definitions = new Map<string, readonly CodeSymbol[]>();
  /** The generation of the file categories in `#facts`. */
  #categorizedAt = 0;

  constructor(options: LanesOptions, data: LaneData) {
    this.#options = options;
    this.#categories = new PathCategories(options.categorizer, () => this.#paths());
    this.#bm25 = data.bm25;
    this.#vectors = data.vectors ?? new VectorIndex();
    this.#symbols = data.symbols ?? new SymbolIndex();
    this.#chunks = data.chunks ?? new ChunkTable();
    this.#byPath = data.byPath ?? new NumberLists(Uint32Array);
    this.#byStem = data.byStem ?? new StringLists();
    this.#allowed = new AllowedSlots(this.#chunks, this.#byPath);
    this.#substitutes = options.substitute && new Substitutes(options.substitute);
  }

  *pack(): Generator<void, PackedArrays> {
    return packParts({
      chunks: this.#chunks.pack(),
      byPath: yield* this.#byPath.pack(),
      byStem: yield* this.#byStem.pack(),
      vectors: this.#vectors.pack(),
      bm25: yield* this.#bm25.pack(this.#chunks.size),
      symbols: yield* this.#symbols.pack(),
    });
  }

  createOverlay(): LiveLanes {
    const otherPaths = () => this.#ownPaths();
    const options = { ...this.#options, otherPaths, substitute: this.#substitutes?.model };
    return createMemoryLanes(options, this.#bm25);
  }

  *#paths(): Iterable<string> {
    yield* this.#ownPaths();
    yield* this.#options.otherPaths?.() ?? [];
  }

  *#ownPaths(): Iterable<string> {
    for (let path = 0; path < this.#byPath.size; path++) {
      if (this.#byPath.count(path) > 0) yield this.#chunks.path(path);
    }
  }

  get size(): number {
    return this.#chunks.live;
  }

  get generation(): string {
    return this.#generation;
  }

  get substituteModel(): string | undefined {
    return this.#substitutes?.model.id;
  }

  async vector(query: Float32Array, bounds: LaneBounds): Promise<Candidate[]> {
    // Substitutes that were dropped since the query was embedded find nothing.
    const vectors = bounds.isSubstitute === true ? this.#substitutes?.vectors : this.#vectors;
    const { orderBy } = bounds;
    const run: Lane = (isAllowed, best) =>
      vectors?.search(orderBy ?? query, isAllowed, best) ?? NO_STEPS;
    const found = await this.#best(bounds, run);
    if (orderBy === undefined || vectors === undefined) return found;
    const cosineOf = vectors.cosinesWith(query);
    return found.map(({ chunk, score }) => ({
      chunk,
      score: cosineOf(this.#chunks.slot(chunk)),
      order: score,
    }));
  }

  /** Every vector is compared. */
  async recall(): Promise<number> {
    return 1;
  }

  async keyword(
    words: readonly string[],
    bounds: LaneBounds,
    related?: readonly string[],
  ): Promise<Candidate[]> {
    const run: Lane = (isAllowed, best) =>
      this.#bm25.search(words, isAllowed, best, related, bounds.rarityOf);
    return await this.#best(bounds, run);
  }

  async symbol(name: string, bounds: LaneBounds): Promise<Candidate[]> {
    const symbols = this.#symbols;
    return await this.#best(bounds, function* (isAllowed, best) {
      const found = yield* symbols.find(toName(name), bounds.limit, isAllowed);
      yield;
      for (const [slot, grade] of found) best.offer(slot, grade);
    });
  }

  async containing(
    termLists: readonly (readonly string[])[],
    bounds: LaneBounds,
  ): Promise<readonly (readonly number[])[]> {
    const found: number[][] = [];
    for (const terms of termLists) {
      const slots = await this.#steady(bounds, (isAllowed) =>
        this.#bm25.containing(terms, isAllowed, bounds.limit),
      );
      found.push(slots.map((slot) => this.#chunks.id(slot)));
    }
    return found;
  }

  async filesWith(
    terms: readonly string[],
    paths: readonly string[],
    { filter }: Omit<LaneBounds, "limit">,
  ): Promise<readonly ReadonlySet<string>[]> {
    const { matchesPath: _ofCaller, ...others } = filter ?? {};
    const isOfAll = Object.keys(others).length === 0;
    const allowed = isOfAll ? undefined : await this.#allowed.of(others);
    const isAllowed = allowed && ((slot: number) => allowed[slot] === 1);
    const files = paths.map((path) => ({ path, slots: this.#slotsOf(path) }));
    return terms.map((term) => {
      const found = files.filter(({ slots }) => this.#bm25.containsAny(term, slots, isAllowed));
      return new Set(found.map(({ path }) => path));
    });
  }

  async definitionsOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const found = new Map<string, readonly number[]>();
    for (const name of names) {
      const slots = this.#symbols.slotsOf(name);
      if (slots.length === 0) continue;
      slots.sort((a, b) => this.#compare(a, b));
      found.set(
        name,
        slots.map((slot) => this.#chunks.id(slot)),
      );
    }
    return found;
  }

  async facts(chunks: readonly number[]): Promise<ReadonlyMap<number, ChunkFacts>> {
    const facts = new Map<number, ChunkFacts>();
    if (this.#categorizedAt !== this.#categories.state) {
      this.#categorizedAt = this.#categories.state;
      this.#facts.clear();
    }
    for (const chunk of chunks) {
      const found = this.#facts.get(chunk) ?? this.#factsOf(chunk);
      if (found !== undefined) facts.set(chunk, found);
    }
    return facts;
  }

  #factsOf(chunk: number): ChunkFacts | undefined {
    const slot = this.#chunks.slot(chunk);
    if (slot < 0) return undefined;
    const facts = this.#chunks.factsOf(slot, this.#categories);
    if (this.#facts.size >= MAX_KNOWN_FACTS) this.#facts.clear();
    this.#facts.set(chunk, facts);
    return facts;
  }

  async chunksOf(paths: readonly string[]): Promise<readonly number[]> {
    const found: number[] = [];
    for (const path of paths)
      for (const slot of this.#slotsOf(path)) found.push(this.#chunks.id(slot));
    return found;
  }

  async definitionsIn(
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
    return new Map(paths.map((path) => [path, this.#definitionsIn(path)]));
  }

  #definitionsIn(path: string): readonly CodeSymbol[] {
    const known = this.#definitions.get(path);
    if (known !== undefined) return known;
    const slots = Array.from(this.#slotsOf(path));
    const found = eachOnce(slots.flatMap((slot) => this.#chunks.symbolsOf(slot)));
    if (this.#definitions.size >= MAX_KNOWN_FILES) this.#definitions.clear();
    this.#definitions.set(path, found);
    return found;
  }

  /** Creates objects only for definitions around a line: a large file has tens of thousands. */
  async definitionsAround(
    lines: ReadonlyMap<string, readonly number[]>,
    withClasses: boolean,
  ): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
    const found = new Map<string, readonly CodeSymbol[]>();
    for (const [path, wanted] of lines) {
      const symbols: CodeSymbol[] = [];
      for (const slot of this.#slotsOf(path)) {
        symbols.push(...this.#chunks.symbolsAround(slot, wanted, withClasses));
      }
      found.set(path, eachOnce(symbols));
    }
    return found;
  }

  /** In source order; a view that is valid until the next change. */
  #slotsOf(path: string): Uint32Array {
    return this.#byPath.get(this.#chunks.paths.find(path));
  }

  stems(): Iterable<string> {
    return this.#byStem.keys.texts();
  }

  pathsByStem(stem: string): readonly string[] {
    return Array.from(this.#byStem.get(stem), (path) => this.#chunks.path(path)).toSorted();
  }

  rarityOf(term: string): number {
    return this.#bm25.idfOf(term);
  }

  async allowsAny(filter: Filter): Promise<boolean> {
    return (await this.#allowed.of(filter)).includes(1);
  }

  async replace(paths: readonly string[], chunks: readonly StoredChunk[]): Promise<void> {
    this.#changed();
    const before = new Map(paths.map((path) => [path, this.#languageOf(path)]));
    for (const path of paths) this.#remove(path);
    for (const chunk of chunks) {
      if (!before.has(chunk.path)) before.set(chunk.path, this.#languageOf(chunk.path));
      this.#addOne(chunk);
    }
    const hasOtherFiles = [...before].some(([path, id]) => this.#languageOf(path) !== id);
    if (hasOtherFiles) this.#categories.forget();
  }

  async follow(paths: readonly string[], chunks: readonly StoredChunk[]): Promise<void> {
    await this.replace(paths, chunks);
    this.#dropSubstitutes();
  }

  /** The statistics are always current here; this releases unused capacity of the lists and decides the categories of files. */
  async refreshStatistics(): Promise<void> {
    this.#dropSubstitutes();
    // A step takes a tenth of a millisecond, and up to two for the paths.
    for (const _ of this.#trim()) await setImmediate();
  }

  *#trim(): Generator<void, void> {
    const generation = this.#generation;
    for (const steps of [
      this.#bm25.trim(),
      this.#symbols.trim(),
      this.#byPath.trim(),
      this.#categories.prepare(),
    ]) {
      // A change invalidates the trimmed copy, and the paths that were visited.
      while (this.#generation === generation && steps.next().done !== true) yield;
    }
  }

  /** Undefined if the file is not in the lanes. */
  #languageOf(path: string): string | undefined {
    const slot = this.#slotsOf(path)[0];
    return slot === undefined ? undefined : this.#chunks.languageOf(slot);
  }

  #remove(path: string): void {
    const number = this.#chunks.paths.find(path);
    const slots = this.#byPath.get(number);
    if (slots.length === 0) return;
    for (const slot of slots) {
      this.#bm25.remove(slot);
      this.#vectors.remove(slot);
      this.#substitutes?.vectors.remove(slot);
      this.#symbols.remove(slot, this.#chunks.symbolsOf(slot));
      this.#chunks.remove(slot);
    }
    this.#byPath.clear(number);
    this.#byStem.remove(squash(stemOf(path)), number);
    if (this.#hasDead(MAX_DEAD_SHARE)) runAtOnce(this.#compact());
  }

  #hasDead(share: number): boolean {
    const dead = this.#chunks.size - this.size;
    return dead > MIN_DEAD && dead > this.#chunks.size * share;
  }

  *makeRoom(chunks: number): Generator<void, void> {
    yield* this.#vectors.makeRoom(this.#chunks.size + chunks);
    yield* this.#substitutes?.vectors.makeRoom(this.#chunks.size + chunks) ?? [];
    yield* this.#bm25.makeRoom(chunks);
  }

  *tidy(): Generator<void, void> {
    if (this.#hasDead(DEAD_SHARE)) yield* this.#compact();
  }

  async setVectors(vectors: readonly ChunkVector[]): Promise<void> {
    this.#changed();
    for (const { path, span, vector } of vectors) {
      const slot = this.#slotsOf(path).find(
        (each) =>
          this.#chunks.startOf(each) === span.start && this.#chunks.endOf(each) === span.end,
      );
      if (slot !== undefined) this.#vectors.set(slot, vector);
    }
    this.#dropSubstitutes();
  }

  /** Drops the substitutes once the index's own model can answer. Not while chunks are being added: the first may all be known. */
  #dropSubstitutes(): void {
    if (this.#substitutes === undefined) return;
    const missing = this.size - this.#vectors.count;
    if (needsSubstitutes({ chunks: this.size, missing })) return;
    this.#substitutes = undefined;
    this.#changed();
  }

  #addOne({ text, terms, vector, ...facts }: StoredChunk): void {
    const slot = this.#chunks.add(facts);
    if (terms !== undefined) this.#bm25.addCounted(slot, terms);
    else this.#bm25.add(slot, fieldsOf({ ...facts, text }));
    this.#symbols.add(slot, facts.symbols);
    if (vector !== undefined) this.#vectors.set(slot, vector);
    this.#substitutes?.add(slot, { ...facts, text });
    const path = this.#chunks.pathOf(slot);
    if (this.#byPath.count(path) === 0) this.#byStem.add(squash(stemOf(facts.path)), path);
    this.#byPath.push(path, slot);
    const slots = this.#byPath.get(path);
    // Insertion sort: the new slot is usually the last one already.
    for (let i = slots.length - 1; i > 0; i--) {
      const [before, own] = [slots[i - 1] as number, slots[i] as number];
      if (this.#chunks.startOf(before) <= this.#chunks.startOf(own)) break;
      [slots[i - 1], slots[i]] = [own, before];
    }
  }

  /** Runs one lane over the allowed slots; returns its best chunks by public id. */
  async #best(bounds: LaneBounds, run: Lane): Promise<Candidate[]> {
    const rank = function* (isAllowed: IsAllowed): Generator<void, TopK> {
      const best = new TopK(bounds.limit, compare);
      yield* run(isAllowed, best);
      return best;
    };
    const compare = (a: number, b: number) => this.#compare(a, b);
    const best = await this.#steady(bounds, rank);
    return best.best().map(({ item, score }) => ({ chunk: this.#chunks.id(item), score }));
  }

  /** Runs a query over the allowed slots; repeats it if compaction renumbered the slots during the run. */
  async #steady<T>(
    { filter, pause }: LaneBounds,
    run: (isAllowed: IsAllowed) => Generator<void, T>,
  ): Promise<T> {
    for (;;) {
      const renumberings = this.#renumberings;
      const allowed = filter === undefined ? undefined : await this.#allowed.of(filter);
      const steps = run(allowed === undefined ? undefined : (slot) => allowed[slot] === 1);
      let step = steps.next();
      while (renumberings === this.#renumberings && step.done !== true) {
        await pause?.();
        if (renumberings === this.#renumberings) step = steps.next();
      }
      if (renumberings === this.#renumberings && step.done === true) return step.value;
    }
  }

  /** Breaks ties by path, then by position, so that the order of indexing does not matter. */
  #compare(a: number, b: number): number {
    const [first, second] = [this.#chunks.pathOf(a), this.#chunks.pathOf(b)];
    if (first === second) return this.#chunks.startOf(a) - this.#chunks.startOf(b);
    if (first < 0 || second < 0) return a - b;
    return this.#chunks.path(first) < this.#chunks.path(second) ? -1 : 1;
  }

  #changed(): void {
    this.#facts.clear();
    this.#definitions.clear();
    this.#generation = nextGeneration();
    this.#allowed.forget();
  }

  /** Searches run between the steps; a change aborts the compaction without effect. */
  *#compact(): Generator<void, void> {
    const generation = this.#generation;
    const newSlots = new Int32Array(this.#chunks.size).fill(-1);
    let kept = 0;
    for (let slot = 0; slot < newSlots.length; slot++) {
      if (this.#chunks.pathOf(slot) >= 0) newSlots[slot] = kept++;
    }
    const postings = yield* this.#bm25.renumbered(newSlots);
    if (this.#generation !== generation) return;
    const rows = yield* this.#chunks.renumbered(newSlots, kept);
    if (this.#generation !== generation) return;
    const names = yield* this.#symbols.renumbered(newSlots);
    if (this.#generation !== generation) return;
    // The slots are renumbered from here on, which also aborts a running `pack`.
    this.#changed();
    this.#renumberings++;
    this.#bm25.compact(newSlots, kept, postings);
    this.#vectors.compact(newSlots, kept);
    this.#substitutes?.vectors.compact(newSlots, kept);
    this.#symbols.compact(names);
    this.#chunks.compact(rows);
    for (let path = 0; path < this.#byPath.size; path++) {
      const slots = this.#byPath.get(path);
      for (let i = 0; i < slots.length; i++) slots[i] = newSlots[slots[i] as number] as number;
    }
  }
}

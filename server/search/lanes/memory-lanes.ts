/** The lanes of one index in memory: filled from the store, then kept in step by each commit. */

import type { Candidate, ChunkFacts, Filter, LiveLanes } from "../../contracts/lanes.ts";
import type { ChunkVector, StoredChunk } from "../../contracts/stored-chunk.ts";
import { squash, stemOf } from "../paths.ts";
import { passesSymbols } from "../query/filter.ts";
import { Bm25, type WordStatistics } from "./bm25.ts";
import { fieldsOf } from "./fields.ts";
import { nextGeneration } from "./generation.ts";
import { type Categorizer, PathCategories } from "./path-categories.ts";
import { SymbolIndex, toName } from "./symbol-index.ts";
import { TopK } from "./top-k.ts";
import { VectorIndex } from "./vector-index.ts";

/** Compacting costs as much as a fresh start, so it waits until a quarter of the slots are dead. */
const DEAD_SHARE = 0.25;
const MIN_DEAD = 1000;

export interface LanesOptions {
  readonly categorizer: Categorizer;
  /** Paths of the repository besides those in the lanes: of a few open buffers, most are. */
  readonly otherPaths?: () => Iterable<string>;
}

/** With a background, words are as rare as there. */
export function createMemoryLanes(options: LanesOptions, background?: WordStatistics): LiveLanes {
  return new MemoryLanes(options, background);
}

/** A chunk has an id for the outside, which never changes, and a slot in the typed arrays, which compacting changes. */
interface Entry {
  readonly id: number;
  slot: number;
  facts: ChunkFacts;
  /** The state of the categories that its own was read from; it is read when somebody asks for it. */
  categorizedAt: number;
}

/** Until somebody asks. */
const UNKNOWN_CATEGORY: ChunkFacts["category"] = "implementation";

class MemoryLanes implements LiveLanes {
  /** About 10 ms of work. */
  readonly chunksAtOnce = 60;
  readonly #options: LanesOptions;
  readonly #categories: PathCategories;
  readonly #bm25: Bm25;
  readonly #vectors = new VectorIndex();
  readonly #symbols = new SymbolIndex();
  #slots: (Entry | undefined)[] = [];
  readonly #byId = new Map<number, Entry>();
  readonly #byPath = new Map<string, Entry[]>();
  readonly #byStem = new Map<string, Set<string>>();
  #nextId = 0;
  #generation = nextGeneration();
  /** Which slots a filter allows, while the index stays as it is. */
  #allowed = new WeakMap<Filter, Uint8Array>();

  constructor(options: LanesOptions, background?: WordStatistics) {
    this.#options = options;
    this.#categories = new PathCategories(options.categorizer, () => this.#paths());
    this.#bm25 = new Bm25(background);
  }

  createOverlay(): LiveLanes {
    return new MemoryLanes({ ...this.#options, otherPaths: () => this.#byPath.keys() }, this.#bm25);
  }

  *#paths(): Iterable<string> {
    yield* this.#byPath.keys();
    yield* this.#options.otherPaths?.() ?? [];
  }

  get size(): number {
    return this.#byId.size;
  }

  get generation(): string {
    return this.#generation;
  }

  async vector(
    query: Float32Array,
    filter: Filter | undefined,
    limit: number,
  ): Promise<Candidate[]> {
    return this.#best(filter, limit, (isAllowed, best) =>
      this.#vectors.search(query, isAllowed, best),
    );
  }

  /** Every vector is compared. */
  async recall(): Promise<number> {
    return 1;
  }

  async keyword(
    words: readonly string[],
    filter: Filter | undefined,
    limit: number,
  ): Promise<Candidate[]> {
    return this.#best(filter, limit, (isAllowed, best) =>
      this.#bm25.search(words, isAllowed, best),
    );
  }

  async symbol(name: string, filter: Filter | undefined, limit: number): Promise<Candidate[]> {
    return this.#best(filter, limit, (isAllowed, best) => {
      for (const [slot, grade] of this.#symbols.find(toName(name))) {
        if (isAllowed === undefined || isAllowed(slot)) best.offer(slot, grade);
      }
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
        slots.flatMap((slot) => this.#slots[slot]?.id ?? []),
      );
    }
    return found;
  }

  async facts(chunks: readonly number[]): Promise<ReadonlyMap<number, ChunkFacts>> {
    const facts = new Map<number, ChunkFacts>();
    for (const chunk of chunks) {
      const entry = this.#byId.get(chunk);
      if (entry === undefined) continue;
      if (entry.categorizedAt !== this.#categories.state) {
        const { path, languageId } = entry.facts;
        entry.facts = { ...entry.facts, category: this.#categories.of(path, languageId) };
        entry.categorizedAt = this.#categories.state;
      }
      facts.set(chunk, entry.facts);
    }
    return facts;
  }

  async chunksOf(paths: readonly string[]): Promise<readonly number[]> {
    return paths.flatMap((path) => (this.#byPath.get(path) ?? []).map(({ id }) => id));
  }

  stems(): Iterable<string> {
    return this.#byStem.keys();
  }

  pathsByStem(stem: string): readonly string[] {
    return [...(this.#byStem.get(stem) ?? [])].toSorted();
  }

  rarityOf(term: string): number {
    return this.#bm25.idfOf(term);
  }

  async allowsAny(filter: Filter): Promise<boolean> {
    return this.#allowedBy(filter).includes(1);
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
  }

  /** Nothing lags behind here. */
  async refreshStatistics(): Promise<void> {}

  /** Undefined where the file is not in the lanes. */
  #languageOf(path: string): string | undefined {
    return this.#byPath.get(path)?.[0]?.facts.languageId;
  }

  #remove(path: string): void {
    const entries = this.#byPath.get(path);
    if (entries === undefined) return;
    for (const { id, slot, facts } of entries) {
      this.#bm25.remove(slot);
      this.#vectors.remove(slot);
      this.#symbols.remove(slot, facts.symbols);
      this.#slots[slot] = undefined;
      this.#byId.delete(id);
    }
    this.#byPath.delete(path);
    const stem = squash(stemOf(path));
    const paths = this.#byStem.get(stem);
    paths?.delete(path);
    if (paths?.size === 0) this.#byStem.delete(stem);
    const dead = this.#slots.length - this.size;
    if (dead > MIN_DEAD && dead > this.#slots.length * DEAD_SHARE) this.#compact();
  }

  async setVectors(vectors: readonly ChunkVector[]): Promise<void> {
    this.#changed();
    for (const { path, span, vector } of vectors) {
      const entry = this.#byPath
        .get(path)
        ?.find(({ facts }) => facts.span.start === span.start && facts.span.end === span.end);
      if (entry !== undefined) this.#vectors.set(entry.slot, vector);
    }
  }

  #addOne({ words, vector, ...facts }: StoredChunk): void {
    const entry: Entry = {
      id: this.#nextId++,
      slot: this.#slots.length,
      facts: { ...facts, category: UNKNOWN_CATEGORY },
      categorizedAt: -1,
    };
    this.#slots.push(entry);
    this.#byId.set(entry.id, entry);
    this.#bm25.add(entry.slot, fieldsOf(facts, words));
    this.#symbols.add(entry.slot, facts.symbols);
    if (vector !== undefined) this.#vectors.set(entry.slot, vector);
    const siblings = this.#byPath.get(facts.path);
    if (siblings === undefined) {
      this.#byPath.set(facts.path, [entry]);
      const stem = squash(stemOf(facts.path));
      this.#byStem.set(stem, (this.#byStem.get(stem) ?? new Set()).add(facts.path));
      return;
    }
    siblings.push(entry);
    if (startOf(siblings.at(-2)) > startOf(entry)) siblings.sort((a, b) => startOf(a) - startOf(b));
  }

  /** Runs one lane over the allowed slots and gives its best chunks their ids. */
  #best(
    filter: Filter | undefined,
    limit: number,
    run: (isAllowed: ((slot: number) => boolean) | undefined, best: TopK) => void,
  ): Candidate[] {
    const best = new TopK(limit, (a, b) => this.#compare(a, b));
    const allowed = filter === undefined ? undefined : this.#allowedBy(filter);
    run(allowed === undefined ? undefined : (slot) => allowed[slot] === 1, best);
    return best.best().map(({ chunk, score }) => ({ chunk: this.#slots[chunk]?.id ?? -1, score }));
  }

  /** By path, then by place: what the files say, and not the order in which they were indexed, breaks a tie. */
  #compare(a: number, b: number): number {
    const [first, second] = [this.#slots[a]?.facts, this.#slots[b]?.facts];
    if (first === undefined || second === undefined) return a - b;
    if (first.path !== second.path) return first.path < second.path ? -1 : 1;
    return first.span.start - second.span.start;
  }

  #allowedBy(filter: Filter): Uint8Array {
    const known = this.#allowed.get(filter);
    if (known !== undefined) return known;
    const allowed = new Uint8Array(this.#slots.length);
    for (const [path, entries] of this.#byPath) {
      if (filter.matchesPath !== undefined && !filter.matchesPath(path)) continue;
      for (const { slot, facts } of entries) {
        if (filter.languages !== undefined && !filter.languages.has(facts.languageId)) continue;
        if (passesSymbols(filter, facts)) allowed[slot] = 1;
      }
    }
    this.#allowed.set(filter, allowed);
    return allowed;
  }

  #changed(): void {
    this.#generation = nextGeneration();
    this.#allowed = new WeakMap();
  }

  #compact(): void {
    const newSlots = new Int32Array(this.#slots.length).fill(-1);
    const kept = this.#slots.filter((entry) => entry !== undefined);
    kept.forEach((entry, slot) => {
      newSlots[entry.slot] = slot;
    });
    this.#bm25.compact(newSlots, kept.length);
    this.#vectors.compact(newSlots, kept.length);
    this.#symbols.compact(newSlots);
    kept.forEach((entry, slot) => {
      entry.slot = slot;
    });
    this.#slots = kept;
  }
}

function startOf(entry: Entry | undefined): number {
  return entry?.facts.span.start ?? 0;
}

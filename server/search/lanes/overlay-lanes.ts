/** Puts the unsaved text of open buffers in front of the index: one client searches it in place of the stored chunks of these files. */

import { getOrCreate } from "../../common/get-or-create.ts";
import type { Candidate, ChunkFacts, Filter, LaneBounds, Lanes } from "../../contracts/lanes.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import { orderOf } from "./fuse.ts";

/** `hidden` are the paths whose stored chunks are out of date; `own` has the chunks of their unsaved text. Both change together. */
export function overlay(base: Lanes, own: Lanes, hidden: ReadonlySet<string>): Lanes {
  return new OverlayLanes(base, own, hidden);
}

/** Chunks of `own` have negative ids. */
class OverlayLanes implements Lanes {
  readonly #base: Lanes;
  readonly #own: Lanes;
  readonly #hidden: ReadonlySet<string>;
  /** The filter without hidden paths, by the filter of the query; lanes cache by the identity of a filter. */
  #narrowed = new WeakMap<Filter, Filter>();
  #narrow: Filter = {};
  /** The generation of `own` that the narrowed filters are for. */
  #narrowedAt: string | undefined;

  constructor(base: Lanes, own: Lanes, hidden: ReadonlySet<string>) {
    this.#base = base;
    this.#own = own;
    this.#hidden = hidden;
  }

  get size(): number {
    return this.#base.size + this.#own.size;
  }

  get questionsAtOnce(): number {
    return this.#base.questionsAtOnce;
  }

  get generation(): string {
    return `${this.#base.generation}+${this.#own.generation}`;
  }

  vector(query: Float32Array, bounds: LaneBounds): Promise<Candidate[]> {
    return this.#both(bounds, (lanes, own) => lanes.vector(query, own));
  }

  /** The recall of the stored chunks; the search of unsaved chunks is exact. */
  recall(
    query: Float32Array,
    filter: Filter | undefined,
    found: readonly Candidate[],
  ): Promise<number> {
    const stored = found.filter(({ chunk }) => chunk >= 0);
    return this.#base.recall(query, this.#narrowedBy(filter), stored);
  }

  keyword(
    words: readonly string[],
    bounds: LaneBounds,
    related?: readonly string[],
  ): Promise<Candidate[]> {
    return this.#both(bounds, (lanes, own) => lanes.keyword(words, own, related));
  }

  symbol(name: string, bounds: LaneBounds): Promise<Candidate[]> {
    return this.#both(bounds, (lanes, own) => lanes.symbol(name, own));
  }

  async containing(
    termLists: readonly (readonly string[])[],
    bounds: LaneBounds,
  ): Promise<readonly (readonly number[])[]> {
    const [stored, own] = await Promise.all([
      this.#base.containing(termLists, this.#visible(bounds)),
      this.#own.containing(termLists, bounds),
    ]);
    return termLists.map((_, i) => {
      const unsaved = (own[i] ?? []).map(flipChunkId);
      return [...unsaved, ...(stored[i] ?? [])].slice(0, bounds.limit);
    });
  }

  async filesWith(
    terms: readonly string[],
    paths: readonly string[],
    bounds: Omit<LaneBounds, "limit">,
  ): Promise<readonly ReadonlySet<string>[]> {
    const isHidden = (path: string) => this.#hidden.has(path);
    const visible = paths.filter((path) => !isHidden(path));
    const [stored, own] = await Promise.all([
      this.#base.filesWith(terms, visible, bounds),
      this.#own.filesWith(terms, paths.filter(isHidden), bounds),
    ]);
    return terms.map((_, i) => new Set([...(stored[i] ?? []), ...(own[i] ?? [])]));
  }

  async definitionsOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const [stored, own] = await Promise.all([
      this.#base.definitionsOf(names),
      this.#own.definitionsOf(names),
    ]);
    const facts = await this.#base.facts([...new Set([...stored.values()].flat())]);
    const isHidden = (chunk: number) => this.#hidden.has(facts.get(chunk)?.path ?? "");
    return new Map(
      names.flatMap((name): [string, readonly number[]][] => {
        const visible = (stored.get(name) ?? []).filter((chunk) => !isHidden(chunk));
        const chunks = [...visible, ...(own.get(name) ?? []).map(flipChunkId)];
        return chunks.length === 0 ? [] : [[name, chunks]];
      }),
    );
  }

  async facts(chunks: readonly number[]): Promise<ReadonlyMap<number, ChunkFacts>> {
    const [stored, own] = await Promise.all([
      this.#base.facts(chunks.filter((chunk) => chunk >= 0)),
      this.#own.facts(chunks.filter((chunk) => chunk < 0).map(flipChunkId)),
    ]);
    return new Map([
      ...stored,
      ...[...own].map(([id, facts]) => [flipChunkId(id), facts] as const),
    ]);
  }

  async chunksOf(paths: readonly string[]): Promise<readonly number[]> {
    const [stored, own] = await Promise.all([
      this.#base.chunksOf(paths.filter((path) => !this.#hidden.has(path))),
      this.#own.chunksOf(paths.filter((path) => this.#hidden.has(path))),
    ]);
    return [...stored, ...own.map(flipChunkId)];
  }

  async definitionsIn(
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
    const [stored, own] = await Promise.all([
      this.#base.definitionsIn(paths.filter((path) => !this.#hidden.has(path))),
      this.#own.definitionsIn(paths.filter((path) => this.#hidden.has(path))),
    ]);
    return new Map([...stored, ...own]);
  }

  async definitionsAround(
    lines: ReadonlyMap<string, readonly number[]>,
    withClasses: boolean,
  ): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
    const isHidden = ([path]: readonly [string, unknown]) => this.#hidden.has(path);
    const [stored, own] = await Promise.all([
      this.#base.definitionsAround(
        new Map([...lines].filter((each) => !isHidden(each))),
        withClasses,
      ),
      this.#own.definitionsAround(new Map([...lines].filter(isHidden)), withClasses),
    ]);
    return new Map([...stored, ...own]);
  }

  *stems(): Iterable<string> {
    yield* this.#base.stems();
    yield* this.#own.stems();
  }

  pathsByStem(stem: string): readonly string[] {
    const stored = this.#base.pathsByStem(stem).filter((path) => !this.#hidden.has(path));
    return [...stored, ...this.#own.pathsByStem(stem)].toSorted();
  }

  rarityOf(term: string): number {
    return this.#base.rarityOf(term);
  }

  async allowsAny(filter: Filter): Promise<boolean> {
    return (
      (await this.#own.allowsAny(filter)) || (await this.#base.allowsAny(this.#narrowedBy(filter)))
    );
  }

  async #both(
    bounds: LaneBounds,
    ask: (lanes: Lanes, bounds: LaneBounds) => Promise<Candidate[]>,
  ): Promise<Candidate[]> {
    const [stored, own] = await Promise.all([
      ask(this.#base, this.#visible(bounds)),
      ask(this.#own, bounds),
    ]);
    const unsaved = own.map((each) => ({ ...each, chunk: flipChunkId(each.chunk) }));
    return [...stored, ...unsaved]
      .toSorted((a, b) => orderOf(b) - orderOf(a))
      .slice(0, bounds.limit);
  }

  #visible(bounds: LaneBounds): LaneBounds {
    return { ...bounds, filter: this.#narrowedBy(bounds.filter) };
  }

  #narrowedBy(filter: Filter | undefined): Filter {
    if (this.#narrowedAt !== this.#own.generation) {
      this.#narrowedAt = this.#own.generation;
      this.#narrowed = new WeakMap();
      this.#narrow = { matchesPath: (path) => !this.#hidden.has(path) };
    }
    if (filter === undefined) return this.#narrow;
    const { matchesPath } = filter;
    return getOrCreate(this.#narrowed, filter, () => ({
      ...filter,
      matchesPath: (path) => !this.#hidden.has(path) && (matchesPath?.(path) ?? true),
    }));
  }
}

/** Maps an id of `own` to a negative id, and back. */
function flipChunkId(chunk: number): number {
  return -1 - chunk;
}

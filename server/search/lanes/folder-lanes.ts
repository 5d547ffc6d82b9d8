/** A view of one folder of an index: only its files are found, and paths are relative to it. */

import { getOrCreate } from "../../common/get-or-create.ts";
import type { Candidate, ChunkFacts, Filter, LaneBounds, Lanes } from "../../contracts/lanes.ts";
import type { CodeSymbol } from "../../contracts/model.ts";

/** `folder` is relative to the index's root. Document frequencies cover the whole index. */
export function lanesOfFolder(whole: Lanes, folder: string): Lanes {
  return new FolderLanes(whole, `${folder}/`);
}

class FolderLanes implements Lanes {
  readonly #whole: Lanes;
  /** The folder with a trailing slash. */
  readonly #prefix: string;
  /** Lanes cache by the identity of a filter. */
  readonly #narrowed = new WeakMap<Filter, Filter>();
  readonly #narrow: Filter;

  constructor(whole: Lanes, prefix: string) {
    this.#whole = whole;
    this.#prefix = prefix;
    this.#narrow = { matchesPath: (path) => path.startsWith(prefix) };
  }

  /** The size of the whole index: counting the chunks of the folder would read every path. */
  get size(): number {
    return this.#whole.size;
  }

  get questionsAtOnce(): number {
    return this.#whole.questionsAtOnce;
  }

  get generation(): string {
    return this.#whole.generation;
  }

  vector(query: Float32Array, bounds: LaneBounds): Promise<Candidate[]> {
    return this.#whole.vector(query, this.#inside(bounds));
  }

  recall(
    query: Float32Array,
    filter: Filter | undefined,
    found: readonly Candidate[],
  ): Promise<number> {
    return this.#whole.recall(query, this.#within(filter), found);
  }

  keyword(
    words: readonly string[],
    bounds: LaneBounds,
    related?: readonly string[],
  ): Promise<Candidate[]> {
    return this.#whole.keyword(words, this.#inside(bounds), related);
  }

  symbol(name: string, bounds: LaneBounds): Promise<Candidate[]> {
    return this.#whole.symbol(name, this.#inside(bounds));
  }

  containing(
    termLists: readonly (readonly string[])[],
    bounds: LaneBounds,
  ): Promise<readonly (readonly number[])[]> {
    return this.#whole.containing(termLists, this.#inside(bounds));
  }

  async filesWith(
    terms: readonly string[],
    paths: readonly string[],
    bounds: Omit<LaneBounds, "limit">,
  ): Promise<readonly ReadonlySet<string>[]> {
    const inWhole = paths.map((path) => this.#prefix + path);
    const found = await this.#whole.filesWith(terms, inWhole, bounds);
    return found.map((own) => new Set([...own].map((path) => path.slice(this.#prefix.length))));
  }

  async definitionsOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const found = await this.#whole.definitionsOf(names);
    const facts = await this.#whole.facts([...new Set([...found.values()].flat())]);
    const isInside = (chunk: number) => facts.get(chunk)?.path.startsWith(this.#prefix) === true;
    return new Map(
      [...found].flatMap(([name, chunks]): [string, readonly number[]][] => {
        const inside = chunks.filter(isInside);
        return inside.length === 0 ? [] : [[name, inside]];
      }),
    );
  }

  async facts(chunks: readonly number[]): Promise<ReadonlyMap<number, ChunkFacts>> {
    const found = new Map<number, ChunkFacts>();
    for (const [chunk, facts] of await this.#whole.facts(chunks)) {
      found.set(chunk, { ...facts, path: facts.path.slice(this.#prefix.length) });
    }
    return found;
  }

  chunksOf(paths: readonly string[]): Promise<readonly number[]> {
    return this.#whole.chunksOf(paths.map((path) => this.#prefix + path));
  }

  async definitionsIn(
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
    const found = await this.#whole.definitionsIn(paths.map((path) => this.#prefix + path));
    return this.#inFolder(found);
  }

  async definitionsAround(
    lines: ReadonlyMap<string, readonly number[]>,
    withClasses: boolean,
  ): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
    const inWhole = new Map([...lines].map(([path, own]) => [this.#prefix + path, own]));
    const found = await this.#whole.definitionsAround(inWhole, withClasses);
    return this.#inFolder(found);
  }

  #inFolder<T>(found: ReadonlyMap<string, T>): Map<string, T> {
    return new Map([...found].map(([path, own]) => [path.slice(this.#prefix.length), own]));
  }

  stems(): Iterable<string> {
    return this.#whole.stems();
  }

  pathsByStem(stem: string): readonly string[] {
    const inside = this.#whole.pathsByStem(stem).filter((path) => path.startsWith(this.#prefix));
    return inside.map((path) => path.slice(this.#prefix.length));
  }

  rarityOf(term: string): number {
    return this.#whole.rarityOf(term);
  }

  allowsAny(filter: Filter): Promise<boolean> {
    return this.#whole.allowsAny(this.#within(filter));
  }

  #inside(bounds: LaneBounds): LaneBounds {
    return { ...bounds, filter: this.#within(bounds.filter) };
  }

  #within(filter: Filter | undefined): Filter {
    if (filter === undefined) return this.#narrow;
    const { matchesPath } = filter;
    const prefix = this.#prefix;
    return getOrCreate(this.#narrowed, filter, () => ({
      ...filter,
      matchesPath: (path) =>
        path.startsWith(prefix) && (matchesPath?.(path.slice(prefix.length)) ?? true),
    }));
  }
}

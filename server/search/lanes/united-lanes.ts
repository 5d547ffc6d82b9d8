/**
 * Several indexes as one, for one search, which ranks their chunks in one list. The rank of a chunk, its lead and the rarity of a word
 * mean another thing in a small index than in a large one.
 */

import { getOrCreate } from "../../common/get-or-create.ts";
import { inverseFrequency } from "../../common/ranking/bm25-formula.ts";
import type { Candidate, ChunkFacts, Filter, LaneBounds, Lanes } from "../../contracts/lanes.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import { orderOf } from "./fuse.ts";

/** A path begins with a private character for its index, which no boost takes for a word or a number, and a slash. */
const FIRST_PREFIX = 0xe000;
const PREFIX_LENGTH = 2;

/** A chunk or a path of one of the indexes. */
interface Member<T> {
  readonly member: number;
  readonly own: T;
}

/** `failed` is called for a lane of one index that rejects, which is left out; the last one rejects for all. */
type Failed = (member: number, lane: string, error: unknown) => void;

export class UnitedLanes implements Lanes {
  readonly #members: readonly Lanes[];
  readonly #failed: Failed;
  /** Lanes cache by the identity of a filter. */
  readonly #filters = new WeakMap<Filter, readonly (Filter | undefined)[]>();

  /** Each of the indexes asks for each word. */
  readonly #rarities = new Map<string, number>();

  constructor(members: readonly Lanes[], failed: Failed) {
    this.#members = members;
    this.#failed = failed;
  }

  get size(): number {
    return this.#members.reduce((sum, { size }) => sum + size, 0);
  }

  get questionsAtOnce(): number {
    return Math.min(...this.#members.map(({ questionsAtOnce }) => questionsAtOnce));
  }

  get generation(): string {
    return this.#members.map(({ generation }) => generation).join(" ");
  }

  /** The index of a chunk, and its number there. */
  chunkOf(chunk: number): Member<number> {
    const count = this.#members.length;
    const member = ((chunk % count) + count) % count;
    return { member, own: (chunk - member) / count };
  }

  pathOf(path: string): Member<string> {
    return { member: path.charCodeAt(0) - FIRST_PREFIX, own: path.slice(PREFIX_LENGTH) };
  }

  #chunk(member: number, own: number): number {
    return own * this.#members.length + member;
  }

  vector(query: Float32Array, bounds: LaneBounds): Promise<Candidate[]> {
    return this.#best("vector", bounds, (lanes, own) => lanes.vector(query, own));
  }

  keyword(
    words: readonly string[],
    bounds: LaneBounds,
    related?: readonly string[],
  ): Promise<Candidate[]> {
    const rarityOf = (term: string) => this.rarityOf(term);
    return this.#best("keyword", bounds, (lanes, own) =>
      lanes.keyword(words, { ...own, rarityOf }, related),
    );
  }

  symbol(name: string, bounds: LaneBounds): Promise<Candidate[]> {
    return this.#best("symbol", bounds, (lanes, own) => lanes.symbol(name, own));
  }

  async recall(
    query: Float32Array,
    filter: Filter | undefined,
    found: readonly Candidate[],
  ): Promise<number> {
    const groups = this.#grouped(found, ({ chunk }) => this.chunkOf(chunk));
    const filters = this.#filtersOf(filter);
    const shares = await Promise.all(
      groups.map(async ([member, own]) => {
        const candidates = own.map((each) => ({ ...each, chunk: this.chunkOf(each.chunk).own }));
        return own.length * (await this.#lanes(member).recall(query, filters[member], candidates));
      }),
    );
    return found.length === 0 ? 1 : shares.reduce((sum, share) => sum + share, 0) / found.length;
  }

  async containing(
    termLists: readonly (readonly string[])[],
    bounds: LaneBounds,
  ): Promise<readonly (readonly number[])[]> {
    const found = await this.#ofEach(bounds, (lanes, own) => lanes.containing(termLists, own));
    return termLists.map((_, i) => {
      const chunks = found.flatMap((lists, member) =>
        (lists[i] ?? []).map((own) => this.#chunk(member, own)),
      );
      return chunks.slice(0, bounds.limit);
    });
  }

  async filesWith(
    terms: readonly string[],
    paths: readonly string[],
    bounds: Omit<LaneBounds, "limit">,
  ): Promise<readonly ReadonlySet<string>[]> {
    const found = terms.map(() => new Set<string>());
    const filters = this.#filtersOf(bounds.filter);
    for (const [member, own] of this.#pathsByMember(paths)) {
      const filter = filters[member];
      const files = await this.#lanes(member).filesWith(terms, own, { ...bounds, filter });
      files.forEach((set, i) => {
        for (const path of set) found[i]?.add(pathIn(member, path));
      });
    }
    return found;
  }

  async definitionsOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const found = new Map<string, number[]>();
    for (const [member, lanes] of this.#members.entries()) {
      for (const [name, chunks] of await lanes.definitionsOf(names)) {
        const all = getOrCreate(found, name, () => []);
        all.push(...chunks.map((own) => this.#chunk(member, own)));
      }
    }
    return found;
  }

  async facts(chunks: readonly number[]): Promise<ReadonlyMap<number, ChunkFacts>> {
    const found = new Map<number, ChunkFacts>();
    for (const [member, all] of this.#grouped(chunks, (chunk) => this.chunkOf(chunk))) {
      const facts = await this.#lanes(member).facts(all.map((chunk) => this.chunkOf(chunk).own));
      for (const [own, each] of facts)
        found.set(this.#chunk(member, own), { ...each, path: pathIn(member, each.path) });
    }
    return found;
  }

  async chunksOf(paths: readonly string[]): Promise<readonly number[]> {
    const found: number[] = [];
    for (const [member, own] of this.#pathsByMember(paths)) {
      const chunks = await this.#lanes(member).chunksOf(own);
      for (const chunk of chunks) found.push(this.#chunk(member, chunk));
    }
    return found;
  }

  async definitionsIn(
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
    const found = new Map<string, readonly CodeSymbol[]>();
    for (const [member, own] of this.#pathsByMember(paths)) {
      for (const [path, symbols] of await this.#lanes(member).definitionsIn(own))
        found.set(pathIn(member, path), symbols);
    }
    return found;
  }

  async definitionsAround(
    lines: ReadonlyMap<string, readonly number[]>,
    withClasses: boolean,
  ): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
    const found = new Map<string, readonly CodeSymbol[]>();
    for (const [member, own] of this.#pathsByMember([...lines.keys()])) {
      const around = new Map(own.map((path) => [path, lines.get(pathIn(member, path)) ?? []]));
      const symbols = await this.#lanes(member).definitionsAround(around, withClasses);
      for (const [path, each] of symbols) found.set(pathIn(member, path), each);
    }
    return found;
  }

  *stems(): Iterable<string> {
    for (const lanes of this.#members) yield* lanes.stems();
  }

  pathsByStem(stem: string): readonly string[] {
    return this.#members.flatMap((lanes, member) =>
      lanes.pathsByStem(stem).map((path) => pathIn(member, path)),
    );
  }

  /** The rarity among the chunks of all indexes. */
  rarityOf(term: string): number {
    return getOrCreate(this.#rarities, term, () => {
      let having = 0;
      for (const lanes of this.#members) having += frequencyOf(lanes.size, lanes.rarityOf(term));
      return inverseFrequency(this.size, having);
    });
  }

  async allowsAny(filter: Filter): Promise<boolean> {
    const filters = this.#filtersOf(filter);
    const allowed = this.#members.map((lanes, i) => lanes.allowsAny(filters[i] as Filter));
    return (await Promise.all(allowed)).includes(true);
  }

  /** The best candidates of all indexes; the earlier index wins a tie. */
  async #best(
    lane: string,
    bounds: LaneBounds,
    ask: (lanes: Lanes, bounds: LaneBounds) => Promise<readonly Candidate[]>,
  ): Promise<Candidate[]> {
    const filters = this.#filtersOf(bounds.filter);
    const asking = this.#members.map((lanes, i) => ask(lanes, { ...bounds, filter: filters[i] }));
    const results = await Promise.allSettled(asking);
    const failures = results.filter(({ status }) => status === "rejected");
    const found = results.flatMap((result, member) => {
      if (result.status === "fulfilled")
        return result.value.map((each) => ({ ...each, chunk: this.#chunk(member, each.chunk) }));
      if (failures.length === results.length) throw result.reason;
      this.#failed(member, lane, result.reason);
      return [];
    });
    return found.toSorted((a, b) => orderOf(b) - orderOf(a)).slice(0, bounds.limit);
  }

  #ofEach<T>(
    bounds: LaneBounds,
    ask: (lanes: Lanes, bounds: LaneBounds) => Promise<T>,
  ): Promise<T[]> {
    const filters = this.#filtersOf(bounds.filter);
    return Promise.all(
      this.#members.map((lanes, i) => ask(lanes, { ...bounds, filter: filters[i] })),
    );
  }

  #filtersOf(filter: Filter | undefined): readonly (Filter | undefined)[] {
    const matchesPath = filter?.matchesPath;
    if (filter === undefined || matchesPath === undefined) return this.#members.map(() => filter);
    return getOrCreate(this.#filters, filter, () =>
      this.#members.map((_, member) => ({
        ...filter,
        matchesPath: (path) => matchesPath(pathIn(member, path)),
      })),
    );
  }

  #lanes(member: number): Lanes {
    return this.#members[member] as Lanes;
  }

  #pathsByMember(paths: readonly string[]): readonly (readonly [number, readonly string[]])[] {
    const groups = this.#grouped(paths, (path) => this.pathOf(path));
    return groups.map(([member, all]) => [member, all.map((path) => this.pathOf(path).own)]);
  }

  #grouped<T>(
    all: readonly T[],
    placeOf: (each: T) => Member<unknown>,
  ): readonly (readonly [number, readonly T[]])[] {
    const groups = new Map<number, T[]>();
    for (const each of all) getOrCreate(groups, placeOf(each).member, () => []).push(each);
    return [...groups];
  }
}

function pathIn(member: number, path: string): string {
  return `${String.fromCharCode(FIRST_PREFIX + member)}/${path}`;
}

/** The inverse of `inverseFrequency`. */
function frequencyOf(chunks: number, rarity: number): number {
  return Math.max(0, (chunks + 1) / Math.exp(rarity) - 0.5);
}

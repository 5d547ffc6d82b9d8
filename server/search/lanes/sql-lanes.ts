/** The lanes of an index that does not fit into memory: files and word statistics here, everything else in the database. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { B, inverseFrequency, K1 } from "../../common/ranking/bm25-formula.ts";
import type {
  LaneRow,
  LaneRows,
  ReadLanes,
  RowFilter,
  TermStatistics,
} from "../../contracts/lane-rows.ts";
import type {
  Candidate,
  ChunkFacts,
  Filter,
  LaneBounds,
  LiveLanes,
} from "../../contracts/lanes.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import type { ChunkVector, StoredChunk } from "../../contracts/stored-chunk.ts";
import { squash, stemOf } from "../paths.ts";
import { type WordStatistics, weighTerms } from "./bm25.ts";
import { eachOnce, isAround } from "./definitions.ts";
import { countTerms, fieldsOf, lengthOf } from "./fields.ts";
import { nextGeneration } from "./generation.ts";
import { createMemoryLanes, type LanesOptions } from "./memory-lanes.ts";
import { PathCategories } from "./path-categories.ts";
import { toRowFilter } from "./row-filter.ts";
import {
  GRADES,
  gradeHalfRemembered,
  gradeName,
  gradeTypo,
  isOfSmallLetters,
  MAX_TYPOS,
  type Name,
  toName,
} from "./symbol-names.ts";
import { termNumber } from "./term-number.ts";

/** A partial name has at least a quarter of the letters of the full name. */
const MAX_PARTIAL_RATIO = 4;

/** Chunks that are read and written at a time while the rows are filled. */
const FILL = 2_000;

/**
 * Chunks that are scored for one query: those with its rarest words. A chunk that has only words of half the index is
 * never an answer, and scoring all of them costs ten times as much (measured).
 */
const MAX_SCORED = 20_000;

/** Chunks that are compared one by one rather than found by a walk, where a filter leaves no more. */
const MAX_EXACT = 20_000;

/** Chunks of some files that contain one word; more are in generated files only. */
const MAX_CHUNKS_OF_FILES = 20_000;

/** Names of each kind that are graded. */
const MAX_NAMES = 1_000;

/** The share of all chunks after whose change the words are counted again. */
const RECOUNT_SHARE = 0.1;

export interface SqlLanesOptions extends LanesOptions {
  readonly rows: LaneRows;
  /** The dimension of the index's vectors; 0 while it is not known. */
  readonly dimension: () => number;
  /** In place of MAX_SCORED and MAX_EXACT, for tests and measurements on small indexes. */
  readonly maxScored?: number;
  readonly maxExact?: number;
}

/** Opens the lanes and adds missing rows; the first run takes a minute per 100 thousand chunks. */
export async function openSqlLanes(options: SqlLanesOptions): Promise<LiveLanes> {
  const { rows } = options;
  await rows.open();
  const filled = await fill(rows);
  const before = await rows.statistics();
  if (before.frequencies.size === 0 || filled > before.chunks * RECOUNT_SHARE) await rows.measure();
  const lanes = new SqlLanes(options, await readKnown(options));
  await lanes.buildGraph();
  return lanes;
}

/** Opens lanes whose rows another program writes; nothing is written here. */
export async function readSqlLanes(options: SqlLanesOptions): Promise<ReadLanes> {
  return new SqlLanes(options, await readKnown(options));
}

/** Writes what `readSqlLanes` reads of an index, after these files were changed or removed. */
export async function writeSqlLanes(
  rows: LaneRows,
  changed: readonly string[],
  dimension: number,
): Promise<void> {
  await rows.open();
  // Also chunks with the same text: the definition around one may have another name.
  await rows.replace(changed, []);
  await fill(rows);
  await rows.measure();
  await rows.buildGraph(dimension);
}

/** Adds missing rows. Resolves to their number. */
async function fill(rows: LaneRows): Promise<number> {
  let filled = 0;
  for (let last: StoredChunk | undefined; ; ) {
    const missing = await rows.chunksWithoutRows(FILL, last);
    await rows.replace([], missing.map(toRow));
    filled += missing.length;
    last = missing.at(-1);
    if (missing.length < FILL) return filled;
  }
}

/** The data of lanes that is here and not in their database, the same for all searches. */
interface Known {
  readonly files: Map<string, string>;
  readonly byStem: Map<string, Set<string>>;
  readonly categories: PathCategories;
  statistics: TermStatistics;
  size: number;
  generation: string;
}

async function readKnown({ rows, categorizer }: SqlLanesOptions): Promise<Known> {
  const [statistics, files] = [await rows.statistics(), await rows.files()];
  const byStem = new Map<string, Set<string>>();
  for (const path of files.keys()) addStem(byStem, path);
  const categories = new PathCategories(categorizer, () => files.keys());
  const generation = nextGeneration();
  return { statistics, files, byStem, categories, size: statistics.chunks, generation };
}

function addStem(byStem: Map<string, Set<string>>, path: string): void {
  getOrCreate(byStem, squash(stemOf(path)), () => new Set()).add(path);
}

class SqlLanes implements ReadLanes, WordStatistics {
  /** A row of the database has one vector: the other lanes answer until it is made. */
  readonly substituteModel = undefined;
  /** The database does the work, in a transaction for each call. */
  readonly chunksAtOnce = Number.POSITIVE_INFINITY;
  readonly questionsAtOnce = Number.POSITIVE_INFINITY;
  readonly #options: SqlLanesOptions;
  readonly #rows: LaneRows;
  readonly #known: Known;
  #changes = 0;
  #filters = new WeakMap<Filter, Promise<RowFilter>>();

  constructor(options: SqlLanesOptions, known: Known) {
    this.#options = options;
    this.#rows = options.rows;
    this.#known = known;
  }

  over(rows: LaneRows): LiveLanes {
    return new SqlLanes({ ...this.#options, rows }, this.#known);
  }

  forgetAnswers(): void {
    this.#known.generation = nextGeneration();
  }

  get size(): number {
    return this.#known.size;
  }

  get generation(): string {
    return this.#known.generation;
  }

  /** The database does both. */
  *makeRoom(): Generator<void, void> {}

  *tidy(): Generator<void, void> {}

  pack(): undefined {
    return undefined;
  }

  createOverlay(): LiveLanes {
    return createMemoryLanes(
      { ...this.#options, otherPaths: () => this.#known.files.keys() },
      this,
    );
  }

  averageLength(): number {
    return this.#known.statistics.averageLength;
  }

  /** The inverse document frequency of a term. A word that was not counted counts as a word of one chunk. */
  idfOf(term: string): number {
    return inverseFrequency(this.#known.statistics.chunks, this.#frequencyOf(termNumber(term)));
  }

  rarityOf(term: string): number {
    return this.idfOf(term);
  }

  async allowsAny(filter: Filter): Promise<boolean> {
    const rowFilter = await this.#rowFilter(filter);
    return rowFilter === undefined || (rowFilter.share > 0 && rowFilter.symbolNames?.length !== 0);
  }

  async vector(query: Float32Array, { filter, limit, orderBy }: LaneBounds): Promise<Candidate[]> {
    const rowFilter = await this.#rowFilter(filter);
    return await this.#rows.nearest({
      query,
      orderBy,
      filter: rowFilter,
      limit,
      isExact: (rowFilter?.share ?? 1) * this.#known.size <= this.#maxExact,
    });
  }

  async recall(
    query: Float32Array,
    filter: Filter | undefined,
    found: readonly Candidate[],
  ): Promise<number> {
    const limit = found.length;
    if (limit === 0) return 1;
    const exact = await this.#rows.nearest({
      query,
      filter: await this.#rowFilter(filter),
      limit,
      isExact: true,
    });
    const known = new Set(found.map(({ chunk }) => chunk));
    return exact.filter(({ chunk }) => known.has(chunk)).length / limit;
  }

  async keyword(
    words: readonly string[],
    { filter, limit, rarityOf = (term) => this.idfOf(term) }: LaneBounds,
    related?: readonly string[],
  ): Promise<Candidate[]> {
    const { weights, own } = weighTerms(words, related);
    const terms = [...weights].map(([text, weight]) => ({
      term: termNumber(text),
      weight: weight * rarityOf(text),
    }));
    if (own.size === 0) return [];
    const attainable = [...own].reduce((sum, [text, times]) => sum + times * rarityOf(text), 0);
    const rowFilter = await this.#rowFilter(filter);
    const found = await this.#rows.byTerms({
      terms,
      needed: this.#rarest(
        terms.map(({ term }) => term),
        rowFilter?.share ?? 1,
      ),
      perChunk: K1 * (1 - B),
      perWord: (K1 * B) / this.averageLength(),
      filter: rowFilter,
      limit,
    });
    return found.map(({ chunk, score }) => ({ chunk, score: Math.min(1, score / attainable) }));
  }

  async containing(
    termLists: readonly (readonly string[])[],
    { filter, limit }: LaneBounds,
  ): Promise<readonly (readonly number[])[]> {
    const rowFilter = await this.#rowFilter(filter);
    return await Promise.all(
      termLists.map(async (terms) =>
        terms.length === 0
          ? []
          : await this.#rows.withTerms(terms.map(termNumber), rowFilter, limit),
      ),
    );
  }

  async filesWith(
    terms: readonly string[],
    paths: readonly string[],
    { filter }: Omit<LaneBounds, "limit">,
  ): Promise<readonly ReadonlySet<string>[]> {
    const wanted = new Set(paths);
    const pathOf = new Map<number, string>();
    for (const path of wanted) {
      for (const chunk of await this.chunksOf([path])) pathOf.set(chunk, path);
    }
    const own = { ...filter, matchesPath: (path: string) => wanted.has(path) };
    const bounds = { filter: own, limit: MAX_CHUNKS_OF_FILES };
    const lists = await this.containing(
      terms.map((term) => [term]),
      bounds,
    );
    return lists.map((chunks) => new Set(chunks.flatMap((chunk) => pathOf.get(chunk) ?? [])));
  }

  async symbol(name: string, { filter, limit }: LaneBounds): Promise<Candidate[]> {
    const wanted = toName(name);
    const grades = await this.#gradesOf(wanted);
    if (grades.size === 0) return [];
    const found = await this.#rows.defining([...grades.keys()], await this.#rowFilter(filter));
    const best = new Map<number, number>();
    for (const { chunk, name: defined } of found) {
      best.set(chunk, Math.max(best.get(chunk) ?? 0, grades.get(defined) ?? 0));
    }
    return [...best]
      .map(([chunk, score]) => ({ chunk, score }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  /** The database knows the last segment with its separators only: another spelling is found where the whole is squashed. */
  async definitionsOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const found = new Map<string, readonly number[]>();
    await Promise.all(
      names.map(async (text) => {
        const { lowerLast: last, squashed } = toName(text);
        const alike = await this.#rows.names({ last, squashed, parts: [] }, MAX_NAMES);
        const same = alike.filter((name) => {
          const defined = toName(name);
          return defined.lowerLast === last || defined.squashed === squashed;
        });
        if (same.length === 0) return;
        const rows = await this.#rows.defining(same, undefined);
        found.set(text, [...new Set(rows.map(({ chunk }) => chunk))]);
      }),
    );
    return found;
  }

  async facts(chunks: readonly number[]): Promise<ReadonlyMap<number, ChunkFacts>> {
    const found = await this.#rows.facts(chunks);
    return new Map(
      [...found].map(([chunk, facts]) => {
        const category = this.#known.categories.of(facts.path, facts.languageId);
        return [chunk, { ...facts, category }];
      }),
    );
  }

  async chunksOf(paths: readonly string[]): Promise<readonly number[]> {
    return await this.#rows.chunksOf(paths);
  }

  async definitionsIn(
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
    const found = new Map<string, CodeSymbol[]>();
    const facts = await this.facts(await this.chunksOf(paths));
    const inOrder = [...facts.values()].toSorted((a, b) => a.span.start - b.span.start);
    for (const { path, symbols } of inOrder) {
      found.set(path, [...(found.get(path) ?? []), ...symbols]);
    }
    return new Map([...found].map(([path, symbols]) => [path, eachOnce(symbols)]));
  }

  async definitionsAround(
    lines: ReadonlyMap<string, readonly number[]>,
    withClasses: boolean,
  ): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
    const found = [...(await this.definitionsIn([...lines.keys()]))];
    const isWanted = ({ type, lines: own }: CodeSymbol, wanted: readonly number[]) =>
      (withClasses && type === "class") || isAround(own, wanted);
    return new Map(
      found.map(([path, symbols]) => [
        path,
        symbols.filter((symbol) => isWanted(symbol, lines.get(path) ?? [])),
      ]),
    );
  }

  stems(): Iterable<string> {
    return this.#known.byStem.keys();
  }

  pathsByStem(stem: string): readonly string[] {
    return [...(this.#known.byStem.get(stem) ?? [])].toSorted();
  }

  async replace(paths: readonly string[], chunks: readonly StoredChunk[]): Promise<void> {
    const removed = await this.#rows.replace(paths, chunks.map(toRow));
    this.#known.size += chunks.length - removed;
    this.#changes += chunks.length + removed;
    await this.follow(paths, chunks);
  }

  async follow(paths: readonly string[], chunks: readonly StoredChunk[]): Promise<void> {
    const before = new Map(
      [...paths, ...chunks.map(({ path }) => path)].map((path) => [
        path,
        this.#known.files.get(path),
      ]),
    );
    for (const path of paths) this.#forget(path);
    for (const { path, languageId } of chunks) {
      if (this.#known.files.has(path)) continue;
      this.#known.files.set(path, languageId);
      addStem(this.#known.byStem, path);
    }
    const hasOtherFiles = [...before].some(([path, id]) => this.#known.files.get(path) !== id);
    if (hasOtherFiles) this.#known.categories.forget();
    this.#changed();
  }

  /** Only marks the lanes as changed: the vectors are already in the table that queries read. */
  async setVectors(_vectors: readonly ChunkVector[]): Promise<void> {
    this.#changed();
  }

  async refreshStatistics(): Promise<void> {
    if (this.#changes <= this.#known.size * RECOUNT_SHARE) return;
    this.#changes = 0;
    await this.#rows.measure();
    this.#known.statistics = await this.#rows.statistics();
    this.#known.size = this.#known.statistics.chunks;
    await this.buildGraph();
    this.#changed();
  }

  /** Where comparing with all vectors would take longer. */
  async buildGraph(): Promise<void> {
    if (this.#known.size > this.#maxExact) await this.#rows.buildGraph(this.#options.dimension());
  }

  get #maxExact(): number {
    return this.#options.maxExact ?? MAX_EXACT;
  }

  #changed(): void {
    this.forgetAnswers();
    this.#filters = new WeakMap();
  }

  #forget(path: string): void {
    this.#known.files.delete(path);
    this.#known.byStem.get(squash(stemOf(path)))?.delete(path);
  }

  #frequencyOf(term: number): number {
    return this.#known.statistics.frequencies.get(term) ?? 1;
  }

  /** The rarest terms, as many as lead to a bounded number of chunks; at least one. */
  #rarest(terms: readonly number[], share: number): number[] {
    const most = this.#options.maxScored ?? MAX_SCORED;
    const byRarity = terms.toSorted((a, b) => this.#frequencyOf(a) - this.#frequencyOf(b));
    const needed: number[] = [];
    let chunks = 0;
    for (const term of byRarity) {
      chunks += this.#frequencyOf(term) * share;
      if (needed.length > 0 && chunks > most) break;
      needed.push(term);
    }
    return needed;
  }

  #rowFilter(filter: Filter | undefined): Promise<RowFilter> | undefined {
    if (filter === undefined) return undefined;
    return getOrCreate(this.#filters, filter, () =>
      toRowFilter(filter, this.#known.files, this.#rows),
    );
  }

  /** Grades like SymbolIndex: typos count only if no name has the query as a prefix. */
  async #gradesOf(wanted: Name): Promise<Map<string, number>> {
    const { lowerLast: last, squashed, parts } = wanted;
    const alike = await this.#rows.names({ last, squashed, parts }, MAX_NAMES);
    const grades = new Map(
      alike
        .map((name) => [name, gradeName(wanted, toName(name))] as const)
        .filter(([, grade]) => grade > 0),
    );
    if (Math.max(0, ...grades.values()) > GRADES.words) return grades;
    const { length } = last;
    const near = await this.#rows.allNames({ from: length - MAX_TYPOS, to: length + MAX_TYPOS });
    for (const name of near) {
      const grade = gradeTypo(wanted, toName(name));
      if (grade > (grades.get(name) ?? 0)) grades.set(name, grade);
    }
    if (grades.size > 0 || !isOfSmallLetters(wanted)) return grades;
    const longer = await this.#rows.allNames({ from: length, to: MAX_PARTIAL_RATIO * length });
    for (const name of longer) {
      const grade = gradeHalfRemembered(wanted, toName(name));
      if (grade > 0) grades.set(name, grade);
    }
    return grades;
  }
}

function toRow(chunk: StoredChunk): LaneRow {
  const fields = fieldsOf(chunk);
  const counts = countTerms(fields);
  return {
    path: chunk.path,
    span: chunk.span,
    length: lengthOf(fields),
    terms: [...counts.keys()].map(termNumber),
    counts: Uint8Array.from(counts.values()),
    names: chunk.symbols.map(({ name, type }) => {
      const { lowerLast: last, squashed, parts } = toName(name);
      return { name, symbolType: type, last, squashed, parts };
    }),
  };
}

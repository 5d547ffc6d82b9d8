/** The facts of each chunk in memory, as rows of integers; an object is created only when a chunk is read. */

import {
  checkBounds,
  DamagedArrays,
  grown,
  type PackedArrays,
  packParts,
  partOf,
  takeArray,
} from "../../common/packed/packed-arrays.ts";
import { StringTable } from "../../common/packed/string-table.ts";
import type { ChunkFacts } from "../../contracts/lanes.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import type { PathCategories } from "./path-categories.ts";
import { type RowRange, SymbolRows } from "./symbol-rows.ts";

/** The columns of a chunk's row. A string is its number in the string table, -1 for none. */
const [PATH, LANGUAGE, START, END, LINE, LAST_LINE, CONTEXT, LAST_CONTEXT] = [
  0, 1, 2, 3, 4, 5, 6, 7,
];
const [BLOCK_TYPE, HIERARCHY, SYMBOLS, SYMBOLS_END, CHUNK_COLUMNS] = [8, 9, 10, 11, 12];

/** The path column of a removed chunk. */
const NONE = -1;

/** Chunks copied between two pauses: a third of a millisecond. */
const STEP_CHUNKS = 500;

type Facts = Omit<ChunkFacts, "category">;

/** The rows of a table, without its strings. */
interface ChunkRows {
  readonly chunks: Int32Array<ArrayBuffer>;
  readonly ids: Int32Array<ArrayBuffer>;
  readonly symbols: SymbolRows;
}

/** Maps slots to chunk facts, and slots to public ids, which are in the same order. */
export class ChunkTable {
  readonly paths: StringTable;
  #strings: StringTable;
  #chunks = new Int32Array(CHUNK_COLUMNS * 8);
  #ids = new Int32Array(8);
  #size = 0;
  #nextId = 0;
  #live = 0;
  #symbols: SymbolRows;

  constructor(
    paths = new StringTable(),
    strings = new StringTable(),
    symbols = new SymbolRows(strings),
  ) {
    this.paths = paths;
    this.#strings = strings;
    this.#symbols = symbols;
  }

  /** Restores a table from the arrays of `pack`, in steps; throws DamagedArrays if they are inconsistent. */
  static *unpack(arrays: PackedArrays): Generator<void, ChunkTable> {
    const paths = StringTable.unpack(partOf(arrays, "paths"));
    yield;
    const strings = StringTable.unpack(partOf(arrays, "strings"));
    yield;
    const table = new ChunkTable(paths, strings, SymbolRows.unpack(arrays, strings));
    yield;
    table.#ids = takeArray(arrays, "ids", Int32Array);
    table.#size = table.#ids.length;
    table.#chunks = takeArray(arrays, "chunks", Int32Array, table.#size * CHUNK_COLUMNS);
    table.#nextId = (table.#ids.at(-1) ?? -1) + 1;
    table.#check();
    return table;
  }

  /** The arrays are valid until the next change. */
  pack(): PackedArrays {
    const arrays = packParts({ paths: this.paths.pack(), strings: this.#strings.pack() });
    arrays.set("ids", this.#ids.subarray(0, this.#size));
    arrays.set("chunks", this.#chunks.subarray(0, this.#size * CHUNK_COLUMNS));
    for (const [name, array] of this.#symbols.pack()) arrays.set(name, array);
    return arrays;
  }

  /** Number of slots, including removed ones. */
  get size(): number {
    return this.#size;
  }

  /** Number of chunks that are not removed. */
  get live(): number {
    return this.#live;
  }

  /** Adds a chunk; returns its slot. */
  add(facts: Facts): number {
    const slot = this.#size++;
    const numbers = this.#size * CHUNK_COLUMNS;
    if (this.#size > this.#ids.length) this.#ids = grown(this.#ids, this.#size);
    if (numbers > this.#chunks.length) this.#chunks = grown(this.#chunks, numbers);
    this.#ids[slot] = this.#nextId++;
    this.#live++;
    const { span, lines, context, blockType, hierarchy } = facts;
    const symbols = this.#symbols.add(facts.symbols);
    const row = [
      this.paths.intern(facts.path),
      this.#strings.intern(facts.languageId),
      span.start,
      span.end,
      lines.start,
      lines.end,
      context.start,
      context.end,
      blockType === undefined ? NONE : this.#strings.intern(blockType),
      hierarchy === undefined ? NONE : this.#strings.intern(hierarchy),
      symbols.start,
      symbols.end,
    ];
    this.#chunks.set(row, slot * CHUNK_COLUMNS);
    return slot;
  }

  remove(slot: number): void {
    this.#chunks[slot * CHUNK_COLUMNS + PATH] = NONE;
    this.#live--;
  }

  id(slot: number): number {
    return this.#ids[slot] ?? -1;
  }

  /** The slot of a chunk; -1 if the chunk was removed. */
  slot(id: number): number {
    let [from, to] = [0, this.#size];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#ids[middle] as number) < id) from = middle + 1;
      else to = middle;
    }
    return from < this.#size && this.#ids[from] === id && this.pathOf(from) >= 0 ? from : -1;
  }

  /** The number of the chunk's path; -1 for a removed chunk. */
  pathOf(slot: number): number {
    return this.#column(slot, PATH);
  }

  startOf(slot: number): number {
    return this.#column(slot, START);
  }

  endOf(slot: number): number {
    return this.#column(slot, END);
  }

  languageOf(slot: number): string {
    return this.#strings.repeated(this.#column(slot, LANGUAGE));
  }

  path(number: number): string {
    return this.paths.repeated(number);
  }

  /** Written without object spreads: a search creates hundreds of these, and copying took a quarter of its time. */
  factsOf(slot: number, categories: Pick<PathCategories, "of">): ChunkFacts {
    const column = (at: number) => this.#column(slot, at);
    const [blockType, hierarchy] = [column(BLOCK_TYPE), column(HIERARCHY)];
    const path = this.path(column(PATH));
    const languageId = this.#strings.repeated(column(LANGUAGE));
    // With every field, so that all facts have one shape: V8 then reads them without looking their fields up.
    return {
      path,
      languageId,
      category: categories.of(path, languageId),
      span: { start: column(START), end: column(END) },
      lines: { start: column(LINE), end: column(LAST_LINE) },
      symbols: this.symbolsOf(slot),
      context: { start: column(CONTEXT), end: column(LAST_CONTEXT) },
      blockType: blockType < 0 ? undefined : this.#strings.repeated(blockType),
      hierarchy: hierarchy < 0 ? undefined : this.#strings.text(hierarchy),
    };
  }

  symbolsOf(slot: number): CodeSymbol[] {
    return this.#symbols.of(this.#rowsOf(slot));
  }

  /** The definitions around one of the lines, and with `withClasses` all classes. */
  symbolsAround(slot: number, lines: readonly number[], withClasses: boolean): CodeSymbol[] {
    return this.#symbols.around(this.#rowsOf(slot), lines, withClasses);
  }

  /** The rows for `compact`, without removed slots, in the same order: `newSlots[old]` is the new slot, or -1. */
  *renumbered(newSlots: Int32Array, size: number): Generator<void, ChunkRows> {
    // Steps read the arrays as they were at the start: growing replaces them.
    const [old, ids, symbols] = [this.#chunks, this.#ids, this.#symbols];
    const rows = {
      chunks: new Int32Array(size * CHUNK_COLUMNS),
      ids: new Int32Array(size),
      symbols: new SymbolRows(this.#strings),
    };
    for (let from = 0; from < newSlots.length; from++) {
      if (from % STEP_CHUNKS === 0) yield;
      const slot = newSlots[from] as number;
      if (slot < 0) continue;
      const row = old.subarray(from * CHUNK_COLUMNS, (from + 1) * CHUNK_COLUMNS);
      const at = slot * CHUNK_COLUMNS;
      const [start, end] = [row[SYMBOLS] as number, row[SYMBOLS_END] as number];
      const copied = rows.symbols.copy(symbols, { start, end });
      rows.chunks.set(row, at);
      rows.ids[slot] = ids[from] as number;
      rows.chunks[at + SYMBOLS] = copied.start;
      rows.chunks[at + SYMBOLS_END] = copied.end;
    }
    return rows;
  }

  /** Installs the rows of `renumbered`; the table must not have changed since `renumbered` began. */
  compact({ chunks, ids, symbols }: ChunkRows): void {
    this.#chunks = chunks;
    this.#ids = ids;
    this.#symbols = symbols;
    this.#size = ids.length;
  }

  #rowsOf(slot: number): RowRange {
    return { start: this.#column(slot, SYMBOLS), end: this.#column(slot, SYMBOLS_END) };
  }

  #column(slot: number, column: number): number {
    return this.#chunks[slot * CHUNK_COLUMNS + column] ?? NONE;
  }

  #check(): void {
    const checkChunks = (name: string, column: number, min: number, end: number) =>
      checkBounds(name, this.#chunks, min, end, { column, columns: CHUNK_COLUMNS });
    checkChunks("paths", PATH, NONE, this.paths.size);
    checkChunks("languages", LANGUAGE, 0, this.#strings.size);
    for (const at of [BLOCK_TYPE, HIERARCHY]) checkChunks("strings", at, NONE, this.#strings.size);
    for (const at of [SYMBOLS, SYMBOLS_END]) checkChunks("symbols", at, 0, this.#symbols.size + 1);
    for (let slot = 0; slot < this.#size; slot++) {
      if (slot > 0 && this.id(slot) <= this.id(slot - 1))
        throw new DamagedArrays("ids are damaged");
      if (this.pathOf(slot) >= 0) this.#live++;
    }
  }
}

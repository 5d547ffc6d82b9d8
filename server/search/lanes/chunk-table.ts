/** What lanes in memory know of each chunk, in rows of numbers: an object is made where somebody looks at one. */

import {
  checkBounds,
  DamagedArrays,
  grown,
  grownLength,
  type PackedArrays,
  packParts,
  partOf,
  takeArray,
} from "../../common/packed/packed-arrays.ts";
import { StringTable } from "../../common/packed/string-table.ts";
import type { ChunkFacts } from "../../contracts/lanes.ts";
import type { CodeSymbol, SymbolType } from "../../contracts/model.ts";
import { isAround } from "./definitions.ts";
import type { PathCategories } from "./path-categories.ts";

/** The columns of a chunk's row. Strings are numbers of the table, -1 for none. */
const [PATH, LANGUAGE, START, END, LINE, LAST_LINE, CONTEXT, LAST_CONTEXT] = [
  0, 1, 2, 3, 4, 5, 6, 7,
];
const [BLOCK_TYPE, HIERARCHY, SYMBOLS, SYMBOLS_END, CHUNK_COLUMNS] = [8, 9, 10, 11, 12];

/** The columns of a definition's row; signatures are bytes of their own, as hardly two are the same. */
const [NAME, TYPE, FIRST_LINE, END_LINE, NAME_LINE, SIGNATURE, SIGNATURE_END] = [
  0, 1, 2, 3, 4, 5, 6,
];
const SYMBOL_COLUMNS = 7;

/** The path of a chunk that was removed. */
const NONE = -1;

type Facts = Omit<ChunkFacts, "category">;

/** Chunks are numbered by slots, and named to the outside by ids, which grow with the slots. */
export class ChunkTable {
  readonly paths: StringTable;
  #strings: StringTable;
  #chunks = new Int32Array(CHUNK_COLUMNS * 8);
  #ids = new Int32Array(8);
  #size = 0;
  #nextId = 0;
  #live = 0;
  #symbols = new Int32Array(SYMBOL_COLUMNS * 8);
  #symbolCount = 0;
  #signatures = Buffer.allocUnsafeSlow(256);
  #signatureBytes = 0;
  /** Paths are compared and shown often. */
  readonly #pathTexts: (string | undefined)[] = [];
  /** Of strings that are the same few in every chunk: languages and types. */
  readonly #fewTexts = new Map<number, string>();

  constructor(paths = new StringTable(), strings = new StringTable()) {
    this.paths = paths;
    this.#strings = strings;
  }

  /** What `pack` gave; throws DamagedArrays where it cannot be that. */
  static unpack(arrays: PackedArrays): ChunkTable {
    const [paths, strings] = [partOf(arrays, "paths"), partOf(arrays, "strings")];
    const table = new ChunkTable(StringTable.unpack(paths), StringTable.unpack(strings));
    table.#ids = takeArray(arrays, "ids", Int32Array);
    table.#size = table.#ids.length;
    table.#chunks = takeArray(arrays, "chunks", Int32Array, table.#size * CHUNK_COLUMNS);
    table.#symbols = takeArray(arrays, "symbols", Int32Array);
    table.#symbolCount = Math.floor(table.#symbols.length / SYMBOL_COLUMNS);
    const signatures = takeArray(arrays, "signatures", Uint8Array);
    table.#signatureBytes = signatures.length;
    table.#signatures = Buffer.from(signatures.buffer, signatures.byteOffset, signatures.length);
    table.#nextId = (table.#ids.at(-1) ?? -1) + 1;
    table.#check();
    return table;
  }

  /** As long as nothing changes. */
  pack(): PackedArrays {
    const { buffer, byteOffset } = this.#signatures;
    const arrays = packParts({ paths: this.paths.pack(), strings: this.#strings.pack() });
    arrays.set("ids", this.#ids.subarray(0, this.#size));
    arrays.set("chunks", this.#chunks.subarray(0, this.#size * CHUNK_COLUMNS));
    arrays.set("symbols", this.#symbols.subarray(0, this.#symbolCount * SYMBOL_COLUMNS));
    arrays.set("signatures", new Uint8Array(buffer, byteOffset, this.#signatureBytes));
    return arrays;
  }

  /** Slots that were ever given, the removed ones too. */
  get size(): number {
    return this.#size;
  }

  /** Chunks that were not removed. */
  get live(): number {
    return this.#live;
  }

  /** Adds a chunk and gives its slot. */
  add(facts: Facts): number {
    const slot = this.#size++;
    const numbers = this.#size * CHUNK_COLUMNS;
    if (this.#size > this.#ids.length) this.#ids = grown(this.#ids, this.#size);
    if (numbers > this.#chunks.length) this.#chunks = grown(this.#chunks, numbers);
    this.#ids[slot] = this.#nextId++;
    this.#live++;
    const { span, lines, context, blockType, hierarchy } = facts;
    const symbols = this.#symbolCount;
    for (const symbol of facts.symbols) this.#addSymbol(symbol);
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
      symbols,
      this.#symbolCount,
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

  /** The slot of a chunk; -1 where it was removed. */
  slot(id: number): number {
    let [from, to] = [0, this.#size];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#ids[middle] as number) < id) from = middle + 1;
      else to = middle;
    }
    return from < this.#size && this.#ids[from] === id && this.pathOf(from) >= 0 ? from : -1;
  }

  /** The number of its path; -1 for a chunk that was removed. */
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
    return this.#fewText(this.#column(slot, LANGUAGE));
  }

  path(number: number): string {
    return (this.#pathTexts[number] ??= this.paths.text(number));
  }

  /** Hundreds of them are made for a search: without copying one, which took a quarter of it (rails). */
  factsOf(slot: number, categories: Pick<PathCategories, "of">): ChunkFacts {
    const column = (at: number) => this.#column(slot, at);
    const [blockType, hierarchy] = [column(BLOCK_TYPE), column(HIERARCHY)];
    const path = this.path(column(PATH));
    const languageId = this.#fewText(column(LANGUAGE));
    const facts: { -readonly [K in keyof ChunkFacts]: ChunkFacts[K] } = {
      path,
      languageId,
      category: categories.of(path, languageId),
      span: { start: column(START), end: column(END) },
      lines: { start: column(LINE), end: column(LAST_LINE) },
      symbols: this.symbolsOf(slot),
      context: { start: column(CONTEXT), end: column(LAST_CONTEXT) },
    };
    if (blockType >= 0) facts.blockType = this.#fewText(blockType);
    if (hierarchy >= 0) facts.hierarchy = this.#strings.text(hierarchy);
    return facts;
  }

  symbolsOf(slot: number): CodeSymbol[] {
    const symbols: CodeSymbol[] = [];
    const end = this.#column(slot, SYMBOLS_END);
    for (let i = this.#column(slot, SYMBOLS); i < end; i++) symbols.push(this.#symbol(i));
    return symbols;
  }

  /** Renumbers: `newSlots[old]` is the new slot, or -1. Their order stays. */
  compact(newSlots: Int32Array, size: number): void {
    const [old, symbols, ids] = [this.#chunks, this.#symbols, this.#ids];
    const signatures = this.#signatures;
    this.#chunks = new Int32Array(size * CHUNK_COLUMNS);
    this.#ids = new Int32Array(size);
    this.#symbols = new Int32Array(symbols.length);
    this.#signatures = Buffer.allocUnsafeSlow(this.#signatureBytes);
    [this.#symbolCount, this.#signatureBytes] = [0, 0];
    for (let from = 0; from < this.#size; from++) {
      const slot = newSlots[from] ?? -1;
      if (slot < 0) continue;
      const row = old.subarray(from * CHUNK_COLUMNS, (from + 1) * CHUNK_COLUMNS);
      const at = slot * CHUNK_COLUMNS;
      this.#chunks.set(row, at);
      this.#ids[slot] = ids[from] as number;
      this.#chunks[at + SYMBOLS] = this.#symbolCount;
      this.#copySymbols(
        symbols.subarray(
          (row[SYMBOLS] as number) * SYMBOL_COLUMNS,
          (row[SYMBOLS_END] as number) * SYMBOL_COLUMNS,
        ),
        signatures,
      );
      this.#chunks[at + SYMBOLS_END] = this.#symbolCount;
    }
    this.#size = size;
  }

  #column(slot: number, column: number): number {
    return this.#chunks[slot * CHUNK_COLUMNS + column] ?? NONE;
  }

  #addSymbol({ name, type, lines, nameLine, signature }: CodeSymbol): void {
    const start = this.#signatureBytes;
    const end = start + Buffer.byteLength(signature);
    if (end > this.#signatures.length) {
      const larger = Buffer.allocUnsafeSlow(grownLength(this.#signatures.length, end));
      this.#signatures.copy(larger, 0, 0, start);
      this.#signatures = larger;
    }
    this.#signatures.write(signature, start);
    this.#signatureBytes = end;
    const [nameId, typeId] = [this.#strings.intern(name), this.#strings.intern(type)];
    this.#pushSymbol([nameId, typeId, lines.start, lines.end, nameLine, start, end]);
  }

  /** The rows of one chunk, whose signatures follow each other as the rows do. */
  #copySymbols(rows: Int32Array, signatures: Buffer): void {
    if (rows.length === 0) return;
    const [first, end] = [rows[SIGNATURE] as number, rows.at(-1) as number];
    const moved = this.#signatureBytes - first;
    signatures.copy(this.#signatures, this.#signatureBytes, first, end);
    this.#signatureBytes += end - first;
    const at = this.#symbolCount * SYMBOL_COLUMNS;
    this.#symbols.set(rows, at);
    for (let row = at; row < at + rows.length; row += SYMBOL_COLUMNS) {
      this.#symbols[row + SIGNATURE] = (this.#symbols[row + SIGNATURE] as number) + moved;
      this.#symbols[row + SIGNATURE_END] = (this.#symbols[row + SIGNATURE_END] as number) + moved;
    }
    this.#symbolCount += rows.length / SYMBOL_COLUMNS;
  }

  #pushSymbol(row: readonly number[]): void {
    const at = this.#symbolCount++ * SYMBOL_COLUMNS;
    if (at + SYMBOL_COLUMNS > this.#symbols.length)
      this.#symbols = grown(this.#symbols, at + SYMBOL_COLUMNS);
    this.#symbols.set(row, at);
  }

  /** Those around one of the lines, and all classes where these are wanted. */
  symbolsAround(slot: number, lines: readonly number[], withClasses: boolean): CodeSymbol[] {
    const symbols: CodeSymbol[] = [];
    const last = this.#column(slot, SYMBOLS_END);
    const classType = withClasses ? this.#strings.find("class") : NONE;
    for (let i = this.#column(slot, SYMBOLS); i < last; i++) {
      const row = i * SYMBOL_COLUMNS;
      const start = this.#symbols[row + FIRST_LINE] as number;
      const end = this.#symbols[row + END_LINE] as number;
      const isWanted = classType !== NONE && this.#symbols[row + TYPE] === classType;
      if (isWanted || isAround({ start, end }, lines)) symbols.push(this.#symbol(i));
    }
    return symbols;
  }

  #symbol(i: number): CodeSymbol {
    const column = (at: number) => this.#symbols[i * SYMBOL_COLUMNS + at] as number;
    return {
      name: this.#strings.text(column(NAME)),
      type: this.#fewText(column(TYPE)) as SymbolType,
      signature: this.#signatures.toString("utf8", column(SIGNATURE), column(SIGNATURE_END)),
      lines: { start: column(FIRST_LINE), end: column(END_LINE) },
      nameLine: column(NAME_LINE),
    };
  }

  #fewText(number: number): string {
    let text = this.#fewTexts.get(number);
    if (text === undefined) {
      text = this.#strings.text(number);
      this.#fewTexts.set(number, text);
    }
    return text;
  }

  #check(): void {
    const checkChunks = (name: string, column: number, min: number, end: number) =>
      checkBounds(name, this.#chunks, min, end, { column, columns: CHUNK_COLUMNS });
    const checkSymbols = (name: string, column: number, end: number) =>
      checkBounds(name, this.#symbols, 0, end, { column, columns: SYMBOL_COLUMNS });
    checkChunks("paths", PATH, NONE, this.paths.size);
    checkChunks("languages", LANGUAGE, 0, this.#strings.size);
    for (const at of [BLOCK_TYPE, HIERARCHY]) checkChunks("strings", at, NONE, this.#strings.size);
    for (const at of [SYMBOLS, SYMBOLS_END]) checkChunks("symbols", at, 0, this.#symbolCount + 1);
    for (const at of [NAME, TYPE]) checkSymbols("names", at, this.#strings.size);
    for (const at of [SIGNATURE, SIGNATURE_END])
      checkSymbols("signatures", at, this.#signatureBytes + 1);
    for (let slot = 0; slot < this.#size; slot++) {
      if (slot > 0 && this.id(slot) <= this.id(slot - 1))
        throw new DamagedArrays("ids are damaged");
      if (this.pathOf(slot) >= 0) this.#live++;
    }
  }
}

/** The definitions of chunks in rows of numbers: their texts are made where somebody reads them. */

import {
  checkBounds,
  grown,
  grownLength,
  type PackedArrays,
  takeArray,
} from "../../common/packed/packed-arrays.ts";
import type { StringTable } from "../../common/packed/string-table.ts";
import type { CodeSymbol, Lines, SymbolType } from "../../contracts/model.ts";
import { isAround } from "./definitions.ts";

/** The columns of a row. Strings are numbers of the table; signatures are bytes of their own, as hardly two are the same. */
const [NAME, TYPE, FIRST_LINE, END_LINE, NAME_LINE, SIGNATURE, SIGNATURE_END] = [
  0, 1, 2, 3, 4, 5, 6,
];
const COLUMNS = 7;

/** What a row is read with. It is never changed: what grows or is renumbered becomes another one. */
interface Source {
  readonly strings: StringTable;
  readonly rows: Int32Array;
  readonly signatures: Buffer;
}

/** The rows from `start` up to `end`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** A search looks at the definitions of some hundred chunks, and reads the names of few: to make all took a tenth of it. */
class StoredSymbol implements CodeSymbol {
  readonly type: SymbolType;
  readonly #source: Source;
  readonly #at: number;
  #name: string | undefined;
  #signature: string | undefined;
  #lines: Lines | undefined;

  constructor(source: Source, row: number) {
    this.#source = source;
    this.#at = row * COLUMNS;
    this.type = source.strings.repeated(this.#column(TYPE)) as SymbolType;
  }

  get name(): string {
    this.#name ??= this.#source.strings.text(this.#column(NAME));
    return this.#name;
  }

  get signature(): string {
    this.#signature ??= this.#source.signatures.toString(
      "utf8",
      this.#column(SIGNATURE),
      this.#column(SIGNATURE_END),
    );
    return this.#signature;
  }

  get lines(): Lines {
    this.#lines ??= { start: this.#column(FIRST_LINE), end: this.#column(END_LINE) };
    return this.#lines;
  }

  get nameLine(): number {
    return this.#column(NAME_LINE);
  }

  /** An answer carries it as any other. */
  toJSON(): CodeSymbol {
    const { name, type, signature, lines, nameLine } = this;
    return { name, type, signature, lines, nameLine };
  }

  #column(column: number): number {
    return this.#source.rows[this.#at + column] as number;
  }
}

export class SymbolRows {
  readonly #strings: StringTable;
  #rows = new Int32Array(COLUMNS * 8);
  #count = 0;
  #signatures = Buffer.allocUnsafeSlow(256);
  #signatureBytes = 0;
  #source: Source | undefined;

  constructor(strings: StringTable) {
    this.#strings = strings;
  }

  /** What `pack` gave, with the table of its strings; throws DamagedArrays where it cannot be that. */
  static unpack(arrays: PackedArrays, strings: StringTable): SymbolRows {
    const symbols = new SymbolRows(strings);
    const signatures = takeArray(arrays, "signatures", Uint8Array);
    symbols.#rows = takeArray(arrays, "symbols", Int32Array);
    symbols.#count = Math.floor(symbols.#rows.length / COLUMNS);
    symbols.#signatureBytes = signatures.length;
    symbols.#signatures = Buffer.from(signatures.buffer, signatures.byteOffset, signatures.length);
    symbols.#check();
    return symbols;
  }

  /** As long as nothing changes. */
  pack(): PackedArrays {
    const { buffer, byteOffset } = this.#signatures;
    return new Map<string, Int32Array | Uint8Array>([
      ["symbols", this.#rows.subarray(0, this.#count * COLUMNS)],
      ["signatures", new Uint8Array(buffer, byteOffset, this.#signatureBytes)],
    ]);
  }

  get size(): number {
    return this.#count;
  }

  add(symbols: readonly CodeSymbol[]): RowRange {
    const start = this.#count;
    for (const symbol of symbols) this.#addOne(symbol);
    return { start, end: this.#count };
  }

  of({ start, end }: RowRange): CodeSymbol[] {
    const symbols: CodeSymbol[] = [];
    if (start === end) return symbols;
    const source = this.#sourceNow();
    for (let row = start; row < end; row++) symbols.push(new StoredSymbol(source, row));
    return symbols;
  }

  /** Those around one of the lines, and all classes where these are wanted. */
  around({ start, end }: RowRange, lines: readonly number[], withClasses: boolean): CodeSymbol[] {
    const symbols: CodeSymbol[] = [];
    const source = this.#sourceNow();
    const classType = withClasses ? this.#strings.find("class") : -1;
    for (let row = start; row < end; row++) {
      const at = row * COLUMNS;
      const range = {
        start: this.#rows[at + FIRST_LINE] as number,
        end: this.#rows[at + END_LINE] as number,
      };
      const isWanted = classType >= 0 && this.#rows[at + TYPE] === classType;
      if (isWanted || isAround(range, lines)) symbols.push(new StoredSymbol(source, row));
    }
    return symbols;
  }

  /** Adds rows of another one, whose signatures follow each other as its rows do, with the same table of strings. */
  copy(from: SymbolRows, { start, end }: RowRange): RowRange {
    const own = this.#count;
    if (start === end) return { start: own, end: own };
    const rows = from.#rows.subarray(start * COLUMNS, end * COLUMNS);
    const [first, last] = [rows[SIGNATURE] as number, rows.at(-1) as number];
    const moved = this.#signatureBytes - first;
    this.#makeRoom(end - start, last - first);
    from.#signatures.copy(this.#signatures, this.#signatureBytes, first, last);
    this.#signatureBytes += last - first;
    const at = own * COLUMNS;
    this.#rows.set(rows, at);
    for (let row = at; row < at + rows.length; row += COLUMNS) {
      this.#rows[row + SIGNATURE] = (this.#rows[row + SIGNATURE] as number) + moved;
      this.#rows[row + SIGNATURE_END] = (this.#rows[row + SIGNATURE_END] as number) + moved;
    }
    this.#count += end - start;
    return { start: own, end: this.#count };
  }

  #sourceNow(): Source {
    this.#source ??= {
      strings: this.#strings,
      rows: this.#rows,
      signatures: this.#signatures,
    };
    return this.#source;
  }

  #addOne({ name, type, lines, nameLine, signature }: CodeSymbol): void {
    const length = Buffer.byteLength(signature);
    this.#makeRoom(1, length);
    const start = this.#signatureBytes;
    const end = start + length;
    this.#signatures.write(signature, start);
    this.#signatureBytes = end;
    const [nameId, typeId] = [this.#strings.intern(name), this.#strings.intern(type)];
    const row = [nameId, typeId, lines.start, lines.end, nameLine, start, end];
    this.#rows.set(row, this.#count++ * COLUMNS);
  }

  /** For so many more rows and bytes of signatures. */
  #makeRoom(rows: number, bytes: number): void {
    const numbers = (this.#count + rows) * COLUMNS;
    const signatures = this.#signatureBytes + bytes;
    if (numbers > this.#rows.length) {
      this.#rows = grown(this.#rows, numbers);
      this.#source = undefined;
    }
    if (signatures > this.#signatures.length) {
      const larger = Buffer.allocUnsafeSlow(grownLength(this.#signatures.length, signatures));
      this.#signatures.copy(larger, 0, 0, this.#signatureBytes);
      this.#signatures = larger;
      this.#source = undefined;
    }
  }

  #check(): void {
    const check = (name: string, column: number, end: number) =>
      checkBounds(name, this.#rows, 0, end, { column, columns: COLUMNS });
    for (const at of [NAME, TYPE]) check("names", at, this.#strings.size);
    for (const at of [SIGNATURE, SIGNATURE_END]) check("signatures", at, this.#signatureBytes + 1);
  }
}

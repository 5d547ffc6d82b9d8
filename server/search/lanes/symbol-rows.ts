/** The definitions of chunks as rows of integers; their strings are created on first use. */

import {
  checkBounds,
  grown,
  grownBytes,
  type PackedArrays,
  takeArray,
} from "../../common/packed/packed-arrays.ts";
import type { StringTable } from "../../common/packed/string-table.ts";
import type { CodeSymbol, Lines, SymbolType } from "../../contracts/model.ts";
import { isAround } from "./definitions.ts";

/** The columns of a row. A string is its number in the string table; signatures are UTF-8 bytes, since few are equal. */
const [NAME, TYPE, FIRST_LINE, END_LINE, NAME_LINE, SIGNATURE, SIGNATURE_END] = [
  0, 1, 2, 3, 4, 5, 6,
];
const COLUMNS = 7;

/**
 * The arrays behind rows. Rows are never changed: growing or compacting creates another source, so that a definition
 * object that exists still reads the right text.
 */
interface Source {
  readonly strings: StringTable;
  readonly rows: Int32Array;
  readonly signatures: Buffer;
}

/** The rows from `start` to `end`, exclusive. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** Lazy strings: a search reads definitions of hundreds of chunks but few names; creating all took a tenth of its time. */
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

  /** JSON.stringify skips inherited getters. */
  toJSON(): CodeSymbol {
    const { name, type, signature, lines, nameLine } = this;
    return { name, type, signature, lines, nameLine };
  }

  #column(column: number): number {
    return this.#source.rows[this.#at + column] as number;
  }
}

export class SymbolRows {
  #source: Source;
  #count = 0;
  #signatureBytes = 0;

  constructor(strings: StringTable) {
    const rows = new Int32Array(COLUMNS * 8);
    this.#source = { strings, rows, signatures: Buffer.allocUnsafeSlow(256) };
  }

  /** Restores rows from the arrays of `pack`; throws DamagedArrays if they are inconsistent. */
  static unpack(arrays: PackedArrays, strings: StringTable): SymbolRows {
    const symbols = new SymbolRows(strings);
    const rows = takeArray(arrays, "symbols", Int32Array);
    const bytes = takeArray(arrays, "signatures", Uint8Array);
    const signatures = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    symbols.#source = { strings, rows, signatures };
    symbols.#count = Math.floor(rows.length / COLUMNS);
    symbols.#signatureBytes = bytes.length;
    symbols.#check();
    return symbols;
  }

  /** The arrays are valid until the next change. */
  pack(): PackedArrays {
    const { rows, signatures } = this.#source;
    const { buffer, byteOffset } = signatures;
    return new Map<string, Int32Array | Uint8Array>([
      ["symbols", rows.subarray(0, this.#count * COLUMNS)],
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
    for (let row = start; row < end; row++) symbols.push(new StoredSymbol(this.#source, row));
    return symbols;
  }

  /** The definitions around one of the lines, and with `withClasses` all classes. */
  around({ start, end }: RowRange, lines: readonly number[], withClasses: boolean): CodeSymbol[] {
    const symbols: CodeSymbol[] = [];
    const { strings, rows } = this.#source;
    const classType = withClasses ? strings.find("class") : -1;
    for (let row = start; row < end; row++) {
      const at = row * COLUMNS;
      const range = {
        start: rows[at + FIRST_LINE] as number,
        end: rows[at + END_LINE] as number,
      };
      const isWanted = classType >= 0 && rows[at + TYPE] === classType;
      if (isWanted || isAround(range, lines)) symbols.push(new StoredSymbol(this.#source, row));
    }
    return symbols;
  }

  /** Appends consecutive rows of another SymbolRows with the same string table. */
  copy(from: SymbolRows, { start, end }: RowRange): RowRange {
    const own = this.#count;
    if (start === end) return { start: own, end: own };
    const copied = from.#source.rows.subarray(start * COLUMNS, end * COLUMNS);
    const [first, last] = [copied[SIGNATURE] as number, copied.at(-1) as number];
    const moved = this.#signatureBytes - first;
    const { rows, signatures } = this.#roomFor(end - start, last - first);
    from.#source.signatures.copy(signatures, this.#signatureBytes, first, last);
    this.#signatureBytes += last - first;
    const at = own * COLUMNS;
    rows.set(copied, at);
    for (let row = at; row < at + copied.length; row += COLUMNS) {
      rows[row + SIGNATURE] = (rows[row + SIGNATURE] as number) + moved;
      rows[row + SIGNATURE_END] = (rows[row + SIGNATURE_END] as number) + moved;
    }
    this.#count += end - start;
    return { start: own, end: this.#count };
  }

  #addOne({ name, type, lines, nameLine, signature }: CodeSymbol): void {
    const length = Buffer.byteLength(signature);
    const { strings, rows, signatures } = this.#roomFor(1, length);
    const start = this.#signatureBytes;
    const end = start + length;
    signatures.write(signature, start);
    this.#signatureBytes = end;
    const [nameId, typeId] = [strings.intern(name), strings.intern(type)];
    rows.set(
      [nameId, typeId, lines.start, lines.end, nameLine, start, end],
      this.#count++ * COLUMNS,
    );
  }

  /** The arrays, grown if they lack capacity for this many more rows and signature bytes. */
  #roomFor(moreRows: number, moreBytes: number): Source {
    const { strings, rows, signatures } = this.#source;
    const numbers = (this.#count + moreRows) * COLUMNS;
    const bytes = this.#signatureBytes + moreBytes;
    if (numbers > rows.length || bytes > signatures.length) {
      this.#source = {
        strings,
        rows: numbers > rows.length ? grown(rows, numbers) : rows,
        signatures: bytes > signatures.length ? grownBytes(signatures, bytes) : signatures,
      };
    }
    return this.#source;
  }

  #check(): void {
    const { strings, rows } = this.#source;
    const check = (name: string, column: number, end: number) =>
      checkBounds(name, rows, 0, end, { column, columns: COLUMNS });
    for (const at of [NAME, TYPE]) check("names", at, strings.size);
    for (const at of [SIGNATURE, SIGNATURE_END]) check("signatures", at, this.#signatureBytes + 1);
  }
}

/** The encoded facts of all files, in the scratch file if there is one. */

import { grown } from "../../common/packed/packed-arrays.ts";
import type { Scratch } from "../../contracts/graph.ts";

/** Texts are buffered up to this size, to write them in one call. */
const MAX_UNWRITTEN_BYTES = 1 << 18;
const INITIAL_FILES = 64;

export class FactTexts {
  readonly #scratch: Scratch | undefined;
  /** By file, the offset in the scratch file. */
  #offsets = new Float64Array(INITIAL_FILES);
  /** By file, in bytes; 0 for a file without facts. */
  #lengths = new Int32Array(INITIAL_FILES);
  readonly #unwritten = new Map<number, Buffer>();
  #unwrittenBytes = 0;
  /** Grows while the scratch file is full. */
  #maxUnwrittenBytes = MAX_UNWRITTEN_BYTES;

  constructor(scratch: Scratch | undefined) {
    this.#scratch = scratch;
  }

  /** In bytes; 0 for a file without facts. */
  lengthOf(file: number): number {
    return this.#lengths[file] ?? 0;
  }

  get(file: number): Buffer {
    const unwritten = this.#unwritten.get(file);
    if (unwritten !== undefined) return unwritten;
    const length = this.lengthOf(file);
    if (length === 0 || this.#scratch === undefined) return Buffer.alloc(0);
    const offset = this.#offsets[file] ?? 0;
    return Buffer.from(this.#scratch.get({ offset, length }).buffer);
  }

  /** `text` is empty for a file without facts. */
  set(file: number, text: string): void {
    this.#remove(file);
    if (text === "") return;
    const bytes = Buffer.from(text);
    if (file >= this.#lengths.length) {
      this.#lengths = grown(this.#lengths, file + 1);
      this.#offsets = grown(this.#offsets, file + 1);
    }
    this.#lengths[file] = bytes.length;
    this.#unwritten.set(file, bytes);
    this.#unwrittenBytes += bytes.length;
    if (this.#unwrittenBytes > this.#maxUnwrittenBytes) this.write();
  }

  #remove(file: number): void {
    const length = this.lengthOf(file);
    if (length === 0) return;
    this.#lengths[file] = 0;
    if (this.#unwritten.delete(file)) this.#unwrittenBytes -= length;
    else this.#scratch?.remove({ offset: this.#offsets[file] ?? 0, length });
  }

  /** Writes buffered texts to the scratch file, unless it is full. */
  write(): void {
    if (this.#unwritten.size === 0) return;
    const place = this.#scratch?.put(Buffer.concat([...this.#unwritten.values()]));
    if (place === undefined) {
      this.#maxUnwrittenBytes = this.#unwrittenBytes * 2;
      return;
    }
    let { offset } = place;
    for (const [file, { length }] of this.#unwritten) {
      this.#offsets[file] = offset;
      offset += length;
    }
    this.#unwritten.clear();
    this.#unwrittenBytes = 0;
    this.#maxUnwrittenBytes = MAX_UNWRITTEN_BYTES;
  }
}

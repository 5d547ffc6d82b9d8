/** The facts of all files: decoded while they are in use, and as compressed text at other times. */

import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { decodeFacts, encodeFacts, type FileFacts } from "../contracts/facts.ts";
import { PackedLists } from "./packed-lists.ts";

/** A third smaller than the fastest, and packed in 60 ms per MB. */
const LEVEL = constants.Z_DEFAULT_COMPRESSION;

export class HeldFacts {
  /** Undefined for a file that has none, or whose are packed. */
  readonly #decoded: (FileFacts | undefined)[] = [];
  /** Empty for a file that has none, or whose are not packed yet. */
  readonly #packed = new PackedLists((length) => new Uint8Array(length));

  get(file: number): FileFacts | undefined {
    const known = this.#decoded[file];
    if (known !== undefined || this.#packed.lengthOf(file) === 0) return known;
    const decoded = decodeFacts(this.#text(file));
    this.#decoded[file] = decoded;
    return decoded;
  }

  set(file: number, facts: FileFacts | undefined): void {
    this.#decoded[file] = facts;
    this.#packed.set(file, []);
  }

  /** Whether a text is in the facts of a file; false says that it is not, true that it may be. */
  mayHold(file: number, text: string): boolean {
    if (this.#decoded[file] !== undefined) return true;
    return this.#packed.lengthOf(file) > 0 && this.#text(file).includes(JSON.stringify(text));
  }

  /** Packs the facts of a file, which are decoded again when somebody asks for them. */
  pack(file: number): void {
    const facts = this.#decoded[file];
    if (facts === undefined) return;
    if (this.#packed.lengthOf(file) === 0)
      this.#packed.set(file, deflateRawSync(encodeFacts(facts), { level: LEVEL }));
    this.#decoded[file] = undefined;
  }

  trim(): void {
    this.#packed.trim();
  }

  #text(file: number): string {
    return inflateRawSync(this.#packed.get(file)).toString("utf8");
  }
}

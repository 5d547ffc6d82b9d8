/** The facts of all files as text; recently used ones are decoded, too. */

import { decodeFacts } from "../../contracts/encoded-facts.ts";
import type { FileFacts } from "../../contracts/facts.ts";
import { DefinitionTree } from "./definition-tree.ts";

/** The encoded size of all decoded facts; decoded facts take six times as much memory. */
const MAX_DECODED_BYTES = 8_000_000;

const NO_NAMES = new DefinitionTree(undefined);

interface Decoded {
  readonly facts: FileFacts;
  names: DefinitionTree | undefined;
  /** Whether the facts were read since the clock hand last passed them. */
  isUsed: boolean;
}

export class FactsCache {
  /** The encoded facts of each file that has some. */
  readonly #texts = new Map<number, Buffer>();
  readonly #maxDecodedBytes: number;
  readonly #decoded: (Decoded | undefined)[] = [];
  /** The decoded files, in the order of the clock algorithm (second chance). */
  #clock: number[] = [];
  #decodedBytes = 0;

  constructor(maxDecodedBytes = MAX_DECODED_BYTES) {
    this.#maxDecodedBytes = maxDecodedBytes;
  }

  get(file: number): FileFacts | undefined {
    return this.#find(file)?.facts;
  }

  names(file: number): DefinitionTree {
    const found = this.#find(file);
    if (found === undefined) return NO_NAMES;
    found.names ??= new DefinitionTree(found.facts);
    return found.names;
  }

  /** Whether the facts of a file may contain a text; never false if they do. */
  mayContain(file: number, text: string): boolean {
    if (this.#decoded[file] !== undefined) return true;
    return this.#texts.get(file)?.includes(JSON.stringify(text)) === true;
  }

  /** `encoded` are the same facts as text. */
  set(file: number, facts: FileFacts | undefined, encoded: string): void {
    this.#drop(file);
    this.#texts.delete(file);
    if (facts === undefined) return;
    this.#texts.set(file, Buffer.from(encoded));
    this.#insert(file, facts);
  }

  /** Drops all decoded facts. */
  release(): void {
    for (const file of this.#clock) this.#decoded[file] = undefined;
    this.#clock = [];
    this.#decodedBytes = 0;
  }

  #find(file: number): Decoded | undefined {
    const known = this.#decoded[file];
    if (known !== undefined) {
      known.isUsed = true;
      return known;
    }
    const text = this.#texts.get(file);
    if (text === undefined) return undefined;
    const facts = decodeFacts(text.toString());
    return facts === undefined ? undefined : this.#insert(file, facts);
  }

  #insert(file: number, facts: FileFacts): Decoded {
    const decoded = { facts, names: undefined, isUsed: false };
    this.#decoded[file] = decoded;
    this.#decodedBytes += this.#bytesOf(file);
    this.#clock.push(file);
    if (this.#decodedBytes > this.#maxDecodedBytes) this.#evict();
    return decoded;
  }

  /** Evicts the least recently used facts, until a quarter of the limit is free. */
  #evict(): void {
    const clock = this.#clock;
    let at = 0;
    for (; at < clock.length && this.#decodedBytes > this.#maxDecodedBytes * 0.75; at++) {
      const file = clock[at] ?? -1;
      const decoded = this.#decoded[file];
      if (decoded?.isUsed !== true) {
        this.#drop(file);
      } else {
        decoded.isUsed = false;
        clock.push(file);
      }
    }
    this.#clock = clock.slice(at);
  }

  #drop(file: number): void {
    if (this.#decoded[file] === undefined) return;
    this.#decoded[file] = undefined;
    this.#decodedBytes -= this.#bytesOf(file);
  }

  #bytesOf(file: number): number {
    return this.#texts.get(file)?.length ?? 0;
  }
}

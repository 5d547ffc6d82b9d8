/** The facts of all files: those in use are decoded, the others are text, which need not be in memory. */

import { decodeFacts } from "../../contracts/encoded-facts.ts";
import type { FileFacts } from "../../contracts/facts.ts";
import type { Scratch } from "../../contracts/graph.ts";
import { DefinitionTree } from "./definition-tree.ts";
import { FactTexts } from "./fact-texts.ts";

/** Of the texts of what is decoded; decoded they take six times as much memory. */
const MAX_DECODED_BYTES = 8_000_000;

const NO_NAMES = new DefinitionTree(undefined);

interface Decoded {
  readonly facts: FileFacts;
  names: DefinitionTree | undefined;
  /** Whether somebody has asked for them since it was their turn to be forgotten. */
  isUsed: boolean;
}

export class FactsCache {
  readonly #texts: FactTexts;
  readonly #maxDecodedBytes: number;
  readonly #decoded: (Decoded | undefined)[] = [];
  /** The files that are decoded, in the order in which it is their turn to be forgotten. */
  #turns: number[] = [];
  #decodedBytes = 0;

  constructor(scratch?: Scratch, maxDecodedBytes = MAX_DECODED_BYTES) {
    this.#texts = new FactTexts(scratch);
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

  /** Whether a text is in the facts of a file; false says that it is not, true that it may be. */
  mayHold(file: number, text: string): boolean {
    if (this.#decoded[file] !== undefined) return true;
    return this.#texts.get(file).includes(JSON.stringify(text));
  }

  /** `encoded` is the same as text. */
  set(file: number, facts: FileFacts | undefined, encoded: string): void {
    this.#forget(file);
    this.#texts.set(file, facts === undefined ? "" : encoded);
    if (facts !== undefined) this.#remember(file, facts);
  }

  /** Forgets what is decoded; it is decoded again where somebody asks for it. */
  release(): void {
    for (const file of this.#turns) this.#decoded[file] = undefined;
    this.#turns = [];
    this.#decodedBytes = 0;
    this.#texts.write();
  }

  #find(file: number): Decoded | undefined {
    const known = this.#decoded[file];
    if (known !== undefined) {
      known.isUsed = true;
      return known;
    }
    if (this.#texts.lengthOf(file) === 0) return undefined;
    const facts = decodeFacts(this.#texts.get(file).toString());
    return facts === undefined ? undefined : this.#remember(file, facts);
  }

  #remember(file: number, facts: FileFacts): Decoded {
    const decoded = { facts, names: undefined, isUsed: false };
    this.#decoded[file] = decoded;
    this.#decodedBytes += this.#texts.lengthOf(file);
    this.#turns.push(file);
    if (this.#decodedBytes > this.#maxDecodedBytes) this.#makeRoom();
    return decoded;
  }

  /** Forgets what was not used for longest, until a quarter of the room is free. */
  #makeRoom(): void {
    const turns = this.#turns;
    let at = 0;
    for (; at < turns.length && this.#decodedBytes > this.#maxDecodedBytes * 0.75; at++) {
      const file = turns[at] ?? -1;
      const decoded = this.#decoded[file];
      if (decoded?.isUsed !== true) {
        this.#forget(file);
      } else {
        decoded.isUsed = false;
        turns.push(file);
      }
    }
    this.#turns = turns.slice(at);
  }

  #forget(file: number): void {
    if (this.#decoded[file] === undefined) return;
    this.#decoded[file] = undefined;
    this.#decodedBytes -= this.#texts.lengthOf(file);
  }
}

/** Decides which slots of the lanes in memory a filter allows. */

import { getOrCreate } from "../../common/get-or-create.ts";
import type { NumberLists } from "../../common/packed/number-lists.ts";
import { inSlices } from "../../common/slices.ts";
import { createWorkCounter } from "../../common/work-counter.ts";
import type { Filter } from "../../contracts/lanes.ts";
import { passesSymbols } from "../query/filter.ts";
import type { ChunkTable } from "./chunk-table.ts";

/** Chunks and paths that are looked at in one step. */
const AT_ONCE = 2000;

export class AllowedSlots {
  readonly #chunks: ChunkTable;
  readonly #byPath: NumberLists;
  /** By filter, while the index stays as it is. */
  #known = new WeakMap<Filter, Promise<Uint8Array>>();

  /** `byPath` has the slots of each path of the table. */
  constructor(chunks: ChunkTable, byPath: NumberLists) {
    this.#chunks = chunks;
    this.#byPath = byPath;
  }

  /** Returns a byte per slot: 1 if the filter allows the slot. */
  of(filter: Filter): Promise<Uint8Array> {
    // Without a signal: the first request may be cancelled while others wait for the same.
    return getOrCreate(this.#known, filter, () => inSlices(this.#find(filter)));
  }

  /** When chunks were added, removed, or renumbered. */
  forget(): void {
    this.#known = new WeakMap();
  }

  *#find(filter: Filter): Generator<void, Uint8Array> {
    const isStep = createWorkCounter(AT_ONCE);
    const allowed = new Uint8Array(this.#chunks.size);
    const { languages, matchesPath } = filter;
    for (let path = 0; path < this.#byPath.size; path++) {
      const count = this.#byPath.count(path);
      if (isStep(count + 1)) yield;
      if (count === 0) continue;
      if (matchesPath !== undefined && !matchesPath(this.#chunks.path(path))) continue;
      for (const slot of this.#byPath.get(path)) {
        if (languages !== undefined && !languages.has(this.#chunks.languageOf(slot))) continue;
        if (this.#passesSymbols(filter, slot)) allowed[slot] = 1;
      }
    }
    return allowed;
  }

  #passesSymbols(filter: Filter, slot: number): boolean {
    if (filter.symbolTypes === undefined && filter.matchesName === undefined) return true;
    return passesSymbols(filter, { symbols: this.#chunks.symbolsOf(slot) });
  }
}

/** Tracks the local names of functions: parameters and assigned variables. */

import { getOrCreate } from "../../common/get-or-create.ts";
import type { DefinitionFact } from "../../contracts/facts.ts";

export class Locals {
  readonly #definitions: readonly DefinitionFact[];
  /** By the index of the enclosing definition; -1 for the file. */
  readonly #names = new Map<number, Set<string>>();
  /** The number of definitions read so far; they are read on demand. */
  #read = 0;

  /** @param definitions the definitions of the file; the array grows during extraction */
  constructor(definitions: readonly DefinitionFact[]) {
    this.#definitions = definitions;
  }

  /** A block sees the names of enclosing scopes; a named function sees only its own. */
  has(enclosing: number, name: string): boolean {
    this.#readOn();
    for (let at = enclosing; at >= 0; ) {
      if (this.#names.get(at)?.has(name) === true) return true;
      const definition = this.#definitions[at];
      if (definition?.kind !== "function" || definition.name !== "") return false;
      at = definition.parent;
    }
    return this.#names.get(-1)?.has(name) === true;
  }

  #readOn(): void {
    for (; this.#read < this.#definitions.length; this.#read++) {
      const { kind, parent, name } = this.#definitions[this.#read] as DefinitionFact;
      if (kind !== "variable") continue;
      getOrCreate(this.#names, parent, () => new Set()).add(name);
    }
  }
}

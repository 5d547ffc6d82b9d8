/** Names that have a value in a function: parameters, and what was assigned before. */

import type { DefinitionFact } from "../../contracts/facts.ts";

export class Locals {
  readonly #definitions: readonly DefinitionFact[];
  /** By the place of the definition around; -1 for the file. */
  readonly #names = new Map<number, Set<string>>();

  /** @param definitions those of the file, as they are found. */
  constructor(definitions: readonly DefinitionFact[]) {
    this.#definitions = definitions;
  }

  add(around: number, name: string): void {
    const known = this.#names.get(around);
    if (known === undefined) this.#names.set(around, new Set([name]));
    else known.add(name);
  }

  /** A block sees the names around it, a function with a name only its own. */
  has(around: number, name: string): boolean {
    for (let at = around; at >= 0; ) {
      if (this.#names.get(at)?.has(name) === true) return true;
      const definition = this.#definitions[at];
      if (definition?.kind !== "function" || definition.name !== "") return false;
      at = definition.parent;
    }
    return this.#names.get(-1)?.has(name) === true;
  }
}

/** What is open at a place of a file: definitions, and the loops, conditions and try blocks in them. */

import { CALL_CONTEXT, type DefinitionFact } from "../../contracts/facts.ts";
import { calledName } from "./split-names.ts";

interface Open {
  readonly end: number;
  /** Undefined for a loop, condition or try block. */
  readonly definition: number | undefined;
  readonly context: number;
}

export class OpenBlocks {
  readonly #definitions: readonly DefinitionFact[];
  readonly #open: Open[] = [];

  /** @param definitions those of the file, as they are found. */
  constructor(definitions: readonly DefinitionFact[]) {
    this.#definitions = definitions;
  }

  push(open: Open): void {
    this.#open.push(open);
  }

  /** Closes what ends before a place. */
  closeBefore(start: number): void {
    while (this.#open.length > 0 && (this.#open.at(-1)?.end ?? 0) <= start) this.#open.pop();
  }

  get last(): Open | undefined {
    return this.#open.at(-1);
  }

  /** The number of the definition around; -1 at the top of the file. */
  get parent(): number {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const definition = this.#open[i]?.definition;
      if (definition !== undefined) return definition;
    }
    return -1;
  }

  /** Of a call; a loop around the function does not count. */
  contextOf(chain: string): number {
    let context = 0;
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const { definition, context: own } = this.#open[i] ?? { definition: -1, context: 0 };
      if (definition === undefined) {
        context |= own;
        continue;
      }
      const around = this.#definitions[definition];
      const isOwn = around?.name !== "" && around?.kind === "function";
      if (isOwn && calledName(chain) === around.name) context |= CALL_CONTEXT.recursive;
      break;
    }
    return context;
  }
}

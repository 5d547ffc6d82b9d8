/** A stack of the open definitions, loops, conditions and try blocks at an offset. */

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

  /** @param definitions the definitions of the file; the array grows during extraction */
  constructor(definitions: readonly DefinitionFact[]) {
    this.#definitions = definitions;
  }

  push(open: Open): void {
    this.#open.push(open);
  }

  /** Pops the blocks that end before an offset. */
  closeBefore(start: number): void {
    while (this.#open.length > 0 && (this.#open.at(-1)?.end ?? 0) <= start) this.#open.pop();
  }

  get last(): Open | undefined {
    return this.#open.at(-1);
  }

  /** The index of the enclosing definition; -1 at the top of the file. */
  get parent(): number {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const definition = this.#open[i]?.definition;
      if (definition !== undefined) return definition;
    }
    return -1;
  }

  /** The context flags of a call; loops outside the function do not count. */
  contextOf(chain: string): number {
    let context = 0;
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const { definition, context: own } = this.#open[i] ?? { definition: -1, context: 0 };
      if (definition === undefined) {
        context |= own;
        continue;
      }
      const enclosing = this.#definitions[definition];
      const isOwn = enclosing?.name !== "" && enclosing?.kind === "function";
      if (isOwn && calledName(chain) === enclosing.name) context |= CALL_CONTEXT.recursive;
      break;
    }
    return context;
  }
}

/** Adds facts of macros that the grammar does not see: their calls, and the owners of the functions that they define. */

import { lineAt } from "../../common/text.ts";
import type { CallFact, FileFacts } from "../../contracts/facts.ts";

export interface MacroCall {
  readonly name: string;
  readonly at: number;
}

/** A function whose name is an argument of a macro. */
export interface MadeFunction {
  readonly macro: string;
  readonly name: string;
  readonly at: number;
}

export function withMacros(
  facts: FileFacts,
  { calls, made }: { readonly calls: readonly MacroCall[]; readonly made: readonly MadeFunction[] },
  starts: readonly number[],
): FileFacts {
  return withOwners(withCalls(facts, calls, starts), made, starts);
}

/** The macro gives the function another linker name, so `open()` does not call it. */
function withOwners(
  facts: FileFacts,
  made: readonly MadeFunction[],
  starts: readonly number[],
): FileFacts {
  if (made.length === 0) return facts;
  const macros = new Map(
    made.map(({ macro, name, at }) => [`${lineAt(starts, at)} ${name}`, macro]),
  );
  const definitions = facts.definitions.map((one) => {
    const owner = one.kind === "function" ? macros.get(`${one.line} ${one.name}`) : undefined;
    return owner === undefined ? one : { ...one, owner };
  });
  return { ...facts, definitions };
}

/** Merges calls in source order. */
function withCalls(
  facts: FileFacts,
  calls: readonly MacroCall[],
  starts: readonly number[],
): FileFacts {
  if (calls.length === 0) return facts;
  const added = calls.map(({ name, at }): CallFact => {
    const line = lineAt(starts, at);
    const column = at - (starts[line] ?? 0);
    return { chain: name, line, column, scope: -1, context: 0, labels: "" };
  });
  const all = [...facts.calls, ...added];
  return { ...facts, calls: all.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

/** Calls of macros that the grammar does not see, as facts of their file. */

import { lineAt } from "../../common/text.ts";
import type { CallFact, FileFacts } from "../../contracts/facts.ts";

export interface MacroCall {
  readonly name: string;
  readonly at: number;
}

/** With the calls beside those that were found, in source order. */
export function withMacroCalls(
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

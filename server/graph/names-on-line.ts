/** Where a line names something, and which of these places is that of a definition: facts of definitions have no column. */

import type { FileFacts } from "../contracts/facts.ts";
import { lastNameOf } from "./chain.ts";

const WORD = /[\p{L}\p{N}_$]/u;
/** Languages in which a type comes before the name of what has it. */
const TYPE_FIRST: ReadonlySet<string> = new Set(["c", "cpp", "csharp", "java"]);
/** Behind the name of the type that a member is defined for: `Pool::Pool`. */
const QUALIFIES = /^\s*(?:\.|::?|->)\s*$/;

/** Where a line has a name as a whole word. */
export function columnsOf(text: string, name: string): number[] {
  const columns: number[] = [];
  if (name === "") return columns;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWhole = !WORD.test(text[at - 1] ?? " ") && !WORD.test(text[at + name.length] ?? " ");
    if (isWhole) columns.push(at);
  }
  return columns;
}

/** A definition by its place in the facts, and where its name begins. */
interface NamedAt {
  readonly index: number;
  readonly column: number;
}

/** The definitions of a name on a line, each with its column where there are enough of them: `text` is the line. */
export function definitionsOnLine(
  facts: FileFacts,
  { line, text, name }: { readonly line: number; readonly text: string; readonly name: string },
): readonly NamedAt[] {
  const found: NamedAt[] = [];
  let free: readonly number[] | undefined;
  let skipped = 0;
  for (const [index, one] of facts.definitions.entries()) {
    if (one.line !== line || one.name !== name || one.kind === "return") continue;
    free ??= freeColumns(facts, { line, text, name });
    if (TYPE_FIRST.has(facts.language)) skipped += columnsOf(one.type, name).length;
    const last = free.length - 1;
    const column = free[Math.min(found.length + skipped, last)] ?? -1;
    found.push({ index, column });
  }
  return found;
}

/** Without those of calls, and of types before their members. */
function freeColumns(
  { calls }: FileFacts,
  { line, text, name }: { readonly line: number; readonly text: string; readonly name: string },
): readonly number[] {
  const all = columnsOf(text, name);
  const called = new Set(
    calls.flatMap((call) =>
      call.line === line && lastNameOf(call.chain) === name ? [call.column] : [],
    ),
  );
  const free = all.filter(
    (column, i) =>
      !called.has(column) && !QUALIFIES.test(text.slice(column + name.length, all[i + 1] ?? 0)),
  );
  // What a macro makes is called and defined at once.
  return free.length > 0 ? free : all;
}

/** Where a line names something, and which of these places is that of a definition: facts of definitions have no column. */

import type { FileFacts } from "../../contracts/facts.ts";
import { lastNameOf } from "../resolve/chain.ts";

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

/** A line of a file, and a name that is looked for on it. */
interface NameOnLine {
  readonly line: number;
  readonly text: string;
  readonly name: string;
}

/** A definition by its place in the facts, and where its name begins. */
interface NamedAt {
  readonly index: number;
  readonly column: number;
}

/** The definitions of a name on a line, in the order of the facts; the column is -1 where the line does not have the name. */
export function definitionsOnLine(facts: FileFacts, place: NameOnLine): readonly NamedAt[] {
  const { line, name } = place;
  const found: NamedAt[] = [];
  let free: readonly number[] | undefined;
  let types = 0;
  for (const [index, one] of facts.definitions.entries()) {
    if (one.line !== line || one.name !== name || one.kind === "return") continue;
    free ??= freeColumns(facts, place);
    if (TYPE_FIRST.has(facts.language)) types += columnsOf(one.type, name).length;
    const nth = Math.min(found.length + types, free.length - 1);
    found.push({ index, column: free[nth] ?? -1 });
  }
  return found;
}

/** Without those of calls, and of types before their members. */
function freeColumns(facts: FileFacts, place: NameOnLine): readonly number[] {
  const { text, name } = place;
  const all = columnsOf(text, name);
  const called = calledColumns(facts, place);
  const free = all.filter(
    (column, i) =>
      !called.has(column) && !QUALIFIES.test(text.slice(column + name.length, all[i + 1] ?? 0)),
  );
  // What a macro makes is called and defined at once.
  return free.length > 0 ? free : all;
}

function calledColumns({ calls }: FileFacts, { line, name }: NameOnLine): ReadonlySet<number> {
  const onLine = calls.filter((call) => call.line === line && lastNameOf(call.chain) === name);
  return new Set(onLine.map(({ column }) => column));
}

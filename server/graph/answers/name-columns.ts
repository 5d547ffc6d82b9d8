/** Columns of a name on a line. Facts of definitions have no column, so that it is found in the text of the line. */

import type { FileFacts } from "../../contracts/facts.ts";
import type { Project } from "../project/project.ts";
import { lastNameOf } from "../resolve/chain.ts";

const WORD = /[\p{L}\p{N}_$]/u;
/** Between the name of a type and its member: `Pool::Pool`. */
const QUALIFIES = /^\s*(?:\.|::?|->)\s*$/;

/** The columns of a name as a whole word. */
export function columnsOf(text: string, name: string): number[] {
  const columns: number[] = [];
  if (name === "") return columns;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWhole = !WORD.test(text[at - 1] ?? " ") && !WORD.test(text[at + name.length] ?? " ");
    if (isWhole) columns.push(at);
  }
  return columns;
}

/** A name on a line of a file. */
interface NameOnLine {
  readonly line: number;
  readonly text: string;
  readonly name: string;
}

/** A definition by its index in the facts, with the column of its name. */
interface NamedAt {
  readonly index: number;
  readonly column: number;
}

/** The definitions of a name on a line, in the order of the facts; the column is -1 if the line does not contain the name. */
export function definitionsOnLine(
  project: Project,
  file: number,
  place: NameOnLine,
): readonly NamedAt[] {
  const facts = project.facts(file);
  if (facts === undefined) return [];
  const { writesTypeFirst } = project.traits(file);
  const { line, name } = place;
  const found: NamedAt[] = [];
  let free: readonly number[] | undefined;
  let types = 0;
  for (const [index, one] of facts.definitions.entries()) {
    if (one.line !== line || one.name !== name || one.kind === "return") continue;
    free ??= freeColumns(facts, place);
    if (writesTypeFirst) types += columnsOf(one.type, name).length;
    const nth = Math.min(found.length + types, free.length - 1);
    found.push({ index, column: free[nth] ?? -1 });
  }
  return found;
}

/** Columns of the name, except in calls and before `::` or `.`. */
function freeColumns(facts: FileFacts, place: NameOnLine): readonly number[] {
  const { text, name } = place;
  const all = columnsOf(text, name);
  const called = calledColumns(facts, place);
  const free = all.filter(
    (column, i) =>
      !called.has(column) && !QUALIFIES.test(text.slice(column + name.length, all[i + 1] ?? 0)),
  );
  // The argument of a macro can be both a call and a definition.
  return free.length > 0 ? free : all;
}

function calledColumns({ calls }: FileFacts, { line, name }: NameOnLine): ReadonlySet<number> {
  const onLine = calls.filter((call) => call.line === line && lastNameOf(call.chain) === name);
  return new Set(onLine.map(({ column }) => column));
}

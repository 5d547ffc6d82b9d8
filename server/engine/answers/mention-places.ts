/** Where the mentions of a definition are in the lines of a file; of imports and types, the graph knows only the line. */

import type { NamePlace } from "../../contracts/navigation.ts";
import type { FileMentions, ImportMention, TypeMention } from "../../graph/answers/mentions.ts";
import { columnsOf, typeColumns } from "../../graph/answers/name-columns.ts";
import {
  type Located,
  linesFrom,
  MAX_STATEMENT_LINES,
  placeOfText,
  placeOn,
} from "./name-places.ts";

/** Imports, then types and calls. */
export async function mentionPlaces(
  located: Located,
  { file, imports, types, calls }: FileMentions,
): Promise<NamePlace[]> {
  const found: NamePlace[] = [];
  for (const one of imports) found.push(...(await importPlace(located, file, one)));
  found.push(...(await typePlaces(located, file, types)));
  for (const { line, name, column } of calls)
    found.push(...(await placeOfText(located, file, line, name, column)));
  return found;
}

const OPENS = /[({]/g;
const CLOSES = /[)}]/g;

/** The name in the module where the statement has it, else the one in the file. */
async function importPlace(
  located: Located,
  file: number,
  { line, module, names }: ImportMention,
): Promise<NamePlace[]> {
  const lines = await linesFrom(located, file, line, MAX_STATEMENT_LINES);
  const statement = lines.slice(0, statementLength(lines.map(({ text }) => text)));
  for (const name of names) {
    // A path of Java or Rust ends with the name.
    const isPath = [".", ":"].some((sign) => module.endsWith(`${sign}${name}`));
    const columnsIn = [importColumn, ...(isPath ? [lastColumn] : [])];
    for (const columnIn of columnsIn) {
      for (const each of statement) {
        const column = columnIn(each.text, name, module);
        if (column !== undefined) return placeOn(located, file, each, { column, name });
      }
    }
  }
  return [];
}

function lastColumn(text: string, name: string): number | undefined {
  return columnsOf(text, name).at(-1);
}

/** Lines until the brackets are closed; a line may also end in a sign that the next one belongs to it. */
function statementLength(lines: readonly string[]): number {
  let open = 0;
  const end = lines.findIndex((text) => {
    open += (text.match(OPENS)?.length ?? 0) - (text.match(CLOSES)?.length ?? 0);
    return open <= 0 && !/[\\,]\s*$/.test(text);
  });
  return end < 0 ? lines.length : end + 1;
}

/** Not in the module: `from pkg.app import app`. */
function importColumn(text: string, name: string, module: string): number | undefined {
  const quoted = ['"', "'"].map((quote) => text.indexOf(`${quote}${module}${quote}`) + 1);
  const start = Math.max(...quoted) || text.indexOf(module);
  const isInModule = (column: number) => start <= column && column < start + module.length;
  return columnsOf(text, name).find((column) => start < 0 || !isInModule(column));
}

/** One after the other: of several types on a line, each has a place of its own. */
async function typePlaces(
  located: Located,
  file: number,
  types: readonly TypeMention[],
): Promise<NamePlace[]> {
  const taken = new Set<string>();
  const isVariable = ({ of }: TypeMention) =>
    located.graph.project.definition({ file, index: of })?.kind === "variable";
  // What a function returns is written behind its parameters, or is found first as well.
  const ordered = types.toSorted((a, b) => Number(isVariable(b)) - Number(isVariable(a)));
  const found: NamePlace[] = [];
  for (const type of ordered) found.push(...(await typePlace(located, file, type, taken)));
  return found.toSorted((a, b) => a.line - b.line || a.lead.length - b.lead.length);
}

/** On the line that has the definition's name, or on one of those behind it; none where it was taken before. */
async function typePlace(
  located: Located,
  file: number,
  { line, name, of }: TypeMention,
  taken: Set<string>,
): Promise<NamePlace[]> {
  const { project } = located.graph;
  const facts = project.facts(file);
  const own = project.definition({ file, index: of });
  if (facts === undefined || own === undefined) return [];
  const lines = await linesFrom(located, file, line, MAX_STATEMENT_LINES);
  const start = lines.findIndex(({ text }) => columnsOf(text, own.name).length > 0);
  for (const each of lines.slice(Math.max(0, start))) {
    const columns = typeColumns(facts, { ...each, name });
    const column = columns.find((one) => !taken.has(`${each.line}:${one}`));
    if (column !== undefined) {
      taken.add(`${each.line}:${column}`);
      return placeOn(located, file, each, { column, name });
    }
    // `a, b Pool` of Go are of one type.
    if (columns.length > 0 && own.kind === "variable") return [];
  }
  return [];
}

/** Finds the columns of mentions of a definition. The graph knows only the lines of imports and types. */

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

/** Imports first, then types and calls. */
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

/** The name in the module path if the statement has it there, else the imported name. */
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

/** Number of lines until all brackets are closed; a trailing operator also continues the statement. */
function statementLength(lines: readonly string[]): number {
  let open = 0;
  const end = lines.findIndex((text) => {
    open += (text.match(OPENS)?.length ?? 0) - (text.match(CLOSES)?.length ?? 0);
    return open <= 0 && !/[\\,]\s*$/.test(text);
  });
  return end < 0 ? lines.length : end + 1;
}

/** Skips the module path: `from pkg.app import app`. */
function importColumn(text: string, name: string, module: string): number | undefined {
  const quoted = ['"', "'"].map((quote) => text.indexOf(`${quote}${module}${quote}`) + 1);
  const start = Math.max(...quoted) || text.indexOf(module);
  const isInModule = (column: number) => start <= column && column < start + module.length;
  return columnsOf(text, name).find((column) => start < 0 || !isInModule(column));
}

/** Sequential, so that several types on one line get different columns. */
async function typePlaces(
  located: Located,
  file: number,
  types: readonly TypeMention[],
): Promise<NamePlace[]> {
  const taken = new Set<string>();
  const isVariable = ({ of }: TypeMention) =>
    located.graph.project.definition({ file, index: of })?.kind === "variable";
  // A return type follows the parameters; otherwise the first match is right, too.
  const ordered = types.toSorted((a, b) => Number(isVariable(b)) - Number(isVariable(a)));
  const found: NamePlace[] = [];
  for (const type of ordered) found.push(...(await typePlace(located, file, type, taken)));
  return found.toSorted((a, b) => a.line - b.line || a.lead.length - b.lead.length);
}

/** On the line of the definition's name or one of the lines after it; none if every match is taken. */
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
    // In Go, `a, b Pool` declares both with one type.
    if (columns.length > 0 && own.kind === "variable") return [];
  }
  return [];
}

/** Where the mentions of a definition are in the lines of a file; of imports and types, the graph knows only the line. */

import type { NamePlace } from "../contracts/navigation.ts";
import type { Mentions, TypeMention } from "../graph/mentions.ts";
import { columnsOf, typeColumns } from "../graph/names-on-line.ts";
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
  { file, imports, types, calls }: Mentions,
): Promise<NamePlace[]> {
  const found: NamePlace[] = [];
  for (const { line, name } of imports)
    found.push(...(await placeOfText(located, file, line, name)));
  found.push(...(await typePlaces(located, file, types)));
  for (const { line, name, column } of calls)
    found.push(...(await placeOfText(located, file, line, name, column)));
  return found;
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

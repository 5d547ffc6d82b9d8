/** Finds the columns of names in files: of definitions, and of names that the graph knows only by line. */

import type { NamePlace } from "../../contracts/navigation.ts";
import { columnsOf, definitionsOnLine } from "../../graph/answers/name-columns.ts";
import type { Graph } from "../../graph/graph.ts";
import type { DefinitionRef } from "../../graph/project/project.ts";
import { leadInFile } from "../../indexing/notebooks/file-lead.ts";
import { isNotebook } from "../../indexing/notebooks/notebook.ts";
import type { Folder } from "./folder.ts";
import { pathsIn } from "./folder-graph.ts";
import type { LineReader } from "./hit-text.ts";

/** The opened folders, and access to the lines of their files. */
export interface NavigationContext {
  readonly folders: readonly Folder[];
  readonly lines: LineReader;
  /** Unsaved text by absolute path. */
  buffer(path: string): string | undefined;
}

/** An import statement may be as long as this. */
const MAX_STATEMENT_LINES = 30;

/** One file of one folder, with everything needed to compute its places. */
export interface Located {
  readonly context: NavigationContext;
  readonly folder: Folder;
  readonly graph: Graph;
  readonly file: number;
}

/** The places of definitions; definitions outside the folder are dropped. */
export async function places(
  located: Located,
  refs: readonly DefinitionRef[],
): Promise<NamePlace[]> {
  const { project } = located.graph;
  const found = refs.map(async ({ file, index }) => {
    const definition = project.definition({ file, index });
    if (definition === undefined) return await placeOfText(located, file, 0, "");
    const { line, name } = definition;
    const text = await readLine(located, file, line);
    const own = definitionsOnLine(project, file, { line, text, name }).find(
      (one) => one.index === index,
    );
    return await placeOfText(located, file, line, name, own?.column);
  });
  return (await Promise.all(found)).flat();
}

/** The place of a text on its line or, for a multi-line statement, on a later line. */
export async function placeOfText(
  located: Located,
  file: number,
  line: number,
  text: string,
  column?: number,
): Promise<NamePlace[]> {
  const lines = await linesFrom(located, file, line, MAX_STATEMENT_LINES);
  const [own] = lines;
  if (own !== undefined && column !== undefined && own.text.startsWith(text, column))
    return placeOn(located, file, own, { column, name: text });
  for (const each of lines) {
    const [first] = columnsOf(each.text, text);
    if (first !== undefined) return placeOn(located, file, each, { column: first, name: text });
  }
  return placeOn(located, file, { line, text: "" }, { column: 0, name: "" });
}

interface Line {
  readonly line: number;
  readonly text: string;
}

/** None in a file outside of the folder. */
async function placeOn(
  { context, folder, graph }: Located,
  file: number,
  { line, text }: Line,
  { column, name }: { readonly column: number; readonly name: string },
): Promise<NamePlace[]> {
  const path = pathsIn(folder)(graph.project.path(file));
  if (path === undefined) return [];
  const { root } = folder;
  const lead = text.slice(0, column);
  const written = isNotebook(path)
    ? (await context.lines.readUnmasked(root, path, context.buffer))?.[line]
    : undefined;
  const inFile = written === undefined ? undefined : leadInFile(written, lead);
  return [{ root, path, line, lead: inFile ?? lead, name }];
}

export async function readLine(located: Located, file: number, line: number): Promise<string> {
  const [first] = await linesFrom(located, file, line, 1);
  return first?.text ?? "";
}

/** Fewer where the file ends; none of a file that may not be read, or is outside of the folder. */
async function linesFrom(
  { context, folder, graph }: Located,
  file: number,
  line: number,
  count: number,
): Promise<readonly Line[]> {
  const path = pathsIn(folder)(graph.project.path(file));
  if (path === undefined) return [];
  const range = { start: line, end: line + count - 1 };
  const lines = await context.lines.read(folder.root, path, range, context.buffer);
  return (lines ?? []).map((text, i) => ({ line: line + i, text }));
}

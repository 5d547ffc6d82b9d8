/** Chunks a notebook cell by cell. A chunk is in one cell; its lines are lines of the file. */

import type { CallFact, DefinitionFact, FileFacts, ImportFact } from "../../contracts/facts.ts";
import type { Languages } from "../../contracts/languages.ts";
import type { Chunk, CodeSymbol, Lines, ParseHealth } from "../../contracts/model.ts";
import { chunk } from "../chunking/chunk.ts";
import type { ChunkOptions } from "../chunking/chunk-page.ts";
import { languageOfCell, withoutCommands } from "./cell-language.ts";
import type { Cell, Notebook } from "./notebook.ts";

export interface CutNotebook {
  /** The language of the kernel. */
  readonly languageId: string;
  /** The concatenated cells; spans are offsets in it. */
  readonly text: string;
  readonly chunks: readonly Chunk[];
  readonly parse: ParseHealth;
  readonly facts: FileFacts | undefined;
}

const CELL_END = "\n\n";

export async function cutNotebook(
  notebook: Notebook,
  options: Omit<ChunkOptions, "languageId"> & { readonly unparsed?: string },
  languages: Languages,
): Promise<CutNotebook> {
  const about = options.unparsed === undefined ? {} : { unparsed: options.unparsed };
  const languageId = languages.resolve(notebook.language) ?? "text";
  const chunks: Chunk[] = [];
  const texts: string[] = [];
  const own: Cell[] = [];
  let bytes = 0;
  for (const cell of notebook.cells) {
    const text = cell.lines.map((line) => line.text).join("\n");
    const id = languages.resolve(languageOfCell(cell, notebook.language)) ?? "text";
    if (cell.type === "code" && id === languageId) own.push(cell);
    const parsed = cell.type === "code" ? withoutCommands(text) : text;
    const cut = await languages.withSyntax(
      parsed,
      id,
      (syntax) => chunk(text, syntax, { ...options, languageId: id }),
      about,
    );
    const base = bytes;
    chunks.push(...cut.map((each) => toFileChunk(each, cell, base)));
    texts.push(text);
    bytes += Buffer.byteLength(text) + CELL_END.length;
  }
  const { parse, facts } = await readCode(own, languageId, about, languages);
  return { languageId, text: texts.join(CELL_END), chunks, parse, facts };
}

/** Extracts facts from all cells at once, because cells use the names of other cells. */
async function readCode(
  cells: readonly Cell[],
  languageId: string,
  about: { readonly unparsed?: string },
  languages: Languages,
): Promise<Pick<CutNotebook, "parse" | "facts">> {
  const lines = cells.flatMap((cell) => cell.lines);
  const code = withoutCommands(lines.map(({ text }) => text).join("\n"));
  const read = await languages.withSyntax(
    code,
    languageId,
    ({ health, facts }) => ({ parse: health, facts }),
    about,
  );
  const lineOf = (line: number) => lines[line]?.line ?? line;
  return { ...read, facts: read.facts === undefined ? undefined : withLines(read.facts, lineOf) };
}

function withLines(facts: FileFacts, lineOf: (line: number) => number): FileFacts {
  const moved = <T extends ImportFact | CallFact>(fact: T): T => ({
    ...fact,
    line: lineOf(fact.line),
  });
  const definition = (fact: DefinitionFact): DefinitionFact => ({
    ...fact,
    line: lineOf(fact.line),
    endLine: lineOf(fact.endLine),
  });
  return {
    ...facts,
    imports: facts.imports.map(moved),
    definitions: facts.definitions.map(definition),
    calls: facts.calls.map(moved),
  };
}

/** Maps a chunk of a cell to the file. `base` is the offset of the cell in the concatenated text. */
function toFileChunk(cut: Chunk, { type, lines }: Cell, base: number): Chunk {
  const lineOf = (line: number) => lines[line]?.line ?? 0;
  const moved = ({ start, end }: Lines): Lines => ({ start: lineOf(start), end: lineOf(end) });
  const symbol = (each: CodeSymbol): CodeSymbol => ({
    ...each,
    lines: moved(each.lines),
    nameLine: lineOf(each.nameLine),
  });
  return {
    ...cut,
    span: { start: cut.span.start + base, end: cut.span.end + base },
    lines: moved(cut.lines),
    context: moved(cut.context),
    // Headings are not definitions of the notebook's language.
    symbols: type === "code" ? cut.symbols.filter(isShared).map(symbol) : [],
  };
}

/** A variable of a cell is a step of a computation, like the local variable of a function; a constant is written to be found. */
function isShared({ type, name }: CodeSymbol): boolean {
  return type !== "variable" || !/\p{Ll}/u.test(name.slice(name.lastIndexOf(".") + 1));
}

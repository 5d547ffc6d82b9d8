/** Reads a notebook of Jupyter: the code and the prose of its cells, line by line with their places, and no outputs. */

import { lineAt, lineStartsOf } from "../../common/text.ts";
import { eachJsonString, type JsonPath, type JsonString, unescapeJson } from "./json-strings.ts";

/** Larger files are left out unread: a thread holds the whole text for a moment, and the engine for each hit in it. */
export const MAX_NOTEBOOK_BYTES = 20_000_000;

/** What somebody made of more cells than a person writes would take a parser's start for each. */
const MAX_CELLS = 10_000;

export function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** One line of a cell. */
interface CellLine {
  readonly text: string;
  /** The line of the file that holds it; lines that were written as one string share it. */
  readonly line: number;
}

export interface Cell {
  readonly type: "code" | "markdown" | "raw";
  /** Where a cell has a language of its own. */
  readonly language?: string;
  readonly lines: readonly CellLine[];
}

export interface Notebook {
  /** As the kernel is called; Python where nothing is said. */
  readonly language: string;
  readonly cells: readonly Cell[];
}

/** Undefined for a text that is no notebook, or is not whole: somebody is typing, or a merge has not ended. */
export function readNotebook(text: string): Notebook | undefined {
  const starts = lineStartsOf(text);
  const drafts = new Map<string, Draft>();
  let language: string | undefined;
  const isWhole = eachJsonString(text, (path, found) => {
    const written = () => unescapeJson(text.slice(found.start, found.end));
    if (path[0] === "metadata") {
      const isNamed = path.length === 3 && (path[2] === "name" || path[2] === "language");
      if (path[1] === "language_info" && isNamed) language = written();
      else if (path[1] === "kernelspec" && path[2] === "language") language ??= written();
      return;
    }
    const inCell = pathInCell(path);
    if (inCell === undefined || !isRead(inCell[0])) return;
    const key = path.slice(0, path.length - inCell.length).join(" ");
    let draft = drafts.get(key);
    if (draft === undefined) {
      if (drafts.size > MAX_CELLS) return;
      draft = { type: "", language: undefined, lines: [], isOpen: false };
      drafts.set(key, draft);
    }
    addTo(draft, inCell, text, found, lineAt(starts, found.start));
  });
  if (drafts.size > MAX_CELLS) return undefined;
  if (!isWhole || (drafts.size === 0 && !/"cells"\s*:/.test(text))) return undefined;
  return { language: language ?? "python", cells: [...drafts.values()].map(toCell) };
}

/** Outputs are not, nor what is attached. */
function isRead(name: string | number | undefined): boolean {
  return typeof name === "string" && /^(?:cell_type|source|input|language|metadata)$/.test(name);
}

interface Draft {
  type: string;
  language: string | undefined;
  readonly lines: { text: string; line: number }[];
  /** Whether the last line has no end yet. */
  isOpen: boolean;
}

/** What follows `cells, 3`, or `worksheets, 0, cells, 3` of notebooks before 2015. */
function pathInCell(path: JsonPath): JsonPath | undefined {
  const at = path[0] === "worksheets" ? 2 : 0;
  const isInCell = path[at] === "cells" && typeof path[at + 1] === "number";
  return isInCell && path.length > at + 2 ? path.slice(at + 2) : undefined;
}

function addTo(
  draft: Draft,
  [name, second, third]: JsonPath,
  text: string,
  found: JsonString,
  line: number,
): void {
  const written = text.slice(found.start, found.end);
  const isOwn = second === undefined;
  if (name === "cell_type" && isOwn) draft.type = written;
  else if (name === "language" && isOwn) draft.language = unescapeJson(written);
  else if (name === "metadata" && second === "vscode" && third === "languageId")
    draft.language = unescapeJson(written);
  else if ((name === "source" || name === "input") && (isOwn || typeof second === "number"))
    addSource(draft, written, line);
}

/** A string may hold one line with its end, a part of one, or all of them. */
function addSource(draft: Draft, written: string, line: number): void {
  const parts = unescapeJson(written).split(/\r\n|\r|\n/);
  parts.forEach((part, i) => {
    const last = draft.lines.at(-1);
    if (i === 0 && draft.isOpen && last !== undefined) last.text += part;
    else if (i < parts.length - 1 || part !== "") draft.lines.push({ text: part, line });
  });
  draft.isOpen = parts.at(-1) !== "";
}

function toCell({ type, language, lines }: Draft): Cell {
  // `heading` is of older notebooks.
  const known = type === "code" || type === "raw" ? type : "markdown";
  return { type: known, lines, ...(language === undefined ? {} : { language }) };
}

/** Between lines of code that share a line of the file. */
const SHARED_LINE = "  ";

/** The lines of the file as a reader of code sees them: those of cells unescaped, and the others empty. */
export function notebookLines(text: string): readonly string[] | undefined {
  const notebook = readNotebook(text);
  if (notebook === undefined) return undefined;
  const lines = lineStartsOf(text).map(() => "");
  for (const { lines: own } of notebook.cells) {
    for (const { text: code, line } of own) {
      const before = lines[line] ?? "";
      lines[line] = before === "" ? code : `${before}${SHARED_LINE}${code}`;
    }
  }
  return lines;
}

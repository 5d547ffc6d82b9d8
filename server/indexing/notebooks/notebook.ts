/** Reads the cells of a Jupyter notebook line by line, with the lines of the file, without outputs. */

import { lineAt, lineStartsOf } from "../../common/text.ts";
import { eachJsonString, type JsonPath, type JsonString, unescapeJson } from "./json-strings.ts";

/** Larger notebooks are excluded: a worker, and the engine for each hit, hold the whole text in memory. */
export const MAX_NOTEBOOK_BYTES = 20_000_000;

/** The limit of cells; each cell costs a parse. */
const MAX_CELLS = 10_000;

export function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** One line of a cell. */
interface CellLine {
  readonly text: string;
  /** The line of the file; lines of one JSON string share it. */
  readonly line: number;
}

export interface Cell {
  readonly type: "code" | "markdown" | "raw";
  /** Set if the cell has its own language. */
  readonly language?: string;
  readonly lines: readonly CellLine[];
}

export interface Notebook {
  /** The language of the kernel; default: Python. */
  readonly language: string;
  readonly cells: readonly Cell[];
}

/** Undefined for a text that is not a complete notebook, for example during an edit or merge. */
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

/** Outputs and attachments are skipped. */
function isRead(name: string | number | undefined): boolean {
  return typeof name === "string" && /^(?:cell_type|source|input|language|metadata)$/.test(name);
}

interface Draft {
  type: string;
  language: string | undefined;
  readonly lines: { text: string; line: number }[];
  /** Whether the last line has no line end yet. */
  isOpen: boolean;
}

/** The path after `cells, 3`, or after `worksheets, 0, cells, 3` in notebooks from before 2015. */
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

/** A string may contain one line, a part of a line, or several lines. */
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
  // `heading` cells occur in older notebooks.
  const known = type === "code" || type === "raw" ? type : "markdown";
  return { type: known, lines, ...(language === undefined ? {} : { language }) };
}

/** Separates lines of code that share a line of the file. */
const SHARED_LINE = "  ";

/** The lines of the file for display: lines of cells unescaped, all others empty. */
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

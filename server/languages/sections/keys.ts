/**
 * Builds a tree of the keys of YAML and formatted JSON by indentation.
 *
 * Reads lines instead of parsing, because many YAML files are templates, and a file that is being edited should keep its
 * blocks.
 */

import { indentOf } from "./section.ts";

export interface Key {
  /** Keys, outermost first; `[]` is a list item. */
  readonly path: readonly string[];
  readonly first: number;
  readonly last: number;
  /** Scalar values directly below, by key. */
  readonly values: ReadonlyMap<string, string>;
  /** The index of the document in the file; documents are separated by `---`. */
  readonly document: number;
}

interface Open extends Key {
  readonly column: number;
  readonly values: Map<string, string>;
  last: number;
}

export const ITEM = "[]";

/** `key: value` with a quoted or plain key. A colon inside a plain key is not followed by a space: `test:unit:`. */
const KEY =
  /^(?:"((?:[^"\\]|\\.)+)"|'([^']+)'|([^\s#'"{}[\],&*!|>%@`?:-](?:[^\s:#]|:(?=\S))*(?: (?:[^\s:#]|:(?=\S))+)*|-[^\s:#]+))\s*:(?:\s+(.*))?$/;
const BLOCK_SCALAR = /^[|>][-+\d]*\s*(?:#.*)?$/;
/** A quoted value that continues on the next lines. */
const OPEN_QUOTE = /^(?:"(?:[^"\\]|\\.)*\\?|'(?:[^']|'')*)$/;
/** A list marker; several may begin on one line. */
const DASH = /^-(?:\s+|$)/;
const DIVIDER = /^---(?:\s|$)/;
/** A closing bracket at the indentation of its opening line. */
const CLOSER = /^[}\]]/;
/** Depth limit; deeper keys are data of the last kept key. */
const MAX_DEPTH = 100;
/** Comments, and template actions on lines of their own. */
const SKIPPED = /^(?:#|\/\/|\{\{|\{%|%)/;

/** In source order, outer before inner. */
export function keysOf(lines: readonly string[]): Key[] {
  const reader = new KeyReader();
  lines.forEach((line, lineIndex) => reader.read(line, lineIndex));
  return reader.keys;
}

class KeyReader {
  readonly keys: Open[] = [];
  readonly #open: Open[] = [];
  #document = 0;
  /** Lines indented deeper than this belong to a block scalar. */
  #scalar: number | undefined;

  read(raw: string, lineIndex: number): void {
    const line = raw.trim();
    const column = indentOf(raw);
    if (this.#scalar !== undefined && (line === "" || column > this.#scalar)) {
      if (line !== "") this.#extend(lineIndex);
      return;
    }
    this.#scalar = undefined;
    if (line === "" || SKIPPED.test(line)) return;
    if (DIVIDER.test(raw)) {
      this.#open.length = 0;
      this.#document++;
      return;
    }
    const isItem = /^-(?:\s|$)/.test(line);
    close(this.#open, column, isItem || CLOSER.test(line), isItem);
    this.#extend(lineIndex);
    this.#begin(line, column, lineIndex);
  }

  /** The list items and the key that a line begins. */
  #begin(line: string, at: number, lineIndex: number): void {
    let rest = line;
    let column = at;
    for (let dash = DASH.exec(rest); dash !== null; dash = DASH.exec(rest)) {
      this.#push(ITEM, column, lineIndex);
      rest = rest.slice(dash[0].length);
      column += dash[0].length;
    }
    const [, double, single, plain, text = ""] = KEY.exec(rest) ?? [];
    const name = double ?? single ?? plain;
    if (name === undefined) return;
    const value = text.replace(/,$/, "").replace(/^(["'])(.*)\1$/, "$2");
    if (value !== "" && !/^[[{|>&]/.test(value)) this.#open.at(-1)?.values.set(name, value);
    this.#push(name, column, lineIndex);
    if (BLOCK_SCALAR.test(text) || OPEN_QUOTE.test(text)) this.#scalar = column;
  }

  #push(name: string, column: number, lineIndex: number): void {
    if (this.#open.length >= MAX_DEPTH) return;
    const path = [...(this.#open.at(-1)?.path ?? []), name];
    const where = { first: lineIndex, last: lineIndex, document: this.#document };
    const key = { path, column, values: new Map<string, string>(), ...where };
    this.keys.push(key);
    this.#open.push(key);
  }

  #extend(lineIndex: number): void {
    for (const key of this.#open) key.last = lineIndex;
  }
}

/** Pops keys that a line at this column does not belong to. A list may be at the column of its key. */
function close(open: Open[], column: number, mayShare: boolean, isItem: boolean): void {
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const shares = top.column === column && mayShare && !(isItem && top.path.at(-1) === ITEM);
    if (top.column < column || shares) return;
    open.pop();
  }
}

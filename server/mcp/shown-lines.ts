/** Remembers the lines of code that a connection was given, so that an agent may ask not to get them again. */

import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** About 60 bytes per line: with a few hundred lines of each file, some megabytes. */
const MAX_FILES = 200;
const MAX_LINES = 2_000;
/** Tools cut longer lines at different lengths. */
const COMPARED_LENGTH = 200;

/** Consecutive lines of a file, as they were read. */
export interface ShownPassage {
  readonly path: string;
  /** The first line, zero-based. */
  readonly start: number;
  readonly lines: readonly string[];
}

export class ShownLines {
  /** A hash of each line, by its number. */
  readonly #files = new LRUCache<string, Map<number, string>>({ max: MAX_FILES });

  /** Whether each line was given with the same text at the same place. A passage without text never was. */
  has({ path, start, lines }: ShownPassage): boolean {
    const known = this.#files.get(path);
    if (known === undefined || lines.every(isBlank)) return false;
    return lines.every((line, i) => isBlank(line) || known.get(start + i) === hash(line));
  }

  add({ path, start, lines }: ShownPassage): void {
    let known = this.#files.get(path) ?? new Map<number, string>();
    if (known.size > MAX_LINES) known = new Map();
    lines.forEach((line, i) => known.set(start + i, hash(line)));
    this.#files.set(path, known);
  }
}

function isBlank(line: string): boolean {
  return line.trim() === "";
}

function hash(line: string): string {
  const text = line.slice(0, COMPARED_LENGTH).trimEnd();
  return createHash("sha256").update(text).digest("base64url").slice(0, 11);
}

/** Parses the text of a packed context: the lines of files that it shows as code or names. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

interface ShownFile {
  /** Lines in full, from 0. */
  readonly code: Set<number>;
  /** Lines of definitions that are only named. */
  readonly named: Set<number>;
}

export class ShownLines {
  readonly files = new Map<string, ShownFile>();

  file(path: string): ShownFile {
    const known = this.files.get(path) ?? { code: new Set(), named: new Set() };
    this.files.set(path, known);
    return known;
  }

  addCode(path: string, start: number, end: number): void {
    const { code } = this.file(path);
    for (let line = start; line <= end; line++) code.add(line);
  }
}

const HEADER = /^## (.+?):(\d[\d,-]*)(?: |$)/;
const REFERENCE = /^- (.+?):(\d+)(?: |$)/;
const FENCE = /^`{3,}/;

/** The lines that the Markdown of `cocosearch/context` shows. */
export function linesShownIn(markdown: string): ShownLines {
  const shown = new ShownLines();
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
      continue;
    }
    fence = FENCE.exec(line)?.[0];
    const [, path, ranges] = HEADER.exec(line) ?? [];
    const [, named, at] = REFERENCE.exec(line) ?? [];
    if (path !== undefined && ranges !== undefined) {
      for (const range of ranges.split(",")) {
        const [start = 1, end = start] = range.split("-").map(Number);
        shown.addCode(path, start - 1, end - 1);
      }
    } else if (named !== undefined) shown.file(named).named.add(Number(at) - 1);
  }
  return shown;
}

/** Parses a repository map of aider: paths, each followed by lines without numbers. */
export function linesShownInMap(map: string, root: string): ShownLines {
  const shown = new ShownLines();
  let path: string | undefined;
  let text: readonly string[] = [];
  let next = 0;
  for (const line of map.split("\n")) {
    if (/^[^\s│⋮].*:$/.test(line)) {
      path = line.slice(0, -1);
      text = linesOfFile(join(root, path));
      next = 0;
      shown.file(path);
    } else if (path !== undefined && line.startsWith("│")) {
      const at = text.findIndex((each, i) => i >= next && each.startsWith(line.slice(1)));
      if (at < 0) continue;
      shown.addCode(path, at, at);
      next = at + 1;
    }
  }
  return shown;
}

const known = new Map<string, readonly string[]>();

export function linesOfFile(path: string): readonly string[] {
  let lines = known.get(path);
  if (lines === undefined) {
    lines = readFileSync(path, "utf8").split("\n");
    known.set(path, lines);
  }
  return lines;
}

/** Reads a unified diff line by line: the paths of a file, the header of a hunk, and the lines that belong to the hunk. */

import { pathInHeader } from "./quoted-path.ts";

/** Line numbers are zero-based. */
export interface HunkHeader {
  readonly start: number;
  readonly lines: number;
  readonly oldStart: number;
  readonly oldLines: number;
  /** The line above the hunk that begins a definition, as git prints it; empty without one. */
  readonly heading: string;
}

/** `other`: a line that is neither of these, such as the headers that only git writes. */
type DiffLineKind =
  | "oldPath"
  | "newPath"
  | "hunk"
  | "context"
  | "removed"
  | "added"
  | "noNewline"
  | "other";

const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?/;

const NO_FILE = "/dev/null";

export class DiffLineReader {
  /** The path of the current file after the change; before it if the file was deleted. */
  path = "";
  #oldPath = "";
  #header: HunkHeader | undefined;
  #oldLinesLeft = 0;
  #newLinesLeft = 0;

  /** The header of the last line of kind `hunk`. */
  get header(): HunkHeader {
    if (this.#header === undefined) throw new Error("no hunk has begun");
    return this.#header;
  }

  read(line: string): DiffLineKind {
    if (this.#oldLinesLeft > 0 || this.#newLinesLeft > 0) return this.#readContent(line);
    if (line.startsWith("@@ ")) return this.#readHeader(line) ? "hunk" : "other";
    if (line.startsWith("--- ")) {
      this.#oldPath = pathInHeader(line, "a/");
      return "oldPath";
    }
    if (line.startsWith("+++ ")) {
      const path = pathInHeader(line, "b/");
      this.path = path === NO_FILE ? this.#oldPath : path;
      return "newPath";
    }
    return "other";
  }

  /** The header counts the lines of its hunk, because a removed line may look like a header. */
  #readContent(line: string): DiffLineKind {
    switch (line.charAt(0)) {
      case "-":
        this.#oldLinesLeft--;
        return "removed";
      case "+":
        this.#newLinesLeft--;
        return "added";
      case "\\":
        return "noNewline";
      default:
        this.#oldLinesLeft--;
        this.#newLinesLeft--;
        return "context";
    }
  }

  #readHeader(line: string): boolean {
    const match = HUNK_HEADER.exec(line);
    if (match === null) return false;
    const [text, oldStart, oldCount = "1", start, count = "1"] = match;
    const [oldLines, lines] = [Number(oldCount), Number(count)];
    this.#header = {
      start: firstLine(Number(start), lines),
      lines,
      oldStart: firstLine(Number(oldStart), oldLines),
      oldLines,
      heading: line.slice(text.length),
    };
    [this.#oldLinesLeft, this.#newLinesLeft] = [oldLines, lines];
    return true;
  }
}

/** Zero-based. Of an empty range, git names the line before it. */
function firstLine(oneBased: number, count: number): number {
  return count === 0 ? oneBased : oneBased - 1;
}

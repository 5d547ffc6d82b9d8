/** Reads the output of `git log -p -U0` line by line: for each commit its files, for each file its hunks. */

import { createHash, type Hash } from "node:crypto";
import { pathInHeader } from "./quoted-path.ts";

/** Of one file in one commit, words are taken from this many changed lines. */
const MAX_LINES_PER_FILE = 400;
const MAX_LINES_PER_COMMIT = 3_000;
/** Longer lines are data. */
const MAX_LINE_LENGTH = 500;
/** A commit with more hunks changes everything; the first ones represent it. */
const MAX_HUNKS_PER_COMMIT = 500;

/** Lines count from zero. */
export interface RawHunk {
  readonly start: number;
  readonly lines: number;
  readonly oldStart: number;
  readonly oldLines: number;
  /** The line before it that begins a definition, as git sees it. */
  readonly heading: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly textHash: string;
}

export interface FilePatch {
  /** The path after the commit; before it where the file was deleted. */
  readonly path: string;
  readonly hunks: readonly RawHunk[];
}

interface OpenHunk {
  readonly start: number;
  readonly lines: number;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly heading: string;
  readonly added: string[];
  readonly removed: string[];
  readonly hash: Hash;
  missingOld: number;
  missingNew: number;
}

/** How a commit begins in the output: at the start of a line, where no line of a diff can have a NUL. */
export const PATCH_FORMAT = "%x00%H";

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

export class PatchParser {
  readonly #done: (sha: string, files: readonly FilePatch[]) => void;
  #sha = "";
  #files: { path: string; hunks: RawHunk[] }[] = [];
  #file: { path: string; hunks: RawHunk[] } | undefined;
  #oldPath = "";
  #hunk: OpenHunk | undefined;
  #hunks = 0;
  #linesOfFile = 0;
  #linesOfCommit = 0;

  constructor(done: (sha: string, files: readonly FilePatch[]) => void) {
    this.#done = done;
  }

  line(line: string): void {
    if (this.#hunk !== undefined && this.#content(this.#hunk, line)) return;
    const first = line.charCodeAt(0);
    if (first === 0) this.#begin(line.slice(1).trim());
    else if (line.startsWith("@@ ")) this.#openHunk(line);
    else if (line.startsWith("diff --git ")) this.#file = undefined;
    else if (line.startsWith("--- ")) this.#oldPath = pathInHeader(line, "a/");
    else if (line.startsWith("+++ ")) this.#openFile(pathInHeader(line, "b/"));
  }

  end(): void {
    this.#closeHunk();
    if (this.#sha !== "") this.#done(this.#sha, this.#files);
    this.#sha = "";
  }

  #begin(sha: string): void {
    this.end();
    this.#sha = sha;
    this.#files = [];
    this.#file = undefined;
    [this.#hunks, this.#linesOfCommit] = [0, 0];
  }

  #openFile(path: string): void {
    this.#file = { path: path === "/dev/null" ? this.#oldPath : path, hunks: [] };
    this.#files.push(this.#file);
    this.#linesOfFile = 0;
  }

  #openHunk(line: string): void {
    this.#closeHunk();
    const [, oldStart, oldLines = "1", start, lines = "1", heading = ""] = HUNK.exec(line) ?? [];
    if (start === undefined) return;
    const [missingOld, missingNew] = [Number(oldLines), Number(lines)];
    this.#hunk = {
      // Where nothing is left, git names the line before.
      start: missingNew === 0 ? Number(start) : Number(start) - 1,
      lines: missingNew,
      oldStart: missingOld === 0 ? Number(oldStart) : Number(oldStart) - 1,
      oldLines: missingOld,
      heading: heading.slice(0, MAX_LINE_LENGTH),
      added: [],
      removed: [],
      hash: createHash("sha1"),
      missingOld,
      missingNew,
    };
  }

  /** Whether the line belongs to the hunk, which says itself how many lines it has. */
  #content(hunk: OpenHunk, line: string): boolean {
    const first = line[0];
    if (first === "-" && hunk.missingOld > 0) {
      hunk.missingOld--;
      if (hunk.lines === 0) hunk.hash.update(line);
      this.#keep(hunk.removed, line);
    } else if (first === "+" && hunk.missingNew > 0) {
      hunk.missingNew--;
      hunk.hash.update(line);
      this.#keep(hunk.added, line);
    } else if (first !== "\\") {
      this.#closeHunk();
      return false;
    }
    return true;
  }

  #keep(lines: string[], line: string): void {
    if (this.#linesOfFile >= MAX_LINES_PER_FILE || this.#linesOfCommit >= MAX_LINES_PER_COMMIT) {
      return;
    }
    if (line.length > MAX_LINE_LENGTH) return;
    this.#linesOfFile++;
    this.#linesOfCommit++;
    lines.push(line.slice(1));
  }

  #closeHunk(): void {
    const hunk = this.#hunk;
    this.#hunk = undefined;
    if (hunk === undefined || this.#hunks >= MAX_HUNKS_PER_COMMIT) return;
    this.#hunks++;
    const { start, lines, oldStart, oldLines, heading, added, removed, hash } = hunk;
    const textHash = hash.digest("hex").slice(0, 16);
    this.#file?.hunks.push({ start, lines, oldStart, oldLines, heading, added, removed, textHash });
  }
}

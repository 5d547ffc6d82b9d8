/** Parses the output of `git log -p -U0`: the files of each commit and their hunks. */

import { createHash, type Hash } from "node:crypto";
import { DiffLineReader, type HunkHeader } from "./diff-line-reader.ts";

/** Changed lines of a file in a commit whose words are indexed. */
const MAX_LINES_PER_FILE = 400;
const MAX_LINES_PER_COMMIT = 3_000;
/** Longer lines are data. */
const MAX_LINE_LENGTH = 500;
/** A commit with more hunks changes everything; the first ones represent it. */
const MAX_HUNKS_PER_COMMIT = 500;

export interface RawHunk extends HunkHeader {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly textHash: string;
}

export interface FilePatch {
  /** The path after the commit; before it if the file was deleted. */
  readonly path: string;
  readonly hunks: readonly RawHunk[];
}

interface OpenHunk {
  readonly header: HunkHeader;
  readonly added: string[];
  readonly removed: string[];
  readonly hash: Hash;
}

interface OpenFile {
  readonly path: string;
  readonly hunks: RawHunk[];
}

/** How a commit begins in the output. No line of a diff begins with NUL. */
export const PATCH_FORMAT = "%x00%H";

export class PatchParser {
  readonly #onCommit: (sha: string, files: readonly FilePatch[]) => void;
  #reader = new DiffLineReader();
  #sha = "";
  #files: OpenFile[] = [];
  #file: OpenFile | undefined;
  #hunk: OpenHunk | undefined;
  #hunks = 0;
  #linesOfFile = 0;
  #linesOfCommit = 0;

  constructor(onCommit: (sha: string, files: readonly FilePatch[]) => void) {
    this.#onCommit = onCommit;
  }

  line(line: string): void {
    if (line.charCodeAt(0) === 0) {
      this.#beginCommit(line.slice(1).trim());
      return;
    }
    const kind = this.#reader.read(line);
    if (kind === "added") this.#addLine(line);
    else if (kind === "removed") this.#removeLine(line);
    else if (kind === "hunk") this.#beginHunk(this.#reader.header);
    else if (kind === "newPath") this.#beginFile(this.#reader.path);
    else if (line.startsWith("diff --git ")) this.#endFile();
  }

  /** Reports the last commit. */
  end(): void {
    this.#endFile();
    if (this.#sha !== "") this.#onCommit(this.#sha, this.#files);
    this.#sha = "";
  }

  #beginCommit(sha: string): void {
    this.end();
    this.#reader = new DiffLineReader();
    this.#sha = sha;
    this.#files = [];
    [this.#hunks, this.#linesOfCommit] = [0, 0];
  }

  #beginFile(path: string): void {
    this.#endFile();
    this.#file = { path, hunks: [] };
    this.#files.push(this.#file);
    this.#linesOfFile = 0;
  }

  #endFile(): void {
    this.#endHunk();
    this.#file = undefined;
  }

  #beginHunk(header: HunkHeader): void {
    this.#endHunk();
    this.#hunk = { header, added: [], removed: [], hash: createHash("sha1") };
  }

  #addLine(line: string): void {
    this.#hunk?.hash.update(line);
    this.#keep(this.#hunk?.added, line);
  }

  #removeLine(line: string): void {
    if (this.#hunk?.header.lines === 0) this.#hunk.hash.update(line);
    this.#keep(this.#hunk?.removed, line);
  }

  #keep(lines: string[] | undefined, line: string): void {
    if (this.#linesOfFile >= MAX_LINES_PER_FILE || this.#linesOfCommit >= MAX_LINES_PER_COMMIT) {
      return;
    }
    if (line.length > MAX_LINE_LENGTH) return;
    this.#linesOfFile++;
    this.#linesOfCommit++;
    lines?.push(line.slice(1));
  }

  #endHunk(): void {
    const hunk = this.#hunk;
    this.#hunk = undefined;
    if (hunk === undefined || this.#hunks >= MAX_HUNKS_PER_COMMIT) return;
    this.#hunks++;
    const { header, added, removed, hash } = hunk;
    const heading = header.heading.slice(0, MAX_LINE_LENGTH);
    const textHash = hash.digest("hex").slice(0, 16);
    this.#file?.hunks.push({ ...header, heading, added, removed, textHash });
  }
}

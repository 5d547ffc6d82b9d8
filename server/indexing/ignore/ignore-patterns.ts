/** Lines in the form of .gitignore, compiled: which of them has the last word about a path. Exactly as git reads them. */

import {
  compileFolded,
  foldText,
  type GlobMatcher,
  isCheapGlob,
  literalEnds,
} from "../../common/glob.ts";
import { baseNameOf } from "../../common/relative-path.ts";

export interface IgnorePattern {
  /** From 1; 0 for a line that brings back, which is not reported. */
  readonly line: number;
  /** As it was written. */
  readonly text: string;
  /** Brings back what an earlier one leaves out. */
  readonly isNegated: boolean;
}

/** The last line that fits the path; undefined when none does. The path is relative to the folder of the file. */
export type FindPattern = (path: string, isFolder: boolean) => IgnorePattern | undefined;

/** As git does by default where file names differ in more than case. */
const IGNORES_CASE = process.platform === "win32" || process.platform === "darwin";

interface Line extends IgnorePattern {
  readonly glob: string;
  readonly onlyFolders: boolean;
  /** Whether it is about the whole path, and not about a name in any folder. */
  readonly isAnchored: boolean;
}

interface Glob {
  readonly line: Line;
  readonly matches: GlobMatcher;
}

/** A path is judged by itself: the folders above it were asked when they were walked into. */
export function compilePatterns(lines: readonly string[]): FindPattern {
  const index = new LineIndex();
  for (const [i, text] of lines.entries()) {
    const line = parseLine(text, i + 1);
    if (line !== undefined) index.add(line);
  }
  return (path, isFolder) => {
    const found = index.last(path, isFolder);
    if (found === undefined) return undefined;
    if (found.isNegated) return { line: 0, text: "", isNegated: true };
    return { line: found.line, text: found.text, isNegated: false };
  };
}

function parseLine(raw: string, line: number): Line | undefined {
  const text = withoutTrailingSpaces(raw.replace(/\r$/, ""));
  if (text === "" || text.startsWith("#")) return undefined;
  const isNegated = text.startsWith("!");
  const whole = isNegated ? text.slice(1) : text;
  const onlyFolders = whole.endsWith("/");
  const body = onlyFolders ? whole.slice(0, -1) : whole;
  const isAnchored = body.includes("/");
  const glob = body.startsWith("/") ? body.slice(1) : body;
  return glob === "" ? undefined : { line, text, isNegated, glob, onlyFolders, isAnchored };
}

/** Spaces at the end count after a backslash. */
function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === " ") end--;
  if (end === text.length) return text;
  let backslashes = 0;
  while (text[end - 1 - backslashes] === "\\") backslashes++;
  return text.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

/** Letters of costly lines (more than ten wildcards) that one file may have; comparing a path with these takes a millisecond. */
const MAX_COSTLY_LETTERS = 5_000;

/** Files with 45 thousand lines exist: a path is only compared with lines that have more than a name or an ending. */
class LineIndex {
  /** By the whole path, by the name, and by the end of the name (`*.log`). */
  readonly #paths = new Map<string, Line[]>();
  readonly #names = new Map<string, Line[]>();
  readonly #endings = new Map<string, Line[]>();
  /** With which letters endings of this length begin: mostly a dot, of which a name has one or two. */
  readonly #endingStarts = new Map<number, string>();
  #costlyLetters = 0;
  /** Everything else, in order. */
  readonly #globs: Glob[] = [];

  add(line: Line): void {
    const glob = fold(line.glob);
    if (!/[*?[\\]/.test(glob)) append(line.isAnchored ? this.#paths : this.#names, glob, line);
    else if (!line.isAnchored && /^\*[^*?[\\]+$/.test(glob)) {
      const ending = glob.slice(1);
      append(this.#endings, ending, line);
      const starts = this.#endingStarts.get(ending.length) ?? "";
      const start = ending.charAt(0);
      if (!starts.includes(start)) this.#endingStarts.set(ending.length, starts + start);
    } else {
      const matches = this.#matcherOf(glob, line);
      if (matches !== undefined) this.#globs.push({ line, matches });
    }
  }

  /** Of a file made to be slow, costly lines leave out more than they say, and bring nothing back: nothing is let through. */
  #matcherOf(glob: string, line: Line): GlobMatcher | undefined {
    // Braces mean themselves here.
    const isCheap = isCheapGlob(glob.replaceAll(/[{}]/g, ""));
    if (!isCheap) this.#costlyLetters += glob.length;
    if (isCheap || this.#costlyLetters <= MAX_COSTLY_LETTERS)
      return compileFolded(glob, line.isAnchored);
    const { prefix, suffix } = literalEnds(glob);
    return line.isNegated ? undefined : (text) => text.startsWith(prefix) && text.endsWith(suffix);
  }

  last(path: string, isFolder: boolean): Line | undefined {
    const whole = fold(path);
    const name = baseNameOf(whole);
    let last: Line | undefined;
    const offer = (lines: readonly Line[] | undefined) => {
      const fits = lines?.findLast(({ onlyFolders }) => isFolder || !onlyFolders);
      if (fits !== undefined && fits.line > (last?.line ?? 0)) last = fits;
    };
    offer(this.#paths.get(whole));
    offer(this.#names.get(name));
    for (const [length, starts] of this.#endingStarts) {
      const from = name.length - length;
      if (from >= 0 && starts.includes(name.charAt(from)))
        offer(this.#endings.get(name.slice(from)));
    }
    // From the last line up, and no further than the best that is known.
    for (let i = this.#globs.length - 1; i >= 0; i--) {
      const { line, matches } = this.#globs[i] as Glob;
      if (line.line < (last?.line ?? 0)) break;
      if ((isFolder || !line.onlyFolders) && matches(line.isAnchored ? whole : name)) return line;
    }
    return last;
  }
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function fold(text: string): string {
  return foldText(text, IGNORES_CASE);
}

/** Compiles .gitignore lines, with the semantics of git: the last matching line decides. */

import {
  compileFolded,
  foldText,
  type GlobMatcher,
  isCheapGlob,
  literalEnds,
} from "../../common/glob.ts";
import { baseNameOf } from "../../common/relative-path.ts";

export interface IgnorePattern {
  /** 1-based; 0 for a negated line, which is never reported. */
  readonly line: number;
  /** The line as it is written. */
  readonly text: string;
  /** Re-includes paths that an earlier line excludes. */
  readonly isNegated: boolean;
}

/** Returns the last line that matches a path relative to the folder of the ignore file. */
export type FindPattern = (path: string, isFolder: boolean) => IgnorePattern | undefined;

/** The default of git on these platforms. */
const IGNORES_CASE = process.platform === "win32" || process.platform === "darwin";

interface Line extends IgnorePattern {
  readonly glob: string;
  readonly onlyFolders: boolean;
  /** Whether the line matches the whole path instead of a name in any folder. */
  readonly isAnchored: boolean;
}

interface Glob {
  readonly line: Line;
  readonly matches: GlobMatcher;
}

/** Does not check the folders above a path; callers check them first. */
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

/** Keeps a trailing space that is escaped with a backslash. */
function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === " ") end--;
  if (end === text.length) return text;
  let backslashes = 0;
  while (text[end - 1 - backslashes] === "\\") backslashes++;
  return text.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

/** Limit of characters in costly patterns (more than ten wildcards) per file: matching a path then takes 1 ms. */
const MAX_COSTLY_LETTERS = 5_000;

/** An index of lines by path, name and extension, for ignore files with up to 45,000 lines; only globs are matched one by one. */
class LineIndex {
  /** By whole path, by name, and by the end of the name (`*.log`). */
  readonly #paths = new Map<string, Line[]>();
  readonly #names = new Map<string, Line[]>();
  readonly #endings = new Map<string, Line[]>();
  /** The first characters of endings, by length: mostly a dot, so that few substrings are looked up. */
  readonly #endingStarts = new Map<number, string>();
  #costlyLetters = 0;
  /** All other lines, in order. */
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

  /** Beyond the limit, costly patterns are approximated: they exclude more and re-include nothing, so no excluded path gets in. */
  #matcherOf(glob: string, line: Line): GlobMatcher | undefined {
    // Braces are literal in .gitignore.
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
    // Backwards, down to the best match of the indexes.
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

/**
 * Lines in the form of .gitignore, compiled.
 *
 * A path is judged by itself, without the folders above it, so that sources can overrule each other folder by
 * folder. Names and endings, which most lines are, cost one look into a map, however many there are.
 */

export interface Pattern {
  /** From 1. */
  readonly line: number;
  /** As it was written. */
  readonly text: string;
  /** Brings back what an earlier one leaves out. */
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

/** The last line that fits the path; undefined when none does. The path is relative to where the lines stand. */
export type FindPattern = (path: string, isFolder: boolean) => Pattern | undefined;

/** As git does by default where file names differ in more than case. */
const IGNORES_CASE = process.platform === "win32" || process.platform === "darwin";

const fold = (text: string) => (IGNORES_CASE ? text.toLowerCase() : text);

interface Compiled {
  readonly byName: Map<string, Pattern[]>;
  readonly byPath: Map<string, Pattern[]>;
  /** By what follows the star of `*.ending`. */
  readonly byEnding: Map<string, Pattern[]>;
  readonly others: { readonly pattern: Pattern; readonly fits: RegExp; readonly isName: boolean }[];
}

export function compilePatterns(lines: readonly string[]): FindPattern {
  const compiled = {
    byName: new Map(),
    byPath: new Map(),
    byEnding: new Map(),
    others: [],
  } satisfies Compiled;
  for (const [i, line] of lines.entries()) addLine(compiled, line, i + 1);
  return (path, isFolder) => find(compiled, fold(path), isFolder);
}

function find(compiled: Compiled, path: string, isFolder: boolean): Pattern | undefined {
  let last: Pattern | undefined;
  const hear = (pattern: Pattern) => {
    if (pattern.isForFolders && !isFolder) return;
    if (last === undefined || pattern.line > last.line) last = pattern;
  };
  const name = path.slice(path.lastIndexOf("/") + 1);
  compiled.byName.get(name)?.forEach(hear);
  compiled.byPath.get(path)?.forEach(hear);
  for (let at = name.indexOf("."); at >= 0; at = name.indexOf(".", at + 1)) {
    compiled.byEnding.get(name.slice(at))?.forEach(hear);
  }
  for (const { pattern, fits, isName } of compiled.others) {
    if (fits.test(isName ? name : path)) hear(pattern);
  }
  return last;
}

const WILD = /[*?[\\]/;

function addLine(compiled: Compiled, line: string, number: number): void {
  const text = withoutTrailingSpaces(line.replace(/\r$/, ""));
  if (text === "" || text.startsWith("#")) return;
  const isNegated = text.startsWith("!");
  const isForFolders = text.endsWith("/");
  const glob = fold(text.slice(isNegated ? 1 : 0, isForFolders ? -1 : undefined));
  const isName = !glob.includes("/");
  const plain = glob.startsWith("/") ? glob.slice(1) : glob;
  if (plain === "") return;
  const pattern = { line: number, text, isNegated, isForFolders };
  if (!WILD.test(plain)) push(isName ? compiled.byName : compiled.byPath, plain, pattern);
  else if (isName && plain.startsWith("*.") && !WILD.test(plain.slice(1))) {
    push(compiled.byEnding, plain.slice(1), pattern);
  } else {
    const fits = expressionOf(plain);
    if (fits !== undefined) compiled.others.push({ pattern, fits, isName });
  }
}

function push(map: Map<string, Pattern[]>, key: string, pattern: Pattern): void {
  const there = map.get(key);
  if (there === undefined) map.set(key, [pattern]);
  else there.push(pattern);
}

/** A backslash keeps the space after it. */
function withoutTrailingSpaces(line: string): string {
  const trimmed = line.replace(/ +$/, "");
  const isKept = /(?:^|[^\\])(?:\\\\)*\\$/.test(trimmed) && trimmed.length < line.length;
  return isKept ? `${trimmed} ` : trimmed;
}

/** What each part of a pattern is in a regular expression, tried in this order. */
const PARTS: readonly (readonly [
  part: RegExp,
  expression: (matched: RegExpExecArray) => string,
])[] = [
  [/^\*\*+\/(?:\*\*+\/)*/y, () => "(?:.*/)?"],
  [/\/\*\*+(?:\/\*\*+)*\//y, () => "/(?:.*/)?"],
  [/\/\*\*+$/y, () => "/.+"],
  [/^\*\*+$/y, () => ".+"],
  [/\*+/y, () => "[^/]*"],
  [/\?/y, () => "[^/]"],
  [/\[([!^]?)(\]?(?:\[:[a-z]+:\]|\\[^]|[^\]\\])*)\]/y, ([, not, of]) => classOf(not, of)],
  [/\\([^])/y, ([, escaped = ""]) => literal(escaped)],
  [/[^\\[]/uy, ([character]) => literal(character)],
];

/** Undefined for a pattern that git takes for broken, which fits nothing: an open bracket, a backslash at the end. */
function expressionOf(glob: string): RegExp | undefined {
  let expression = "";
  let at = 0;
  while (at < glob.length) {
    const start = at;
    for (const [part, translate] of PARTS) {
      part.lastIndex = start;
      const matched = part.exec(glob);
      if (matched === null) continue;
      expression += translate(matched);
      at = part.lastIndex;
      break;
    }
    if (at === start) return undefined;
  }
  try {
    return new RegExp(`^${expression}$`, "su");
  } catch (error) {
    // A range from a later character to an earlier one.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const POSIX: Readonly<Record<string, string>> = {
  alnum: "A-Za-z0-9",
  alpha: "A-Za-z",
  blank: " \\t",
  digit: "0-9",
  lower: "a-z",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: "\\s",
  upper: "A-Z",
  xdigit: "0-9A-Fa-f",
};

/** Never a slash, also where it is not named among those that do not fit. */
function classOf(not = "", members = ""): string {
  const inside = members.replaceAll(
    /\[:([a-z]+):\]|\\([^])|[[\]^]/g,
    (whole, posix?: string, escaped?: string) => {
      if (posix !== undefined) return POSIX[posix] ?? "";
      if (escaped === "-") return "\\-";
      return escaped === undefined ? `\\${whole}` : literal(escaped);
    },
  );
  return `(?!/)[${not === "" ? "" : "^"}${inside}]`;
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
}

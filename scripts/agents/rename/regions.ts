/** Splits source text into code, comments and strings, well enough to rename in each differently. */

type RegionKind = "code" | "comment" | "string";

interface Region {
  readonly kind: RegionKind;
  readonly text: string;
}

interface Style {
  readonly line: string;
  readonly block: boolean;
  /** Opening and closing marks, longer ones first. */
  readonly strings: readonly string[];
}

const C_STYLE: Style = { line: "//", block: true, strings: ['"""', '"', "`"] };
const SCRIPT_STYLE: Style = { line: "//", block: true, strings: ['"', "'", "`"] };
const HASH_STYLE: Style = { line: "#", block: false, strings: ['"""', "'''", '"', "'"] };
const ELIXIR_STYLE: Style = { line: "#", block: false, strings: ['"""', '"'] };

const STYLES: Readonly<Record<string, Style>> = {
  go: C_STYLE,
  c: C_STYLE,
  h: C_STYLE,
  cs: C_STYLE,
  scala: C_STYLE,
  java: C_STYLE,
  rs: C_STYLE,
  ts: SCRIPT_STYLE,
  tsx: SCRIPT_STYLE,
  js: SCRIPT_STYLE,
  jsx: SCRIPT_STYLE,
  py: HASH_STYLE,
  ex: ELIXIR_STYLE,
  exs: ELIXIR_STYLE,
  sh: HASH_STYLE,
  tcl: HASH_STYLE,
};

/** Text that can go over several lines; another string ends with its line, so that an apostrophe costs one line at most. */
const OVER_LINES: ReadonlySet<string> = new Set(['"""', "'''", "`"]);

/** The regions in order, which together are the text; undefined for text that is not source of a known language. */
export function regionsOf(text: string, extension: string): Region[] | undefined {
  const style = STYLES[extension];
  if (style === undefined) return undefined;
  const regions: Region[] = [];
  let [codeStart, at] = [0, 0];
  while (at < text.length) {
    const found = regionAt(text, at, style);
    if (found === undefined) {
      at++;
      continue;
    }
    regions.push({ kind: "code", text: text.slice(codeStart, at) });
    regions.push({ kind: found.kind, text: text.slice(at, found.end) });
    codeStart = at = found.end;
  }
  return [...regions, { kind: "code" as const, text: text.slice(codeStart) }].filter(
    (region) => region.text !== "",
  );
}

function regionAt(
  text: string,
  at: number,
  { line, block, strings }: Style,
): { readonly kind: RegionKind; readonly end: number } | undefined {
  if (text.startsWith(line, at)) return { kind: "comment", end: endOf(text, "\n", at) };
  if (block && text.startsWith("/*", at))
    return { kind: "comment", end: endOf(text, "*/", at + 2) + 2 };
  const character = strings.includes("'")
    ? undefined
    : /^'(?:\\.|[^'\\\n])'/.exec(text.slice(at, at + 4));
  if (character) return { kind: "string", end: at + character[0].length };
  const mark = strings.find((each) => text.startsWith(each, at));
  if (mark === undefined) return undefined;
  return { kind: "string", end: endOfString(text, at + mark.length, mark) };
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end;
}

function endOfString(text: string, from: number, mark: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(mark, at)) return at + mark.length;
    else if (text[at] === "\n" && !OVER_LINES.has(mark)) return at;
  }
  return text.length;
}

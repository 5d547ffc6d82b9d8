/** Takes pairs of question and code out of one file: what people wrote about code, and the code that they wrote it about. */

import { lineAt, lineStartsOf } from "../../../server/common/text.ts";
import { identifierPartsOf } from "../../../server/common/words.ts";
import type { Definition, Syntax } from "../../../server/contracts/languages.ts";
import { isProse, proseOf } from "./comments.ts";

/** Where a question comes from. */
const KINDS = ["doc", "inline", "test", "path", "prose", "commit"] as const;
export type Kind = (typeof KINDS)[number];

export interface Pair {
  readonly kind: Kind;
  readonly language: string;
  readonly path: string;
  readonly query: string;
  readonly code: string;
  /** Qualified names of the definitions that begin in the code. */
  readonly names: readonly string[];
}

export interface Source {
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

/** Units of code in a pair: three chunks of the index. */
export const MAX_CODE_LENGTH = 3000;
const MIN_CODE_LENGTH = 20;
/** The lines after an inline comment that it speaks of. */
const INLINE_LINES = 10;

const COMMENT_LINE = /^\s*(?:\/\/|#(?!\[|!|if|el|end|def|inc|pragma|region|line|undef)|--(?!\[)|;)/;
const TEST_TITLE =
  /^\s*(?:it|test|describe|context|should|scenario|feature)[\w.]*[\s(]+(["'`])(?<title>.{12,140}?)\1/;
/** A docstring is in the body that it describes. */
const DOCSTRING = /^\s*[rRuU]?("""|''')([\s\S]*?)\1/;

export function pairsOf(source: Source, { definitions }: Syntax): Pair[] {
  const documented = definitions.map((each) => fromDefinition(source, each, definitions));
  return [
    ...documented.filter((pair) => pair !== undefined),
    ...fromInlineComments(source, definitions),
    ...fromTests(source),
    ...fromPath(source, definitions),
  ];
}

/** The comment is the question for the definition; for a test, its name is. */
function fromDefinition(
  { text, path, language }: Source,
  definition: Definition,
  all: readonly Definition[],
): Pair | undefined {
  const { start, nodeStart, end, symbol } = definition;
  const whole = text.slice(nodeStart, Math.min(end, nodeStart + MAX_CODE_LENGTH));
  const head = commentLines(text.slice(start, nodeStart));
  const inside = language === "python" ? docstringIn(whole) : undefined;
  const code = inside === undefined ? whole : whole.replace(inside, "");
  if (code.length < MIN_CODE_LENGTH) return undefined;
  const last = nodeStart + whole.length;
  const names = all
    .filter((each) => each.nodeStart >= nodeStart && each.nodeStart < last)
    .map((each) => each.symbol.name);
  const query = proseOf(inside ?? head);
  if (query !== undefined) return { kind: "doc", language, path, query, code, names };
  return fromTestName({ kind: "test", language, path, query: "", code, names }, symbol.name);
}

/** The code then does not say its name. */
function fromTestName(pair: Pair, qualified: string): Pair | undefined {
  const name = qualified.split(/[.:]+/).at(-1) ?? "";
  const [first, ...words] = identifierPartsOf(name);
  if (first !== "test" || words.length === 0 || pair.code.split("\n").length < 4) return undefined;
  return { ...pair, query: words.join(" "), code: pair.code.replaceAll(name, ""), names: [] };
}

/** Decorators and attributes are not a part of the question. */
function commentLines(head: string): string {
  return head
    .split("\n")
    .filter((line) => !/^\s*(?:@(?!(?:module|type)?doc\b)|#\[|\[|template\b)/.test(line))
    .join("\n");
}

function docstringIn(code: string): string | undefined {
  const body = /:[ \t]*\n(?<rest>[\s\S]*)/.exec(code)?.groups?.["rest"] ?? "";
  return DOCSTRING.exec(body)?.[0];
}

/** Comments inside of code. Those before a definition are its own. */
function fromInlineComments(
  { text, path, language }: Source,
  definitions: readonly Definition[],
): Pair[] {
  const lines = text.split("\n");
  const starts = lineStartsOf(text);
  const defined = new Set(definitions.map(({ nodeStart }) => lineAt(starts, nodeStart)));
  const pairs: Pair[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!COMMENT_LINE.test(lines[at] ?? "")) continue;
    const start = at;
    while (COMMENT_LINE.test(lines[at] ?? "")) at++;
    const indent = indentOf(lines[at] ?? "");
    if (indent === 0 || defined.has(at)) continue;
    const code = blockAt(lines, at, indent).join("\n");
    const query = proseOf(lines.slice(start, at).join("\n"));
    if (query === undefined || query.split(" ").length < 4 || code.length < 2 * MIN_CODE_LENGTH)
      continue;
    // Code that was commented out.
    if (/[;{})]\s*$/.test(query)) continue;
    pairs.push({ kind: "inline", language, path, query, code, names: [] });
  }
  return pairs;
}

/** Until an empty line or one that is indented less. */
function blockAt(lines: readonly string[], from: number, indent: number): string[] {
  let to = from;
  while (to < lines.length && to - from < INLINE_LINES) {
    const line = lines[to] ?? "";
    if (line.trim() === "" || indentOf(line) < indent) break;
    to++;
  }
  return lines.slice(from, to);
}

function fromTests({ text, path, language }: Source): Pair[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at): Pair[] => {
    const query = TEST_TITLE.exec(line)?.groups?.["title"];
    if (query === undefined || !isProse(query)) return [];
    const indent = indentOf(line);
    let to = at + 1;
    while (to < lines.length && to - at < 40) {
      const next = lines[to] ?? "";
      if (next.trim() !== "" && indentOf(next) <= indent) break;
      to++;
    }
    const code = lines.slice(at + 1, to).join("\n");
    return to - at < 3 ? [] : [{ kind: "test", language, path, query, code, names: [] }];
  });
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The path of the file is the question for the code at its beginning, after the license. */
function fromPath({ text, path, language }: Source, definitions: readonly Definition[]): Pair[] {
  const words = path
    .replace(/\.[^./]*$/, "")
    .split("/")
    .slice(-3)
    .flatMap(identifierPartsOf);
  const from = Math.max(0, definitions[0]?.start ?? 0);
  const code = text.slice(from, from + MAX_CODE_LENGTH);
  if (words.length < 2 || code.length < 400) return [];
  return [{ kind: "path", language, path, query: words.join(" "), code, names: [] }];
}

/** The heading and paragraph before a fenced block of code ask for it. */
export function pairsOfProse({ text, path }: Source): Pair[] {
  const parts = text.split(/^```+[^\n]*\n([\s\S]*?)^```+[ \t]*$/m);
  const pairs: Pair[] = [];
  let heading = "";
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const before = parts[at] ?? "";
    const code = parts[at + 1] ?? "";
    heading =
      before
        .match(/^#{1,5}\s+.+$/gm)
        ?.at(-1)
        ?.replace(/^#+\s+/, "") ?? heading;
    const paragraphs = before.split(/\n\s*\n/).map((each) => each.trim());
    const last = paragraphs.findLast((each) => each !== "" && !each.startsWith("#")) ?? "";
    const query = proseOf(`${heading}. ${last.replaceAll("\n", " ")}`);
    if (query === undefined || code.length < 60 || code.length > MAX_CODE_LENGTH) continue;
    pairs.push({ kind: "prose", language: "markdown", path, query, code, names: [] });
  }
  return pairs;
}

/** Finds definitions without a parser: patterns match their first line, indentation gives their end. */

import { selectorAt } from "./c-family/selectors.ts";
import type { LineContext, Pattern } from "./pattern.ts";
import { isStyle, patternsOf } from "./patterns.ts";
import { type FoundDefinition, type Kind, signatureOf } from "./scopes.ts";

/** Only this many UTF-16 units of a line are matched; longer lines are data. */
const MAX_HEAD_LENGTH = 500;
const TAB = 4;

/** The last line of a definition, at its own indentation. */
const CLOSER = /^(?:[)}\]]|end\w*\b|fi\b|done\b|esac\b)/i;
/** A closing line that opens the body: `) {`, `] do`. */
const REOPENS = /(?:[{([=]|\b(?:do|then|where|begin))\s*$/;
/** A line that continues a definition at its own indentation. */
const CONTINUATION =
  /^(?:\{|else\b|elsif\b|elif\b|elseif\b|rescue\b|ensure\b|catch\b|finally\b|after\b|then\b|do\b|begin\b|where\b|deriving\b|contains\b|\|)/i;
/** Preprocessor lines, which may be in the first column anywhere. */
const PREPROCESSOR =
  /^(?:#[ \t]*(?:if|elif|else|elseif|endif|region|endregion|pragma|nullable)\b|#:|`(?:ifn?def|elsif|else|endif|include|timescale)\b)/;
/** Comments of Fortran, which are often in the first column within an indented procedure. */
const LOOSE_COMMENT = /^!/;
/** Comments, attributes and annotations of all languages. */
const ATTACHED =
  /^(?:\/\/|\/\*|\*|#(?!(?:if|else|elif|endif|include|define|pragma|region)\b)|--|;|%|!|@|\[\w.*\]$|\{-)/;
/** Comments of SCSS and Less; the other marks begin selectors there: `#id`, `%placeholder`, `* {`. */
const STYLE_COMMENT = /^(?:\/\/|\/\*|\*(?!.*\{))/;
/** In Objective-C, `@` begins declarations. */
const C_COMMENT = /^(?:\/\/|\/\*|\*)/;
/** The line number in the first six columns of fixed-form COBOL, which is not indentation. */
const LINE_NUMBER = /^\d{6}/;
/** Multi-line texts without definitions: opening expression and closing mark. */
const FENCES: readonly (readonly [open: RegExp, close: string])[] = [
  [/^[^"]*"""(?:(?!""").)*$/, '"""'],
  [/^\/\*(?:(?!\*\/).)*$/, "*/"],
  [/^\{-(?:(?!-\}).)*$/, "-}"],
  [/^--\[\[(?:(?!\]\]).)*$/, "]]"],
  [/^<#(?:(?!#>).)*$/, "#>"],
  [/^[^$]*\$\$[^$]*$/, "$$"],
  // Documentation of Perl.
  [/^=(?:encoding|head[1-6]|item|over|pod)\b/, "=cut"],
];

interface Line {
  readonly text: string;
  readonly indent: number;
  readonly isAttached: boolean;
  /** Whether it neither ends nor begins a definition, at any indentation. */
  readonly isSkipped: boolean;
}

interface Head {
  readonly pattern: Pattern;
  readonly name: string;
  /** The last line of a head over several lines. */
  readonly headEnd?: number;
}

interface Open extends Head {
  readonly line: number;
  readonly indent: number;
  last: number;
}

export function outline(
  text: string,
  starts: readonly number[],
  languageId: string,
): FoundDefinition[] {
  const patterns = patternsOf(languageId);
  if (patterns.length === 0) return [];
  const isCode = !isStyle(languageId);
  const attached = isCode ? attachedIn(languageId) : STYLE_COMMENT;
  const isSkipped = (line: string) =>
    (isCode && PREPROCESSOR.test(line)) || (languageId === "fortran" && LOOSE_COMMENT.test(line));
  const lines = starts.map((start, i) => {
    const raw = text.slice(start, starts[i + 1] ?? text.length);
    const line = languageId === "cobol" ? raw.replace(LINE_NUMBER, " ".repeat(6)) : raw;
    return toLine(line, attached, isSkipped);
  });
  return scan(lines, patterns)
    .filter((open) => open.pattern.needsBody !== true || !headOf(lines, open).endsWith(";"))
    .map((open) => toFound(open, lines, text, starts));
}

/** The name of the definition that a single line begins. */
export function nameDefinedOn(line: string, languageId: string): string | undefined {
  if (line.length > MAX_HEAD_LENGTH) return undefined;
  const isIndented = /^\s/.test(line);
  for (const { line: form, only } of patternsOf(languageId)) {
    const isAnywhere = only === undefined || only === "outside-interface";
    if (!isAnywhere && isIndented === (only === "top")) continue;
    const name = form.exec(line)?.groups?.["name"];
    if (name !== undefined) return name;
  }
  return undefined;
}

function attachedIn(languageId: string): RegExp {
  return languageId === "objc" ? C_COMMENT : ATTACHED;
}

function toLine(raw: string, attached: RegExp, isSkipped: (line: string) => boolean): Line {
  const text = raw.trim();
  let indent = 0;
  for (let i = 0; i < raw.length - text.length; i++) {
    if (raw[i] === "\t") indent += TAB;
    else if (raw[i] === " ") indent++;
    else break;
  }
  return {
    text,
    indent,
    isAttached: attached.test(text),
    isSkipped: isSkipped(text),
  };
}

/** A single pass: each line ends open definitions, continues the innermost one, or begins one. */
function scan(lines: readonly Line[], patterns: readonly Pattern[]): Open[] {
  const open: Open[] = [];
  const all: Open[] = [];
  const endless = new Set<string>();
  let fence: string | undefined;
  for (const [lineIndex, line] of lines.entries()) {
    if (fence !== undefined) {
      if (!line.text.includes(fence)) continue;
      fence = undefined;
      if (open.at(-1)?.pattern.until?.test(line.text) === true) pop(open, lineIndex);
      continue;
    }
    if (line.text === "" || line.isSkipped) continue;
    if (isInHead(open.at(-1), lineIndex)) continue;
    if (closeBefore(open, line) === "last") {
      pop(open, lineIndex);
      continue;
    }
    const top = open.at(-1);
    if (top !== undefined) top.last = lineIndex;
    fence = fenceAfter(lines, lineIndex, endless);
    const head = matchHead(patterns, line, top);
    if (head !== undefined) begin(open, all, withSelector(head, lines, lineIndex), line, lineIndex);
  }
  while (open.length > 0) pop(open, open.at(-1)?.last ?? 0);
  return all;
}

function isInHead(top: Open | undefined, lineIndex: number): boolean {
  if (top === undefined || lineIndex > (top.headEnd ?? top.line)) return false;
  top.last = lineIndex;
  return true;
}

/**
 * Closes definitions that the line does not belong to. Returns whether it is the last line of the innermost remaining one.
 */
function closeBefore(open: Open[], line: Line): "inside" | "last" {
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const belongs = belongsTo(top, line);
    if (belongs !== "no") return belongs;
    pop(open, top.last);
  }
  return "inside";
}

function belongsTo(top: Open, { text, indent }: Line): "inside" | "last" | "no" {
  const { until, hasClauses } = top.pattern;
  if (until !== undefined) return until.test(text) ? "last" : "inside";
  if (indent > top.indent) return "inside";
  if (indent < top.indent) return "no";
  if (CONTINUATION.test(text)) return "inside";
  if (CLOSER.test(text)) return REOPENS.test(text) ? "inside" : "last";
  return hasClauses === true && beginsWithName(text, top.name) ? "inside" : "no";
}

function beginsWithName(text: string, name: string): boolean {
  return text.startsWith(name) && !/^[\w']/.test(text.slice(name.length));
}

/** A definition includes the last lines of its inner definitions. */
function pop(open: Open[], last: number): void {
  const ended = open.pop();
  if (ended === undefined) return;
  ended.last = last;
  const enclosing = open.at(-1);
  if (enclosing !== undefined) enclosing.last = Math.max(enclosing.last, last);
}

/**
 * The closing mark of a multi-line text that begins on a line. An unclosed text is ignored; `endless` caches marks that do
 * not occur below.
 */
function fenceAfter(
  lines: readonly Line[],
  lineIndex: number,
  endless: Set<string>,
): string | undefined {
  const text = lines[lineIndex]?.text ?? "";
  const fence = FENCES.find(([opens]) => text.length <= MAX_HEAD_LENGTH && opens.test(text))?.[1];
  if (fence === undefined || endless.has(fence)) return undefined;
  for (let below = lineIndex + 1; below < lines.length; below++)
    if (lines[below]?.text.includes(fence) === true) return fence;
  endless.add(fence);
  return undefined;
}

function matchHead(
  patterns: readonly Pattern[],
  line: Line,
  enclosing: Open | undefined,
): Head | undefined {
  if (line.isAttached && !/^@\w+.*\s\w|^---|^@/.test(line.text)) return undefined;
  const head = " ".repeat(Math.min(line.indent, 8)) + line.text.slice(0, MAX_HEAD_LENGTH);
  for (const pattern of patterns) {
    if (!fits(pattern, line, enclosing)) continue;
    const name = pattern.line.exec(head)?.groups?.["name"];
    if (name !== undefined) return { pattern, name };
  }
  return undefined;
}

function fits({ only }: Pattern, line: Line, enclosing: Open | undefined): boolean {
  return only === undefined || FITS[only](enclosing?.pattern.kind, line);
}

const FITS: Readonly<Record<LineContext, (enclosing: Kind | undefined, line: Line) => boolean>> = {
  top: (_, { indent }) => indent === 0,
  field: (enclosing) => enclosing === "class",
  member: (enclosing) =>
    enclosing === "class" || enclosing === "interface" || enclosing === "owner",
  "in-module": (enclosing) => enclosing === "module",
  "outside-interface": (enclosing) => enclosing !== "interface",
};

/** Completes a selector from the following lines. */
function withSelector(head: Head, lines: readonly Line[], lineIndex: number): Head {
  const selector = head.pattern.hasSelector === true ? selectorAt(lines, lineIndex) : undefined;
  return selector === undefined ? head : { ...head, name: selector.name, headEnd: selector.last };
}

function begin(open: Open[], all: Open[], head: Head, line: Line, lineIndex: number): void {
  const before = all.at(-1);
  const isClause =
    before !== undefined &&
    head.pattern.hasClauses === true &&
    before.name === head.name &&
    before.indent === line.indent;
  if (isClause) {
    before.last = lineIndex;
    if (open.at(-1) !== before) open.push(before);
    return;
  }
  const opened: Open = { ...head, line: lineIndex, indent: line.indent, last: lineIndex };
  all.push(opened);
  if (head.pattern.until?.test(line.text) !== true) open.push(opened);
}

function toFound(
  open: Open,
  lines: readonly Line[],
  text: string,
  starts: readonly number[],
): FoundDefinition {
  const lineEnd = starts[open.last + 1] ?? text.length;
  const head = text.slice(starts[open.line], starts[open.line + 1] ?? text.length);
  return {
    kind: open.pattern.kind,
    name: open.pattern.hasSelector === true ? open.name : plainName(open.name),
    signature: signatureOf(headOf(lines, open)),
    start: starts[firstAttached(lines, open)] ?? 0,
    nodeStart: (starts[open.line] ?? 0) + head.length - head.trimStart().length,
    end: lineEnd - 1 < (starts[open.last] ?? 0) ? lineEnd : lineEnd - 1,
    nameLine: open.line,
    nodeType: open.pattern.kind,
    isScope: true,
  };
}

function plainName(name: string): string {
  return withoutQuotes(withoutTemplates(name)).replaceAll(/::?/g, ".");
}

/** `stdlib${ii}$_dlansb` of fypp -> `stdlib_dlansb` */
function withoutTemplates(name: string): string {
  return name.replaceAll(/\$\{[^}]*\}\$/g, "");
}

/** `"Items"`, `[dbo].[Items]` -> `Items`, `dbo.Items` */
function withoutQuotes(name: string): string {
  return name.replaceAll(/"([^"]+)"|`([^`]+)`|\[([^\]]+)\]/g, "$1$2$3");
}

/** The head: the line with the name and the following lines until its parentheses are closed. */
function headOf(lines: readonly Line[], { line, last, headEnd = line }: Open): string {
  let head = "";
  // In Lisp, the parentheses close at the end of the definition.
  if (lines[line]?.text.startsWith("(") === true) return lines[line].text.slice(0, MAX_HEAD_LENGTH);
  for (let i = line; i <= last && i < line + 10; i++) {
    head += ` ${lines[i]?.text.slice(0, MAX_HEAD_LENGTH) ?? ""}`;
    if (i >= headEnd && head.split("(").length <= head.split(")").length) break;
  }
  return head;
}

/** The first line of the comments and attributes directly above. */
function firstAttached(lines: readonly Line[], { line, indent }: Open): number {
  let first = line;
  for (let above = lines[first - 1]; above !== undefined; above = lines[first - 1]) {
    const closing = /^(?:"""|\**\*\/)$/.exec(above.text)?.[0];
    // The stars of a block comment are aligned below the first star.
    const isLevel =
      above.indent === indent || (closing?.endsWith("/") === true && above.indent === indent + 1);
    if (!isLevel) break;
    if (closing !== undefined) {
      const opening = openingOf(lines, first - 1, closing === '"""' ? '"""' : "/*");
      if (opening === undefined) return first;
      first = opening;
    } else if (above.isAttached) first--;
    else break;
  }
  return first;
}

/** The first line of the multi-line text that ends on a line, at most 100 lines above. */
function openingOf(lines: readonly Line[], end: number, mark: string): number | undefined {
  for (let i = end - 1; i >= 0 && i > end - 100; i--)
    if (lines[i]?.text.includes(mark) === true) return i;
  return undefined;
}

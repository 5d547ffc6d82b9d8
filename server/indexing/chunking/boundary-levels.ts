/** Rates each line as a chunk boundary: outer syntax nodes are best, then blank lines and indentation. */

import type { Syntax, SyntaxNode } from "../../contracts/languages.ts";
import type { ChunkOptions, Page } from "./chunk-page.ts";

/** Lower is better. Levels of syntax are below levels of text. */
const MAX_SYNTAX_LEVEL = 199;
/** Depth limit of the walk. Code has tens of levels; deeper data is cut at its lines. */
const MAX_DEPTH = 400;
const FIRST_OF_TEXT = 200;
const MAX_INDENT_LEVEL = 40;
/** The worst level: a boundary at any line. */
export const ANY_LINE = FIRST_OF_TEXT + 2 * MAX_INDENT_LEVEL + 2;

const TAB = 4;

/** Comments, decorators and attributes belong to the next node. */
const IS_ATTACHED = /comment|decorator|annotation|attribute_item|attribute_list|^access_specifier$/;
/** Bodies: their children count as children of the enclosing node, and the line before them is never a boundary. */
const IS_BODY =
  /(?:^|_)(?:block|body|body_statement|compound_statement|declaration_list|statement_list|enumerator_list|arguments|then|else)$/;
/** Lines that close or continue the lines above. */
const IS_TAIL =
  /^(?:[)}\]>,.&|?:]|\{|end\b|else\b|elsif\b|elif\b|except\b|rescue\b|ensure\b|catch\b|finally\b|then\b|do\b|done\b|fi\b|esac\b|where\b|deriving\b)/;

/** Returns one level per line. */
export function boundaryLevels(page: Page, syntax: Syntax, options: ChunkOptions): Uint16Array {
  const levels = new Uint16Array(page.starts.length - 1).fill(ANY_LINE);
  levelText(levels, page);
  if (syntax.root === undefined) levelDefinitions(levels, page, syntax);
  else levelTree(levels, page, syntax.root, options.chunkSize);
  return levels;
}

/** Visits only nodes that are larger than a chunk, so that most of a tree is skipped. */
function levelTree(levels: Uint16Array, page: Page, root: SyntaxNode, size: number): void {
  const open = [{ node: root, level: 0, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, level } = next;
    const depth = next.depth + 1;
    if (depth > MAX_DEPTH) continue;
    const { children } = node;
    let isHead = !IS_BODY.test(node.type) && children.some((child) => IS_BODY.test(child.type));
    let attachedFrom: number | undefined;
    for (const child of children) {
      const line = page.lineAt(child.startIndex);
      if (IS_ATTACHED.test(child.type) && isFirstOnLine(page, line, child.startIndex)) {
        attachedFrom ??= line;
        continue;
      }
      const isBody = IS_BODY.test(child.type);
      isHead &&= !isBody;
      const from = attachedFrom ?? line;
      attachedFrom = undefined;
      const isPart = !isBody && !isHead && !isClosing(child.type);
      if (isPart && isFirstOnLine(page, line, child.startIndex)) {
        levels[from] = Math.min(levels[from] ?? ANY_LINE, level);
      }
      if (isBody) open.push({ node: child, level, depth });
      else if (page.bytesAt(child.endIndex) - page.bytesAt(page.starts[from] ?? 0) > size) {
        open.push({ node: child, level: Math.min(level + 1, MAX_SYNTAX_LEVEL), depth });
      }
    }
  }
}

/** Brackets and `end` are nodes of their own. */
function isClosing(type: string): boolean {
  return type === "end" || !/\w/.test(type);
}

function isFirstOnLine({ text, starts }: Page, line: number, offset: number): boolean {
  return text.slice(starts[line], offset).trim() === "";
}

/** Boundaries of definitions, by nesting depth. */
function levelDefinitions(levels: Uint16Array, page: Page, { definitions }: Syntax): void {
  const ends: number[] = [];
  for (const { symbol, start } of definitions) {
    while (ends.length > 0 && (ends.at(-1) ?? 0) < symbol.lines.end) ends.pop();
    const level = Math.min(ends.length, MAX_SYNTAX_LEVEL);
    for (const line of [page.lineAt(start), symbol.lines.end + 1]) {
      if (line < levels.length) levels[line] = Math.min(levels[line] ?? ANY_LINE, level);
    }
    ends.push(symbol.lines.end);
  }
}

function levelText(levels: Uint16Array, { text, starts }: Page): void {
  let isBlankBefore = true;
  for (let line = 0; line < levels.length; line++) {
    const start = starts[line] ?? 0;
    const raw = text.slice(start, Math.min(starts[line + 1] ?? text.length, start + 200));
    const content = raw.trim();
    if (content === "") {
      isBlankBefore = true;
      continue;
    }
    if (!IS_TAIL.test(content)) {
      const indent = Math.min(indentOf(raw) + (content.startsWith("- ") ? 1 : 0), MAX_INDENT_LEVEL);
      levels[line] = FIRST_OF_TEXT + 2 * indent + (isBlankBefore ? 0 : 1);
    }
    isBlankBefore = false;
  }
}

function indentOf(raw: string): number {
  let indent = 0;
  for (const character of raw) {
    if (character === "\t") indent += TAB;
    else if (character === " ") indent++;
    else break;
  }
  return indent;
}

/** The last stage: formats the selected passages as Markdown, JSON or XML. Line numbers are 1-based. */

import { oneLine } from "../common/text.ts";
import type { ContextFormat } from "../contracts/context-request.ts";
import type { Lines } from "../contracts/model.ts";
import { MAX_GAP_LINES, type Packed, type Reference } from "./pack.ts";
import { type FileText, fileKey, type Passage } from "./passage.ts";

/** Consecutive lines of a file. */
interface Section {
  readonly lines: Lines;
  readonly text: string;
}

/** The displayed parts of one file. */
interface FileSection {
  readonly path: string;
  readonly languageId: string;
  readonly symbols: readonly string[];
  readonly sections: readonly Section[];
}

export function formatContext(
  packed: Packed,
  files: ReadonlyMap<string, FileText>,
  format: ContextFormat,
): string {
  const shown = fileSections(packed, files);
  if (shown.length === 0 && packed.references.length === 0) return "";
  return FORMATS[format](shown, packed.references);
}

const FORMATS: Readonly<
  Record<ContextFormat, (files: readonly FileSection[], references: readonly Reference[]) => string>
> = { md: asMarkdown, json: asJson, xml: asXml };

function asMarkdown(files: readonly FileSection[], references: readonly Reference[]): string {
  const blocks = files.map(({ path, languageId, symbols, sections }) => {
    const body = sections.map(({ text }) => text).join("\n...\n");
    const fence = fenceFor(body);
    const ranges = sections.map(({ lines }) => rangeOf(lines)).join(",");
    const names = symbols.length === 0 ? "" : ` ${symbols.join(", ")}`;
    return `## ${path}:${ranges}${names}\n${fence}${languageId}\n${body}\n${fence}`;
  });
  if (references.length > 0) blocks.push(`## Also relevant\n${referenceLines(references)}`);
  return `${blocks.join("\n\n")}\n`;
}

/** Longer than any run of backticks inside. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  return "`".repeat(longest + 1);
}

function referenceLines(references: readonly Reference[]): string {
  return references
    .map(({ passage, line, text }) => `- ${passage.path}:${line + 1} ${oneLine(text)}`.trimEnd())
    .join("\n");
}

function asJson(files: readonly FileSection[], references: readonly Reference[]): string {
  const document = {
    files: files.map(({ path, languageId, symbols, sections }) => ({
      path,
      language: languageId,
      symbols,
      sections: sections.map(({ lines, text }) => ({ lines: rangeOf(lines), text })),
    })),
    references: references.map(({ passage, line, text }) => ({
      path: passage.path,
      line: line + 1,
      text: oneLine(text),
    })),
  };
  return `${JSON.stringify(document)}\n`;
}

function asXml(files: readonly FileSection[], references: readonly Reference[]): string {
  const parts = files.map(({ path, languageId, sections }) => {
    const inner = sections.map(
      ({ lines, text }) => `<lines range="${rangeOf(lines)}">${cdata(text)}</lines>`,
    );
    return `<file path="${escapeXml(path)}" language="${escapeXml(languageId)}">\n${inner.join("\n")}\n</file>`;
  });
  const named = references.map(
    ({ passage, line, text }) =>
      `<reference path="${escapeXml(passage.path)}" line="${line + 1}">${escapeXml(oneLine(text))}</reference>`,
  );
  return `<context>\n${[...parts, ...named].join("\n")}\n</context>\n`;
}

/** Without the characters that no XML document may have, even escaped. */
function validXml(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
}

function cdata(text: string): string {
  return `<![CDATA[\n${validXml(text).replaceAll("]]>", "]]]]><![CDATA[>")}\n]]>`;
}

function escapeXml(text: string): string {
  const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", '"': "&quot;" };
  return validXml(text).replace(/[&<"]/g, (each) => named[each] ?? each);
}

/** Files in the order of their best passage; inside of a file in the order of lines. */
function fileSections({ excerpts }: Packed, files: ReadonlyMap<string, FileText>): FileSection[] {
  const byFile = new Map<string, { passages: Passage[]; lines: Set<number> }>();
  for (const { passage, lines } of excerpts) {
    const key = fileKey(passage);
    const known = byFile.get(key) ?? { passages: [], lines: new Set() };
    known.passages.push(passage);
    for (const line of lines) known.lines.add(line);
    byFile.set(key, known);
  }
  return [...byFile].flatMap(([key, { passages, lines }]) => {
    const [first] = passages;
    const file = files.get(key);
    if (first === undefined || file === undefined) return [];
    const names = passages.flatMap(({ symbol }) => symbol?.name ?? []);
    return [
      {
        path: first.path,
        languageId: first.languageId,
        symbols: [...new Set(names)],
        sections: sectionsOf(
          [...lines].toSorted((a, b) => a - b),
          file,
        ),
      },
    ];
  });
}

/** Ranges with a small gap between them become one, where the gap was read. */
function sectionsOf(lines: readonly number[], file: FileText): Section[] {
  const ranges: { start: number; end: number }[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    const gap = last === undefined ? Number.POSITIVE_INFINITY : line - last.end - 1;
    const isRead =
      gap <= MAX_GAP_LINES &&
      Array.from({ length: gap }, (_, i) => line - 1 - i).every((each) => file.has(each));
    if (last !== undefined && isRead) last.end = line;
    else ranges.push({ start: line, end: line });
  }
  return ranges.map((range) => ({ lines: range, text: textOf(range, file) }));
}

function textOf({ start, end }: Lines, file: FileText): string {
  return Array.from({ length: end - start + 1 }, (_, i) => file.shownText(start + i)).join("\n");
}

function rangeOf({ start, end }: Lines): string {
  return start === end ? `${start + 1}` : `${start + 1}-${end + 1}`;
}

/** Cuts a bug report into its parts: title, prose, code, tracebacks, logs, environment dumps, templates, diffs. */

import {
  headingOf,
  isSentence,
  kindOfLine,
  type LineKind,
  sectionOf,
  startsTraceback,
} from "./report-lines.ts";

const PART_KINDS = [
  "title",
  "prose",
  "code",
  "traceback",
  "message",
  "log",
  "diff",
  "environment",
  "template",
] as const;
export type PartKind = (typeof PART_KINDS)[number];

export interface ReportPart {
  readonly kind: PartKind;
  readonly text: string;
}

/** Instructions of GitHub's templates to the reporter. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const FENCE = /^ {0,3}(?:> ?)*\s*(`{3,}|~{3,})\s*([\w+#.-]*)/;
const DIFF = /^(?:diff --git |@@ -\d+|(?:---|\+\+\+) [ab]\/)/;
const INDENTED = /^(?: {4}|\t)/;
/** The prefix of each line that programs and containers pass on: `INTERNALERROR> `, `web_1  | `. */
const PREFIX = /^(?:[A-Z]{4,}> ?|[\w.-]{1,40}[_-]\d+ +\| ?)/;
/** The last line of a traceback, which says what went wrong. */
const MESSAGE =
  /^(?:E {3,})?(?:[\w$]+(?:[.:]{1,2}[\w$]+)*(?:Error|Exception|Warning|Exit|Interrupt|Failure|Failed|Fault|Panic)\b|error(?:\[\w+\])?:|fatal(?: error)?:|panic: |caused by: |\*\* \(\w)/i;

/** Linear in the length of the text. */
export function partsOfReport(text: string): ReportPart[] {
  const [title = "", ...lines] = withoutComments(text)
    .trim()
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(PREFIX, ""));
  const heading = headingOf(title);
  const isTitled =
    heading === undefined ? kindOfLine(title) === "text" : sectionOf(heading) === "own";
  const reader = new PartReader();
  if (isTitled) reader.add("title", heading ?? title);
  reader.read(isTitled ? lines : [title, ...lines]);
  return reader.parts();
}

function withoutComments(text: string): string {
  return text.includes("<!--") ? text.replaceAll(COMMENT, "") : text;
}

/** Goes through the lines once. */
class PartReader {
  readonly #parts: { kind: PartKind; lines: string[] }[] = [];
  /** The kind that the last heading gives to all lines below it. */
  #section: "environment" | "template" | "own" = "own";
  #isInTraceback = false;
  #isAfterBlank = true;

  read(lines: readonly string[]): void {
    for (let i = 0; i < lines.length; i++) {
      const mark = FENCE.exec(lines[i] ?? "")?.[1];
      if (mark === undefined) {
        this.#line(lines[i] ?? "");
        continue;
      }
      const closes = (line: string) => line.trim().startsWith(mark) && FENCE.test(line);
      let end = i + 1;
      while (end < lines.length && !closes(lines[end] ?? "")) end++;
      this.#fence(lines.slice(i + 1, end));
      i = end;
    }
  }

  add(kind: PartKind, line: string): void {
    const last = this.#parts.at(-1);
    if (last?.kind === kind && kind !== "title") last.lines.push(line);
    else this.#parts.push({ kind, lines: [line] });
  }

  parts(): ReportPart[] {
    return this.#parts.map(({ kind, lines }) => ({ kind, text: lines.join("\n") }));
  }

  #line(line: string): void {
    const kind = kindOfLine(line);
    if (kind === "blank") {
      this.#isAfterBlank = true;
      return;
    }
    const heading = kind === "heading" ? headingOf(line) : undefined;
    if (heading !== undefined) this.#section = sectionOf(heading);
    if (heading !== undefined && this.#section !== "own") this.add("template", line);
    else this.#body(line, kind);
    this.#isAfterBlank = false;
  }

  #body(line: string, kind: LineKind): void {
    const isOfSection = kind !== "frame" && !(kind === "text" && isSentence(line));
    if (this.#section === "environment" && isOfSection) {
      this.add("environment", line);
    } else if (startsTraceback(line) || kind === "frame") {
      this.#isInTraceback = true;
      this.add("traceback", line);
    } else if (this.#isInTraceback && this.#goesOn(line)) {
      this.#traced(line);
    } else {
      this.#isInTraceback = false;
      const isSet = this.#isAfterBlank || this.#parts.at(-1)?.kind === "code";
      this.add(partOfLine(line, kind, isSet), line);
    }
  }

  /** A line of a traceback that names no place: source, or the message at its end. */
  #traced(line: string): void {
    const isMessage = MESSAGE.test(line);
    this.add(isMessage ? "message" : "traceback", line);
  }

  #goesOn(line: string): boolean {
    return !this.#isAfterBlank || /^\s/.test(line) || MESSAGE.test(line);
  }

  /** One block of pasted text: mostly of one kind, except that a traceback may follow the call. */
  #fence(lines: readonly string[]): void {
    const kinds = lines.map(kindOfLine);
    const filled = kinds.filter((kind) => kind !== "blank").length;
    const mostly = (kind: LineKind) => kinds.filter((each) => each === kind).length * 2 > filled;
    this.#isAfterBlank = true;
    if (lines.some((line) => DIFF.test(line))) this.#all("diff", lines);
    else if (this.#section === "environment" || mostly("environment"))
      this.#all("environment", lines);
    else if (mostly("log")) this.#all("log", lines);
    else this.#code(lines, kinds);
    this.#isInTraceback = false;
    this.#isAfterBlank = true;
  }

  #all(kind: PartKind, lines: readonly string[]): void {
    for (const line of lines) this.add(kind, line);
  }

  #code(lines: readonly string[], kinds: readonly LineKind[]): void {
    let isTraced = false;
    lines.forEach((line, i) => {
      const kind = kinds[i];
      if (kind === "blank") return;
      if (kind === "prompt") isTraced = false;
      else if (kind === "frame") isTraced = true;
      if (kind === "log") this.add("log", line);
      else if (isTraced && kind !== "frame") this.#traced(line);
      else if (isTraced) this.add("traceback", line);
      else this.add(MESSAGE.test(line) ? "message" : "code", line);
    });
  }
}

/** `isSet`: whether what is indented is set apart as code, and does not go on a paragraph or a list. */
function partOfLine(line: string, kind: LineKind, isSet: boolean): PartKind {
  if (kind === "log" || kind === "environment" || kind === "template") return kind;
  if (MESSAGE.test(line)) return "message";
  return kind === "prompt" || (INDENTED.test(line) && isSet) ? "code" : "prose";
}

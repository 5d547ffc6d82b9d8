/** Parses a bug report into weighted clues about the place to fix: texts, names, files and frames. */

import { placesIn, type ReportPlace } from "./report-frames.ts";
import {
  type MentionedModule,
  type MentionedName,
  mentionsIn,
  NAME_WEIGHTS,
} from "./report-names.ts";
import { type PartKind, partsOfReport, type ReportPart } from "./report-parts.ts";
import { WORD_WEIGHTS, wordsOfReport } from "./report-words.ts";

export interface BugReport {
  readonly title: string;
  readonly parts: readonly ReportPart[];
  /** For the keyword lane. */
  readonly words: readonly string[];
  /** The texts to embed, each with the weight of its vector in the sum. */
  readonly texts: readonly WeightedText[];
  readonly names: readonly MentionedName[];
  readonly modules: readonly MentionedModule[];
  readonly places: readonly ReportPlace[];
  readonly isAboutTests: boolean;
  /** Whether the report exceeded the length limit and was truncated. */
  readonly isCut: boolean;
}

export interface WeightedText {
  readonly kind: PartKind;
  readonly text: string;
  readonly weight: number;
}

/** Maximum lengths of the head and tail of the report: logs are long and end with the error. */
const MAX_HEAD = 60_000;
const MAX_TAIL = 40_000;

/** Shorter texts of several lines are questions or messages. */
const MIN_LENGTH = 120;

/** Share of each part in the vector of the report. */
const TEXT_WEIGHTS: Readonly<Partial<Record<PartKind, number>>> = {
  title: 1,
  prose: 0.7,
  message: 0.4,
  code: 0.3,
};
/** Maximum number of characters to embed per kind of part. */
const MAX_TEXT = 3_000;

const ABOUT_TESTS =
  /\btests? (?:suite|fails?|failures?|failing|failed|errors?|broken|times? out|hangs?)\b|\b(?:failing|flaky|broken|slow|doc)[- ]?tests?\b/i;

/** Returns undefined if the text is not a bug report: a question, or a stack trace without prose. */
export function readReport(raw: string): BugReport | undefined {
  if (raw.length < MIN_LENGTH || !raw.trim().includes("\n")) return undefined;
  const isCut = raw.length > MAX_HEAD + MAX_TAIL;
  const text = isCut ? cutMiddle(raw, MAX_HEAD, MAX_TAIL) : raw;
  const parts = partsOfReport(text.replaceAll(COLOR, "").normalize("NFC"));
  const isStory = parts.some(({ kind }) => STORY.has(kind));
  if (!isStory && !parts.every(({ kind }) => SAYS_NOTHING.has(kind))) return undefined;
  const title = parts.find(({ kind }) => kind === "title")?.text ?? "";
  return {
    title,
    parts,
    words: wordsOfReport(parts),
    texts: textsOf(parts),
    ...mentionsIn(parts),
    places: placesIn(parts),
    isAboutTests: ABOUT_TESTS.test(title),
    isCut,
  };
}

/** The parts that a person wrote or chose. A report without them contains only output of a program. */
const STORY: ReadonlySet<PartKind> = new Set(["prose", "code", "diff"]);
/** A report with only these parts is an empty issue template, with or without a title. */
const SAYS_NOTHING: ReadonlySet<PartKind> = new Set(["title", "environment", "template"]);

/** Terminal escape sequences for colors and cursor movement. */
const COLOR = new RegExp(String.raw`\u001b\[[\d;?]*[A-Za-z]`, "g");

/** Truncates the middle of a text at line breaks if it has any, so that no line of a log is cut in half. */
export function cutMiddle(raw: string, head: number, tail: number): string {
  const [first, last] = [raw.slice(0, head), raw.slice(-tail)];
  return `${first.slice(0, first.lastIndexOf("\n") + 1 || head)}\n${last.slice(last.indexOf("\n") + 1)}`;
}

function textsOf(parts: readonly ReportPart[]): WeightedText[] {
  return Object.entries(TEXT_WEIGHTS).flatMap(([name, weight]) => {
    const kind = name as PartKind;
    const text = parts
      .filter((part) => part.kind === kind)
      .map((part) => part.text)
      .join("\n")
      .slice(0, MAX_TEXT);
    return /\p{L}/u.test(text) ? [{ kind, text, weight }] : [];
  });
}

/** Each kind of part with its length and its weights, for `analyze`. */
export function describeParts({ parts }: BugReport): string[] {
  const lengths = new Map<PartKind, number>();
  for (const { kind, text } of parts) lengths.set(kind, (lengths.get(kind) ?? 0) + text.length);
  return [...lengths].map(([kind, length]) => {
    const weights = `words ${WORD_WEIGHTS[kind]}, names ${NAME_WEIGHTS[kind]}, meaning ${TEXT_WEIGHTS[kind] ?? 0}`;
    return `${kind}: ${length} characters (${weights})`;
  });
}

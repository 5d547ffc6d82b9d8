/** Parses a query into its words, names, kind, and inline filters. */

import { spelledInFull } from "../../common/dotted-name.ts";
import { parseTime } from "../../common/time-text.ts";
import { tokensOf, wordsOfToken } from "../../common/words.ts";
import type { ResolveLanguage } from "../../contracts/languages.ts";
import { SYMBOL_TYPES, type SymbolType } from "../../contracts/model.ts";
import { MAX_QUERY_LENGTH } from "../../contracts/search-request.ts";
import { type BugReport, cutMiddle, readReport } from "../report/report.ts";
import { type Frame, framesIn } from "../report/stack-frames.ts";
import { isBinaryText } from "./binary-text.ts";
import { STOP_WORDS } from "./stop-words.ts";

/**
 * `symbol`: one name, written as code writes names. `word`: one plain word, a name or not. `path`: a file or
 * folder. `error`: a message of a program or a stack trace, pasted. `report`: several paragraphs, with code, logs and
 * traces perhaps. `sentence`: everything else. `empty`: nothing to look for.
 */
export type QueryKind = "symbol" | "word" | "path" | "error" | "report" | "sentence" | "empty";

/** Filters written in the query: `lang:python type:function path:src/ recent:30d`. */
export interface InlineFilters {
  readonly languages: readonly string[];
  readonly symbolTypes: readonly SymbolType[];
  readonly paths: readonly string[];
  /** An age or a date: only files that have changed since then. */
  readonly changedSince?: string;
  /** Filters with an unknown language, type or age; they stay in the text. */
  readonly unknown: readonly string[];
}

export interface Query {
  /** The text to embed: the query without its inline filters. */
  readonly text: string;
  readonly kind: QueryKind;
  /** For the keyword lane: without stop words; words of quoted phrases twice. */
  readonly words: readonly string[];
  /** Words outside of names, in lower case, without stop words: for comparing with file names. */
  readonly plainWords: readonly string[];
  /** The plain words up to the first full stop, colon, question or exclamation mark; the rest of a long query is background. */
  readonly subject: readonly string[];
  /** Names as code writes them, in order; for a `symbol` or `word` query the one name. */
  readonly identifiers: readonly string[];
  /** Files and folders that are named. */
  readonly paths: readonly string[];
  /** Places that a stack trace or a compiler names, innermost first; their paths are among `paths`. */
  readonly frames: readonly Frame[];
  /** Quoted, or code in a sentence. */
  readonly phrases: readonly string[];
  /** Phrases in double quotes, matched exactly. */
  readonly quoted: readonly string[];
  readonly filters: InlineFilters;
  /** Words and names that the caller expects in the code, beside the query; they are among `words` and `identifiers`. */
  readonly terms: readonly string[];
  /** Words that code may use in place of the query's words, from the thesaurus; only words that an index contains. */
  readonly related: readonly string[];
  /** The parsed bug report of a `report` query. */
  readonly report?: BugReport;
  /** Warnings about the interpretation of the query. */
  readonly warnings: readonly string[];
}

/** `a.b`, `a::b`, `a->b`, `a#b`, each part a name. */
const QUALIFIED = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->|#|\\)[\p{L}_$][\p{L}\p{N}_$]*)+$/u;
const NAME = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u;
/** A capital after a small letter or digit, an underscore or dollar inside or before, or acronym and word: `HTTPServer`. */
const CODE_SHAPE = /[\p{Ll}\p{N}]\p{Lu}|[\p{L}\p{N}][_$]+[\p{L}\p{N}]|^[_$]+\p{L}|\p{Lu}{2}\p{Ll}/u;
/**
 * A name as some languages write it: `save!`, `valid?`, `step'`, `item*` behind any name, words joined by hyphens
 * (`cookie-store`, `Resolve-OutputFormat`), segments of such names, or a selector of several parts (`session:task:`).
 */
const ODD_NAME =
  /^(?=.*[!?'*-]|.*\w:\w.*:$)[*+%&]?[\p{L}_$@][\p{L}\p{M}\p{N}_$@%&*+]*(?:(?:-|\.|::|->|#|:)[\p{L}\p{N}_$*+][\p{L}\p{M}\p{N}_$*+]*)*[!?'*+:]{0,3}$/u;
/** `<=>`, `<+>`, `+++`; neither `?!` nor an ellipsis. */
const OPERATOR = /^(?=.*[-+*/<>=~^&|%])[-+*/<>=!~^&|%?:.@$\\]{2,5}$/u;
/** With a slash and a name on both sides, or a name with an extension that is not a method call. */
const PATH =
  /^(?:\.{0,2}\/)?[\w@.~+-]+(?:[/\\][\w@.~+*-]+)+\/?$|^[\w@~+-]+(?:\.[\w-]+)*\.[a-z]{1,5}$/u;
/** Extensions that make `name.ext` a file and not a member of something. */
const EXTENSION =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kts?|c|cc|cpp|cxx|h|hh|hpp|rb|php|cs|swift|scala|exs?|lua|zig|hs|sh|bash|sql|md|rst|txt|ya?ml|toml|json|xml|html?|css|tf|hcl|proto|vue|svelte)$/i;
/** Separators of names in code and prose; the arrow of `a->b` is not one. */
const SEPARATOR = /(?:[\s,;"`'()[\]{}<=|!?]|(?<!-)>)+/u;
/** `TypeError: …`, `error[E0382]: …`, `panic: …`, `java.io.IOException: …`, at the start of a line. */
const MESSAGE =
  /^\s*(?:uncaught |unhandled |fatal |caused by: )?(?:[\w.$]*(?:Error|Exception)|error|panic|fatal|exception|traceback[^:\n]*)(?:\s?\[[^\]\n]*\]|\(\w+\))?:\s*\S?/im;
/** Letters of scripts without spaces: a run of them is a sentence. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** After a word, so that `e.g.` and `v1.` end nothing. */
const CLAUSE_END = /(?<=\p{L}{3})[.:!?](?:\s|$)/u;
/** A single word before a colon (`fix: …`, `App: …`) is too short for a subject. */
const MIN_SUBJECT_WORDS = 2;
/** Number of leading characters kept of a text that is too long; the rest is kept from the end, where a log states the error. */
const MAX_HEAD = 4_000;

const IS_CUT = "characters and was cut: its middle was left out";
const IS_BINARY =
  "the query is binary, or in an encoding that cannot be read: nothing was searched";
const SAYS_NOTHING =
  "the text says nothing of a place in the code: it has only versions, logs or the lines of a template";

export function parseQuery(raw: string, resolveLanguage: ResolveLanguage): Query {
  if (isBinaryText(raw)) return { ...parseQuestion("", resolveLanguage), warnings: [IS_BINARY] };
  const report = readReport(raw);
  return report === undefined ? parseQuestion(raw, resolveLanguage) : parseReport(raw, report);
}

/** Reads no inline filters: pasted text may contain `key:value` pairs that are not filters. */
function parseReport(raw: string, report: BugReport): Query {
  const plainWords = plainWordsOf(report.title);
  const isEmpty = report.words.length === 0 && report.places.length === 0;
  return {
    text: raw.slice(0, MAX_QUERY_LENGTH).normalize("NFC"),
    kind: isEmpty ? "empty" : "report",
    words: report.words,
    plainWords,
    subject: plainWords,
    identifiers: [],
    paths: [],
    frames: [],
    phrases: [],
    quoted: [],
    filters: { languages: [], symbolTypes: [], paths: [], unknown: [] },
    terms: [],
    related: [],
    report,
    warnings: [
      ...(report.isCut ? [`the report is longer than 100,000 ${IS_CUT}`] : []),
      ...(isEmpty ? [SAYS_NOTHING] : []),
    ],
  };
}

function parseQuestion(raw: string, resolveLanguage: ResolveLanguage): Query {
  const isCut = raw.length > MAX_QUERY_LENGTH;
  const read = isCut ? cutMiddle(raw, MAX_HEAD, MAX_QUERY_LENGTH - MAX_HEAD - 1) : raw;
  const { text, filters } = takeFilters(read.normalize("NFC"), resolveLanguage);
  const phrases = [...text.matchAll(/"([^"\n]{2,})"|`([^`\n]{2,})`/g)].map(
    ([, double, back]) => double ?? back ?? "",
  );
  const quoted = [...text.matchAll(/"([^"\n]{2,})"/g)].flatMap(([, phrase]) => phrase ?? []);
  const name = filters.unknown.length === 0 ? nameOf(text) : undefined;
  const pieces = name === undefined ? piecesOf(text) : [name];
  const frames = framesIn(text);
  const paths = [...frames.map(({ path }) => path), ...pieces.map(withoutPosition).filter(isPath)];
  // The arity of `reply/4` does not count as a word.
  const words = contentWords(name ?? text, phrases);
  const kind = kindOf(pieces, words, text, frames);
  return {
    text,
    kind,
    words,
    plainWords: plainWordsOf(text),
    subject: subjectOf(text),
    identifiers: identifiersOf(kind, pieces),
    paths: [...new Set(paths)],
    frames,
    phrases,
    // A program puts values of its own in quotes.
    quoted: kind === "error" ? [] : quoted.filter((phrase) => !isPath(phrase)),
    filters,
    terms: [],
    related: [],
    warnings: isCut ? [`the query is longer than 10,000 ${IS_CUT}`] : [],
  };
}

function piecesOf(text: string): string[] {
  const pieces = text.split(SEPARATOR);
  return pieces
    .map((piece) => piece.replaceAll(/^[.:#@-]+|[.:#-]+$/g, ""))
    .filter((piece) => piece !== "");
}

/** A query that is one name which sentences take apart, with or without quotes. */
function nameOf(text: string): string | undefined {
  const [, inQuotes] = /^"([^"\s]+)"$|^`([^`\s]+)`$/.exec(text)?.filter(Boolean) ?? [];
  const name = inQuotes ?? text;
  return isOddName(name) ? name : spelledInFull(name.trim());
}

function isOddName(name: string): boolean {
  return (ODD_NAME.test(name) && !isPath(name)) || OPERATOR.test(name);
}

/** A query of one name asks for it, however it is written. */
function identifiersOf(kind: QueryKind, pieces: readonly string[]): readonly string[] {
  if (kind === "symbol" || kind === "word") return pieces;
  return [...new Set(pieces.filter(isIdentifier))];
}

/** Whether code writes names like this: `getUser`, `get_user`, `a::b`; a capital alone (`Session`) is only a sentence's start. */
export function isIdentifier(piece: string): boolean {
  if (NAME.test(piece)) return CODE_SHAPE.test(piece);
  return QUALIFIED.test(piece) && !isPath(piece);
}

function isPath(piece: string): boolean {
  return PATH.test(piece) && (/[/\\]/.test(piece) || EXTENSION.test(piece));
}

/** `src/a.ts:10:5`, as compilers and stack traces write it. */
function withoutPosition(piece: string): string {
  return piece.replace(/(?::\d+)+$/, "");
}

function kindOf(
  pieces: readonly string[],
  words: readonly string[],
  text: string,
  frames: readonly Frame[],
): QueryKind {
  const [only] = pieces;
  if (only === undefined) return "empty";
  if (pieces.length === 1) {
    if (isPath(withoutPosition(only))) return "path";
    if (isOddName(only) || isIdentifier(only) || /^\p{Lu}[\p{L}\p{N}]+$/u.test(only))
      return "symbol";
    if (NAME.test(only) && !UNSPACED.test(only)) return "word";
  }
  if (words.length === 0) return "empty";
  return isMessage(text, frames) ? "error" : "sentence";
}

/** A line that begins like a program's message is one; a frame is part of a stack trace where it names its function too. */
function isMessage(text: string, frames: readonly Frame[]): boolean {
  const isTrace = text.includes("\n") || frames.some(({ function: name }) => name !== undefined);
  return (frames.length > 0 && isTrace) || MESSAGE.test(text);
}

/** The words of a text without stop words. Parts of identifiers stay, so that the whole still follows its parts. */
function contentWords(text: string, phrases: readonly string[]): string[] {
  const tokens = tokensOf(text);
  const kept = tokens.filter((token) => !STOP_WORDS.has(token.toLowerCase()));
  return [...kept, ...phrases.flatMap(tokensOf)].flatMap(wordsOfToken);
}

function plainWordsOf(text: string): string[] {
  const words = tokensOf(text).flatMap(wordsOfToken);
  return [...new Set(words)].filter((word) => word.length > 1 && !STOP_WORDS.has(word));
}

function subjectOf(text: string): string[] {
  const words = plainWordsOf(text.split(CLAUSE_END, 1)[0] ?? "");
  return words.length < MIN_SUBJECT_WORDS ? plainWordsOf(text) : words;
}

/** Takes `lang:`, `type:` and `path:` out of the text; one that names nothing known stays text. */
function takeFilters(
  raw: string,
  resolveLanguage: ResolveLanguage,
): { text: string; filters: InlineFilters } {
  const languages: string[] = [];
  const symbolTypes: SymbolType[] = [];
  const paths: string[] = [];
  const unknown: string[] = [];
  let changedSince: string | undefined;
  const take = (whole: string, before: string, key: string, value: string) => {
    const language = /^lang/i.test(key) ? resolveLanguage(value.toLowerCase()) : undefined;
    const type =
      key.toLowerCase() === "type" ? SYMBOL_TYPES.find((each) => each === value) : undefined;
    if (language !== undefined) languages.push(language);
    else if (type !== undefined) symbolTypes.push(type);
    else if (/^path$/i.test(key)) paths.push(value);
    else if (/^recent$/i.test(key) && parseTime(value, Date.now()) !== undefined)
      changedSince = value;
    else {
      unknown.push(`${key}:${value}`);
      return whole;
    }
    return before;
  };
  const text = raw.replaceAll(/(^|\s)(lang|language|type|path|recent):([^\s"]+)(?=\s|$)/gi, take);
  const recent = changedSince === undefined ? {} : { changedSince };
  return { text: text.trim(), filters: { languages, symbolTypes, paths, unknown, ...recent } };
}

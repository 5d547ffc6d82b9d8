/** Extracts literals for exact matching from a query: names, keys, flags, routes, quoted strings, and texts of messages. */

import { tokensOf } from "../../common/words.ts";
import { isIdentifier, type Query } from "../query/query.ts";
import { framesIn } from "../report/stack-frames.ts";

/** A text to match exactly. */
export interface Literal {
  readonly text: string;
  /** `whole`: the query is nothing else. `quoted`: in double quotes. `part`: a token of a sentence. */
  readonly role: "whole" | "quoted" | "part";
  readonly isQuoted: boolean;
}

/** The tokens of running text, in lower case. */
export interface Message {
  readonly tokens: readonly string[];
  /** Whether a token may be an interpolated value: a number, a part of a path, a single word in quotes. */
  readonly isValue: readonly boolean[];
  /** For one clause of a line, its share of the line's tokens: programs join messages of several places by colons. */
  readonly clauseOf?: number;
}

export interface Literals {
  readonly exact: readonly Literal[];
  readonly messages: readonly Message[];
}

const MAX_PARTS = 8;
/** Shorter runs of tokens occur everywhere. */
export const MIN_RUN = 3;
/** Only the first lines of a pasted log are read: they state the error. */
const MAX_MESSAGES = 2;
const MAX_MESSAGE_TOKENS = 48;
const MAX_CLAUSES = 3;
const MIN_CLAUSE_TOKENS = 4;
/** A longer text is not a name. */
const MAX_LITERAL_LENGTH = 500;

const NONE: Literals = { exact: [], messages: [] };

export function literalsOf(query: Query): Literals {
  if (query.kind === "empty" || query.kind === "report") return NONE;
  const whole = wholeOf(query);
  if (whole !== undefined) return { exact: [whole], messages: [] };
  // In a sentence, one word is a word with or without quotes.
  const phrases = query.quoted.filter((text) => /\S\s+\S/.test(text));
  const quoted = phrases.map((text): Literal => ({ text, role: "quoted", isQuoted: true }));
  const parts = partsOf(query).map((text): Literal => ({ text, role: "part", isQuoted: false }));
  return {
    exact: [...quoted, ...parts].filter(({ text }) => isLookedFor(text)).slice(0, MAX_PARTS),
    messages: messagesOf(query.text),
  };
}

/** Strips surrounding brackets, quotes and separators. */
const EDGES = /^[\s"'`([{<,;]+|[\s"'`()[\]{}>,;]+$/gu;
const QUOTED = /^\s*(?:"([^"\n]+)"|`([^`\n]+)`)\s*$/u;

/** The text of a query that is one token or one quoted phrase. */
function wholeOf({ text, kind, identifiers }: Query): Literal | undefined {
  // `step'` is a name with its quote.
  const isName = kind === "symbol" && identifiers[0] === text.trim();
  const [, double, back] = QUOTED.exec(text) ?? [];
  const inQuotes = (double ?? back)?.trim();
  const whole = inQuotes ?? (isName ? text.trim() : text.replaceAll(EDGES, ""));
  const isQuoted = inQuotes !== undefined;
  if (!isLookedFor(whole) || (!isQuoted && /\s/.test(whole))) return undefined;
  return { text: whole, role: "whole", isQuoted };
}

function isLookedFor(text: string): boolean {
  return text.length <= MAX_LITERAL_LENGTH && tokensOf(text).length > 0;
}

/** Separators of tokens in a sentence. */
const PART_EDGES = /^["'`([{<,;]+|["'`)\]}>,;.?!:…]+$/gu;
/** Two tokens that punctuation joins, or one that begins like a flag, a route, a variable or a decorator. */
const JOINED = /[\p{L}\p{N}_$][-./:@\\#>~+]{1,2}[\p{L}\p{N}_$]|^(?:--?|[/@$%])[\p{L}\p{N}_]/u;
/** A word of prose: `re-index`, `and/or`, `e.g`, `2-3`. */
const PROSE = /^\p{Ll}{1,3}(?:[-/.]\p{Ll}+)$|^\p{L}+\/\p{L}+$|^[\d.:-]+$/u;

function partsOf({ text }: Query): string[] {
  const pieces = text.split(/\s+/u).map((piece) => piece.replaceAll(PART_EDGES, ""));
  const parts = pieces.filter(
    (piece) => (JOINED.test(piece) || isIdentifier(piece)) && !PROSE.test(piece),
  );
  return [...new Set(parts)];
}

/** A line of a stack trace names a place and contains no message. */
const FRAME = /^\s*(?:at\s|File "|\.{3}\s|from\s+\/|\w+\.\w+:\d+)/u;

/** Dart, gdb and PHP number their frames: `#3  Client.send (package:http/src/client.dart:57:5)`. */
const NUMBERED = /^\s*#\d+\s/u;

function isFrame(line: string): boolean {
  return FRAME.test(line) || (NUMBERED.test(line) && framesIn(line).length > 0);
}

function messagesOf(text: string): Message[] {
  const lines = text.split("\n").filter((line) => !isFrame(line));
  const read = lines
    .map((line) => ({ line, message: messageOf(line) }))
    .filter(({ message }) => message.tokens.length >= MIN_RUN)
    .slice(0, MAX_MESSAGES);
  const clauses = read.flatMap(({ line, message }) => clausesOf(line, message));
  return [...read.map(({ message }) => message), ...clauses];
}

/** The long clauses of a line that has more: `unable to open the file: stat a.txt: no such file or directory`. */
function clausesOf(line: string, { tokens: { length } }: Message): Message[] {
  const clauses = line.split(/:\s+/u).map((piece) => messageOfPieces(piece.trim().split(/\s+/u)));
  const isLong = ({ tokens, isValue }: Message) =>
    tokens.length < length && isValue.filter((value) => !value).length >= MIN_CLAUSE_TOKENS;
  const long = clauses.filter(isLong).slice(0, MAX_CLAUSES);
  return long.map((clause) => ({ ...clause, clauseOf: clause.tokens.length / length }));
}

/** A number, a path or a file, one word in quotes. */
const VALUE = /^(?:0x)?[\da-f]*\d[\d.:,-]*$|[\\/]|\w\.\w|^(['"`]).*\1[.,;:]?$/iu;
/** Prefixes that programs print before a message: `error:`, `[main]`, a name and a time. */
const PREFIX = /^(?:\[.*\]|[\w.-]+:)$/u;

function messageOf(line: string): Message {
  const pieces = line.trim().split(/\s+/u);
  const first = pieces.findIndex((piece) => !PREFIX.test(piece) && !VALUE.test(piece));
  const own = pieces.slice(Math.max(0, first));
  return messageOfPieces(tokensOf(own.join(" ")).length < MIN_RUN ? pieces : own);
}

function messageOfPieces(pieces: readonly string[]): Message {
  const tokens: string[] = [];
  const isValue: boolean[] = [];
  for (const piece of pieces) {
    const value = VALUE.test(piece);
    for (const token of tokensOf(piece)) {
      if (tokens.length === MAX_MESSAGE_TOKENS) return { tokens, isValue };
      tokens.push(token.toLowerCase());
      isValue.push(value);
    }
  }
  return { tokens, isValue };
}

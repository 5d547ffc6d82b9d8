/** Chooses the line of a hit that best matches the query, and the matching words in it. */

import { escapeRegExp } from "../../common/escape-regexp.ts";
import { memoize } from "../../common/memoize.ts";
import { eachToken } from "../../common/words.ts";
import type { ChunkFacts } from "../../contracts/lanes.ts";
import type { BestLine, CodeSymbol } from "../../contracts/model.ts";
import { RELATED_WEIGHT } from "../lanes/bm25.ts";
import { bestSymbol, gradeName, SAME_NAME, toKnownName, toName } from "../lanes/symbol-names.ts";
import { findLiteral, literalPattern } from "../literal/match-text.ts";
import type { Query } from "../query/query.ts";
import { termsOf, termsOfToken } from "../query/stem.ts";
import type { LiteralMatch } from "../ranking.ts";
import { mayBeFrameOf } from "../report/match-frames.ts";
import { seemsToDefine } from "./naming-line.ts";
import { type FindPlaces, placesFinder } from "./term-places.ts";

const LETTER = /\p{L}/u;

/** Longer lines are data or minified: an excerpt around the match is shown. */
const MAX_TEXT_LENGTH = 200;
/** The number of characters of an excerpt before the match. */
const EXCERPT_LEAD = 40;

/** Maximum number of characters searched in a line; the rest is ignored, as the line is data. */
const MAX_SEARCHED_LENGTH = 2_000;

/**
 * The bonus for the line of a definition, as a share of the rarest matching word in the chunk: a use with all query words
 * beats a definition with one of them.
 */
const SHOWN_DEFINITION = 0.5;
const OTHER_DEFINITION = 0.2;

/** The language id of unrecognized files, which have no extracted definitions. */
const UNKNOWN_LANGUAGE = "text";
/** Longer lines are data. */
const MAX_NAMING_LENGTH = 300;

/** The weight of an import line, which is rarely the answer. */
const IMPORT_SHARE = 0.5;
const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|(?:pub\s+)?use\s|#\s*include\b|using\s|require\b)/;
/** A line in the middle of a multi-line import. */
const LIST_OF_NAMES = /^\s*(?:[\w:*]+,\s*)+(?:[\w:*]+,?)?\s*\}?;?$/;

/** The start, and the end (exclusive). */
type Span = readonly [number, number];

/** The query terms that the lines of one search are compared with. */
export interface LineQuery {
  readonly query: Query;
  /** Weights by stem, or by identifier in lower case. */
  readonly weights: ReadonlyMap<string, number>;
  readonly phrases: readonly RegExp[];
  /** Caches the terms of tokens, which repeat in code. */
  readonly known: Map<string, readonly string[]>;
  readonly findPlaces: FindPlaces;
}

/** `rarityOf` is high for a word that few chunks have. */
export function lineQueryOf(query: Query, rarityOf: (term: string) => number): LineQuery {
  const weights = new Map<string, number>();
  for (const term of termsOf(query.related)) weights.set(term, RELATED_WEIGHT * rarityOf(term));
  for (const term of termsOf(query.words)) weights.set(term, Math.max(0.01, rarityOf(term)));
  const wanted = [...query.quoted, ...query.phrases].filter(
    (phrase) => LETTER.test(phrase) && phrase.length <= MAX_PHRASE_LENGTH,
  );
  return {
    query,
    weights,
    phrases: [...new Set(wanted)].toSorted((a, b) => b.length - a.length).map(phrasePattern),
    known: new Map(),
    findPlaces: placesFinder(weights.keys()),
  };
}

/** A longer text is between two unrelated quotes; a pattern of 10,000 characters overflows the stack. */
const MAX_PHRASE_LENGTH = 500;

/** Matches the words in this order, ignoring case and the amount of white space. */
function phrasePattern(phrase: string): RegExp {
  const words = phrase.trim().split(/\s+/);
  return new RegExp(words.map(escapeRegExp).join("\\s+"), "iu");
}

/** The input for choosing the best line of a hit. `symbol` is the definition displayed for the hit. */
export interface LineHit {
  readonly facts: ChunkFacts;
  readonly symbol: CodeSymbol | undefined;
  readonly literal?: LiteralMatch | undefined;
  /** The definition whose name the query only begins or abbreviates. */
  readonly begun?: CodeSymbol | undefined;
}

/** The chosen line, and whether it matches words of the query. */
export interface Choice {
  readonly best: BestLine;
  readonly isMatched: boolean;
}

/**
 * Chooses the best of the lines of a chunk. Returns undefined if the chunk has no lines.
 *
 * Takes .1 to .2 ms per hit: a tenth of a search for 10 hits and a fifth of one for 50 (scripts/bench/best-lines.ts:
 * medians of 450 questions each about flask and caddy, on two busy cores).
 */
export function chooseLine(
  lines: readonly string[],
  { facts, symbol, literal, begun }: LineHit,
  lineQuery: LineQuery,
): Choice | undefined {
  if (lines.length === 0) return undefined;
  const first = facts.lines.start;
  const framed = lineOfFrame(facts, lineQuery.query);
  const phrase = framed === undefined ? findPhrase(lines, lineQuery.phrases) : undefined;
  const placesIn = lineQuery.findPlaces(lines.map((line) => line.slice(0, MAX_SEARCHED_LENGTH)));
  const matches = lines.map((line, i) => matchesIn(line, placesIn(i), lineQuery));
  const definitions = facts.symbols.map(({ nameLine }) => nameLine - first);
  const byWords =
    phrase?.line ??
    framed ??
    definitionOf(lines, bestOf(lines, matches, { facts, symbol }, lineQuery), definitions);
  const named = framed ?? lineOfNamed({ facts, symbol, literal, begun }, lines.length);
  const place = named === undefined ? literalPlace(literal, lines[byWords]) : undefined;
  const at = named ?? place?.line ?? byWords;
  const literalSpan = place && ([place.column, place.column + place.length] as const);
  const own = [literalSpan, at === phrase?.line ? phrase.span : undefined].filter(
    (span) => span !== undefined,
  );
  const spans = [...own, ...(matches[at]?.spans ?? []).filter((span) => !own.some(covers(span)))];
  const text = lines[at] ?? "";
  const defined = [symbol, ...facts.symbols].find((each) => each?.nameLine === first + at);
  const column = own[0]?.[0] ?? (defined && columnOfName(text, defined)) ?? spans[0]?.[0];
  return {
    best: displayedLine(first + at, text, column ?? indentOf(text), spans),
    isMatched: framed !== undefined || spans.length > 0,
  };
}

/**
 * The line in the chunk of the definition that the query names with its scopes, as `Rails::Paths`, which may have only the last
 * segment; or of the definition that it begins.
 */
function lineOfNamed(
  { facts, symbol, literal: match, begun }: LineHit,
  count: number,
): number | undefined {
  const whole = match?.literal?.role === "whole" ? match.literal.text : undefined;
  const symbols = [symbol, ...facts.symbols].filter((each) => each !== undefined);
  const named = whole === undefined ? begun : definitionNamed(whole, symbols);
  const line = (named?.nameLine ?? -1) - facts.lines.start;
  return line >= 0 && line < count ? line : undefined;
}

function definitionNamed(text: string, symbols: readonly CodeSymbol[]): CodeSymbol | undefined {
  const best = bestSymbol(symbols, toName(text));
  return best !== undefined && best.grade >= SAME_NAME ? best.symbol : undefined;
}

/** The place of a literal match, unless the line chosen by words contains the literal too. */
function literalPlace(
  literal: LiteralMatch | undefined,
  chosen: string | undefined,
): LiteralMatch | undefined {
  if (literal === undefined) return undefined;
  const text = literal.literal?.text;
  if (text === undefined || chosen === undefined) return literal;
  if (!chosen.toLowerCase().includes(text.toLowerCase())) return literal;
  // `my-button-face` contains `my-button` only as a part.
  return findLiteral([chosen], literalPattern(text), text)?.isAlone === false ? literal : undefined;
}

/** The displayed form of a line and a place in it: without indentation, and shortened to an excerpt if it is long. */
export function displayedLine(
  line: number,
  whole: string,
  column: number,
  spans: readonly Span[],
): BestLine {
  const indent = indentOf(whole);
  const isLong = whole.length - indent > MAX_TEXT_LENGTH;
  const textStart = isLong ? Math.max(indent, column - EXCERPT_LEAD) : indent;
  const start =
    isLong && /[\uDC00-\uDFFF]/.test(whole[textStart] ?? "") ? textStart + 1 : textStart;
  const text = whole.slice(start, start + MAX_TEXT_LENGTH).trimEnd();
  const end = start + text.length;
  const highlights = spans
    .filter(([from, to]) => from >= start && to <= end)
    .toSorted((a, b) => a[0] - b[0]);
  return { line, column, lead: whole.slice(0, start), text, highlights };
}

/** The line named by a stack trace or a compiler message. */
function lineOfFrame({ path, lines }: ChunkFacts, { frames, report }: Query): number | undefined {
  const places = [
    ...frames,
    ...(report?.places ?? []).flatMap((place) =>
      place.line === undefined ? [] : [{ path: place.path, line: place.line }],
    ),
  ];
  const found = places.find(
    (place) => place.line >= lines.start && place.line <= lines.end && mayBeFrameOf(path, place),
  );
  return found === undefined ? undefined : found.line - lines.start;
}

/** Finds the longest phrase in the lines. A phrase that continues in the next line is reported at its start. */
function findPhrase(
  lines: readonly string[],
  phrases: readonly RegExp[],
): { line: number; span: Span } | undefined {
  if (phrases.length === 0) return undefined;
  const text = lines.join("\n");
  for (const phrase of phrases) {
    const found = phrase.exec(text);
    if (found === null) continue;
    const before = text.slice(0, found.index).split("\n");
    const column = before.at(-1)?.length ?? 0;
    const length = found[0].split("\n", 1)[0]?.length ?? 0;
    return { line: before.length - 1, span: [column, column + length] };
  }
  return undefined;
}

interface LineMatches {
  readonly spans: readonly Span[];
  readonly terms: ReadonlySet<string>;
}

const NO_MATCHES: LineMatches = { spans: [], terms: new Set() };

function matchesIn(
  line: string,
  places: readonly number[] | undefined,
  { weights, known }: LineQuery,
): LineMatches {
  if (places?.length === 0) return NO_MATCHES;
  const spans: Span[] = [];
  let terms: Set<string> | undefined;
  const isLong = line.length > MAX_SEARCHED_LENGTH;
  const searched = isLong ? line.slice(0, MAX_SEARCHED_LENGTH) : line;
  const tokens = places === undefined || isLong ? tokensOf(searched) : tokensAt(line, places);
  for (const { token, index } of tokens) {
    let found = known.get(token);
    if (found === undefined) {
      found = knownTermsOf(token).filter((term) => weights.has(term));
      known.set(token, found);
    }
    if (found.length === 0) continue;
    spans.push([index, index + token.length]);
    terms ??= new Set();
    for (const term of found) terms.add(term);
  }
  return terms === undefined ? NO_MATCHES : { spans, terms };
}

interface Token {
  readonly token: string;
  readonly index: number;
}

function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  eachToken(line, (index, end) => tokens.push({ token: line.slice(index, end), index }));
  return tokens;
}

/** The tokens around some places of an ASCII line. */
function tokensAt(line: string, places: readonly number[]): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const place of places) {
    // It is in the token before.
    if (place < end) continue;
    let index = place;
    while (index > 0 && isInToken(line.charCodeAt(index - 1))) index--;
    end = place;
    while (end < line.length && isInToken(line.charCodeAt(end))) end++;
    tokens.push({ token: line.slice(index, end), index });
  }
  return tokens;
}

/** The ASCII characters of tokens. */
const IN_TOKEN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_$]/.test(String.fromCharCode(code)) ? 1 : 0,
);

function isInToken(code: number): boolean {
  return IN_TOKEN[code] === 1;
}

/** A cache of token terms across queries; about 1 MB when full. */
const MAX_KNOWN_TOKENS = 5_000;

const knownTermsOf = memoize(termsOfToken, MAX_KNOWN_TOKENS);

const NO_LINES: ReadonlySet<number> = new Set();

/** The line with the greatest weight of words, with a bonus for definitions; the first wins a tie. */
function bestOf(
  lines: readonly string[],
  matches: readonly LineMatches[],
  { facts, symbol }: { readonly facts: ChunkFacts; readonly symbol: CodeSymbol | undefined },
  { query, weights }: LineQuery,
): number {
  const mentioned = mentionedTerms(query, facts.symbols, matches);
  const weightOf = (term: string) =>
    mentioned === undefined || mentioned.includes(term) ? (weights.get(term) ?? 0) : 0;
  let rarest = 0;
  for (const { terms } of matches) {
    for (const term of terms) rarest = Math.max(rarest, weightOf(term));
  }
  const unit = rarest || 1;
  const defined = new Set(facts.symbols.map(({ nameLine }) => nameLine));
  const named = mentioned === undefined ? defined : NO_LINES;
  const shown = mentioned === undefined ? symbol?.nameLine : undefined;
  const guessed = facts.languageId === UNKNOWN_LANGUAGE ? query.identifiers : [];
  let [best, highest] = [0, -1];
  for (let i = 0; i < matches.length; i++) {
    const line = facts.lines.start + i;
    let score = 0;
    for (const term of matches[i]?.terms ?? []) score += weightOf(term);
    if (score > 0 && isImport(lines[i] ?? "", defined.has(line))) score *= IMPORT_SHARE;
    if (line === shown) score += SHOWN_DEFINITION * unit;
    else if (named.has(line) || isNaming(lines[i], guessed)) score += OTHER_DEFINITION * unit;
    if (score <= highest || !LETTER.test(lines[i] ?? "")) continue;
    best = i;
    highest = score;
  }
  return best;
}

/**
 * The words of a query that is one name, without its scopes, if these lines contain the name but no definition of it: the
 * first mention is then the declaration, or closest to it.
 */
function mentionedTerms(
  { kind, identifiers: [identifier] }: Query,
  symbols: readonly CodeSymbol[],
  matches: readonly LineMatches[],
): readonly string[] | undefined {
  if (kind !== "symbol" || identifier === undefined) return undefined;
  const wanted = toKnownName(identifier);
  const terms = termsOf([...wanted.parts, wanted.lowerLast]);
  const isWritten = matches.some((line) => terms.every((term) => line.terms.has(term)));
  const isDefined = symbols.some(({ name }) => gradeName(wanted, toKnownName(name)) > 0);
  return isWritten && !isDefined ? terms : undefined;
}

function isNaming(line: string | undefined, names: readonly string[]): boolean {
  if (line === undefined || names.length === 0 || line.length > MAX_NAMING_LENGTH) return false;
  return names.some((name) => seemsToDefine(line, name));
}

/** `using Name = Type;` of C++ is a definition. */
function isImport(line: string, isDefining: boolean): boolean {
  return (!isDefining && IMPORT.test(line)) || LIST_OF_NAMES.test(line);
}

/** A comment, a decorator or an empty line, in the languages with grammars. */
const BEFORE_A_DEFINITION = /^\s*(?:$|\/\/|\/?\*|#|--|;|%|@|<!--|\(\*|\{-)/;

/** Maps a line of a doc comment or docstring to the definition that it documents. */
function definitionOf(
  lines: readonly string[],
  best: number,
  definitions: readonly number[],
): number {
  let docstrings: readonly number[] | undefined;
  const documented = definitions.find((at) => {
    if (at < 0 || at >= lines.length || at === best) return false;
    if (at < best) return isInDocstring(lines, best, at, (docstrings ??= docstringsOf(lines)));
    return lines.slice(best, at).every((line) => BEFORE_A_DEFINITION.test(line));
  });
  return documented ?? best;
}

/** A Python docstring: the first statement of a definition, so the line before ends the signature. */
const DOCSTRING = /^\s*[rRuU]?("""|''')/;

/** The lines that begin like one, ascending. */
function docstringsOf(lines: readonly string[]): number[] {
  return lines.flatMap((line, i) => (DOCSTRING.test(line) ? [i] : []));
}

function isInDocstring(
  lines: readonly string[],
  best: number,
  shown: number,
  docstrings: readonly number[],
): boolean {
  const start = docstrings.find((at) => at > shown) ?? Infinity;
  if (start > best || !/:\s*(?:#.*)?$/.test(lines[start - 1] ?? "")) return false;
  // Another block may begin between them, whose docstring it is.
  const isSignature = lines.slice(shown, start - 1).every((line) => !/:\s*$/.test(line));
  const [, quotes = ""] = DOCSTRING.exec(lines[start] ?? "") ?? [];
  const before = lines.slice(start, best).join("\n");
  return isSignature && (best === start || before.split(quotes).length === 2);
}

function columnOfName(line: string, symbol: CodeSymbol): number | undefined {
  const { last } = toKnownName(symbol.name);
  const column = Math.max(line.indexOf(last), line.indexOf(last.normalize("NFD")));
  return column < 0 ? undefined : column;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Whether the other span contains this one or overlaps it. */
function covers([from, to]: Span): (other: Span) => boolean {
  return ([start, end]) => from < end && to > start;
}

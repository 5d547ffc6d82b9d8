/**
 * Terms beside a question: words and names that the caller, often a language model, expects in the code. They are searched
 * like words of the question.
 */

import { count } from "../../common/count.ts";
import { tokensOf } from "../../common/words.ts";
import type { ResolveLanguage } from "../../contracts/languages.ts";
import { isIdentifier, parseQuery, type Query } from "./query.ts";
import { termsOfToken } from "./stem.ts";

/** More terms would be guesses rather than words that the caller expects. */
const MAX_TERMS = 12;
const MAX_TERM_LENGTH = 100;
/** Characters of a term that a remark shows. */
const MAX_SHOWN_LENGTH = 40;

/** The usable terms, each once, without control characters; remarks name the ignored ones. */
export function readTerms(given: readonly string[]): {
  readonly terms: readonly string[];
  readonly remarks: readonly string[];
} {
  const isShort = (term: string) => term.length <= MAX_TERM_LENGTH;
  const unique = new Map<string, string>();
  for (const each of given.filter(isShort)) {
    const term = each
      .normalize("NFC")
      .replaceAll(/[\s\p{C}]+/gu, " ")
      .trim();
    if (term !== "" && !unique.has(term.toLowerCase())) unique.set(term.toLowerCase(), term);
  }
  const all = [...unique.values()];
  const long = given.filter((term) => !isShort(term)).length;
  const remarks = [
    ...(long > 0
      ? [`${count(long, "term")} longer than ${MAX_TERM_LENGTH} characters ignored`]
      : []),
    ...(all.length > MAX_TERMS ? [`only the first ${MAX_TERMS} of ${all.length} terms used`] : []),
  ];
  return { terms: all.slice(0, MAX_TERMS), remarks };
}

/**
 * Separates terms that no file contains. A name is known if it occurs as a whole; the known parts of an unknown name, and the
 * known words of a phrase, are still searched.
 */
export function splitTerms(
  terms: readonly string[],
  isIndexed: (term: string) => boolean,
): { readonly known: readonly string[]; readonly unknown: readonly string[] } {
  const known: string[] = [];
  const unknown: string[] = [];
  for (const term of terms) {
    const found = tokensOf(term).flatMap((token) => knownPartsOf(token, isIndexed));
    if (found.length > 0) known.push(found.join(" "));
    if (!isKnown(term, isIndexed)) unknown.push(term);
  }
  return { known, unknown };
}

/** The token itself, or the parts of it that are indexed. */
function knownPartsOf(token: string, isIndexed: (term: string) => boolean): string[] {
  const parts = termsOfToken(token);
  const whole = parts.at(-1);
  if (whole !== undefined && isIndexed(whole)) return [token];
  return parts.filter(isIndexed);
}

function isKnown(term: string, isIndexed: (term: string) => boolean): boolean {
  const wholes = tokensOf(term).flatMap((token) => termsOfToken(token).at(-1) ?? []);
  return wholes.length > 0 && wholes.every(isIndexed);
}

export function remarkOnTerms(unknown: readonly string[]): string[] {
  if (unknown.length === 0) return [];
  const shown = unknown.map((term) => `"${term.slice(0, MAX_SHOWN_LENGTH)}"`);
  return [`no indexed file contains ${shown.join(", ")}`];
}

/** The query with the words and names of the terms. A query without words of its own is the terms. */
export function withTerms(
  query: Query,
  terms: readonly string[],
  resolveLanguage: ResolveLanguage,
): Query {
  if (terms.length === 0) return query;
  const parsed = parseQuery(terms.join(" "), resolveLanguage);
  if (query.kind === "empty")
    return { ...parsed, filters: query.filters, warnings: query.warnings };
  const names = terms.filter(isIdentifier);
  return {
    ...query,
    // One word with terms beside it is a topic and no longer a name.
    kind: query.kind === "word" ? "sentence" : query.kind,
    terms: [...query.terms, ...terms],
    words: [...query.words, ...parsed.words],
    plainWords: [...new Set([...query.plainWords, ...parsed.plainWords])],
    subject: [...new Set([...query.subject, ...parsed.plainWords])],
    identifiers: [...new Set([...query.identifiers, ...names])],
  };
}

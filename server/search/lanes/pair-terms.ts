/** Terms for two tokens that punctuation joins (`poll.interval`, `log-end`, `std::move`): literal text is looked up by them. */

import { fnv1a, mix, nextFirst } from "../../common/hash.ts";
import { eachToken, MAX_TOKEN_LENGTH } from "../../common/words.ts";
import { termsOfToken } from "../query/stem.ts";

/**
 * The number of hash buckets for pairs. Each match is verified against the text, so a collision costs time and never
 * a wrong answer. Kafka has 105 thousand distinct pairs, 13 in a chunk: a sixth more postings, 1 % of the disk.
 */
const PAIR_TERMS = 2 ** 18;

/** The first character of the terms of pairs. No word begins with it. */
const MARK = "\u0001";

/** Longer runs of punctuation join nothing that is typed. */
const MAX_JOINT_LENGTH = 3;

/** For each ASCII character, 1 if it joins the tokens of keys, flags, routes, paths and qualified names. */
const IN_JOINT = Uint8Array.from({ length: 128 }, (_, code) =>
  /[-./:@\\#>~+!?]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Whether all between two tokens of a text joins them. */
export function isJoint(text: string, start: number, end: number): boolean {
  if (end <= start || end - start > MAX_JOINT_LENGTH) return false;
  for (let at = start; at < end; at++) if (IN_JOINT[text.charCodeAt(at)] !== 1) return false;
  return true;
}

/** The case-insensitive hash of a token, an input of pair terms. */
export function pairHash(token: string): number {
  return fnv1a(token.toLowerCase());
}

/** The number of the pair of two tokens by their hashes, joined by a part of a text: 0 up to PAIR_TERMS. */
export function pairNumber(
  left: number,
  right: number,
  text: string,
  start: number,
  end: number,
): number {
  let hash = left;
  for (let at = start; at < end; at++) hash = nextFirst(hash, text.charCodeAt(at));
  return (mix(hash ^ Math.imul(right, 0x9e3779b1)) >>> 0) % PAIR_TERMS;
}

export function pairTerm(number: number): string {
  return MARK + number.toString(36);
}

/** The terms of all pairs of a text, with repetitions. */
export function pairTermsOf(text: string): string[] {
  const terms: string[] = [];
  eachPair(text, (number) => terms.push(pairTerm(number)));
  return terms;
}

function eachPair(text: string, visit: (number: number) => void): void {
  let before = 0;
  let beforeEnd = -1;
  eachToken(text, (start, end) => {
    if (end - start > MAX_TOKEN_LENGTH) {
      beforeEnd = -1;
      return;
    }
    const hash = pairHash(text.slice(start, end));
    if (beforeEnd >= 0 && isJoint(text, beforeEnd, start))
      visit(pairNumber(before, hash, text, beforeEnd, start));
    before = hash;
    beforeEnd = end;
  });
}

/** Letters of scripts without spaces: of a run of them, any part may be typed. */
const HAS_NO_SPACES = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}]/u;

/** The distinct terms that every chunk with this text has. Empty for a text without tokens. */
export function termsInText(text: string): string[] {
  const terms = new Set<string>();
  eachToken(text, (start, end) => {
    const token = text.slice(start, end);
    const own = termsOfToken(token);
    if (HAS_NO_SPACES.test(token)) for (const part of own.slice(0, -1)) terms.add(part);
    else if (own.length > 0) terms.add(own.at(-1) as string);
  });
  return [...terms, ...new Set(pairTermsOf(text))];
}

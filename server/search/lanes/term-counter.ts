/** Counts terms by number. Tokens that occurred before are known by their place in a text: no string is made of them. */

import { isAscii } from "../../common/ascii.ts";
import { grown } from "../../common/packed/packed-arrays.ts";
import { StringTable } from "../../common/packed/string-table.ts";
import { eachToken, MAX_TOKEN_LENGTH } from "../../common/words.ts";
import { termsOfToken } from "../query/stem.ts";
import { isJoint, pairHash, pairNumber, pairTerm } from "./pair-terms.ts";

/** Enough for the distinct tokens of a large repository; about 5 MB when full. */
const MAX_TOKENS = 100_000;

/** Counts the terms of successive texts, and caches the terms of each token. */
export class TermCounter {
  /** All terms so far, by number. */
  readonly terms = new StringTable();
  readonly #tokens = new StringTable();
  /** The number of tokens with known terms. */
  #tokenCount = 0;
  /** By token: the end of its terms in `#lists`. */
  #ends = new Uint32Array(1 << 10);
  /** By token: its hash for pair terms. */
  #pairHashes = new Int32Array(1 << 10);
  /** The terms of pairs by the numbers of the pairs, -1 while they have none. */
  readonly #pairTerms = new Map<number, number>();
  /** Numbers of terms, token after token. */
  #lists = new Uint32Array(1 << 12);
  /** Occurrences by term; zero for a term outside `#seen`. */
  #occurrences = new Uint32Array(1 << 10);
  /** Terms in the order of their first occurrence. */
  readonly #seen: number[] = [];

  get isFull(): boolean {
    return this.#tokens.size >= MAX_TOKENS;
  }

  /**
   * Counts each term `times` for each of its occurrences; where wanted, each pair of joined tokens as well. Returns how many
   * terms the text has without its pairs, with repetitions.
   */
  count(text: string, times: number, timesOfPairs = 0): number {
    let length = 0;
    let before = -1;
    let beforeEnd = -1;
    const isPlain = isAscii(text);
    eachToken(text, (start, end) => {
      if (end - start > MAX_TOKEN_LENGTH) {
        before = -1;
        return;
      }
      const token = isPlain
        ? this.#tokens.internPart(text, start, end)
        : this.#tokens.intern(text.slice(start, end));
      if (token === this.#tokenCount) this.#learn(text.slice(start, end));
      length += this.#countToken(token, times);
      if (timesOfPairs === 0) return;
      if (before >= 0 && isJoint(text, beforeEnd, start)) {
        const [left, right] = [
          this.#pairHashes[before] as number,
          this.#pairHashes[token] as number,
        ];
        this.#add(this.#pairTerm(pairNumber(left, right, text, beforeEnd, start)), timesOfPairs);
      }
      before = token;
      beforeEnd = end;
    });
    return length;
  }

  #pairTerm(number: number): number {
    let term = this.#pairTerms.get(number);
    if (term === undefined) {
      term = this.#intern(pairTerm(number));
      this.#pairTerms.set(number, term);
    }
    return term;
  }

  /** Visits the counted terms in the order of their first occurrence, and resets the counts. */
  take(visit: (term: number, occurrences: number) => void): void {
    for (const term of this.#seen) {
      visit(term, this.#occurrences[term] as number);
      this.#occurrences[term] = 0;
    }
    this.#seen.length = 0;
  }

  #countToken(token: number, times: number): number {
    const from = token === 0 ? 0 : (this.#ends[token - 1] as number);
    const to = this.#ends[token] as number;
    for (let at = from; at < to; at++) {
      this.#add(this.#lists[at] as number, times);
    }
    return to - from;
  }

  #add(term: number, times: number): void {
    const before = this.#occurrences[term] as number;
    if (before === 0) this.#seen.push(term);
    this.#occurrences[term] = before + times;
  }

  #intern(text: string): number {
    const term = this.terms.intern(text);
    const { size } = this.terms;
    if (size > this.#occurrences.length) this.#occurrences = grown(this.#occurrences, size);
    return term;
  }

  /** Keeps the terms of the newest token. */
  #learn(token: string): void {
    let end = this.#tokenCount === 0 ? 0 : (this.#ends[this.#tokenCount - 1] as number);
    for (const text of termsOfToken(token)) {
      if (end === this.#lists.length) this.#lists = grown(this.#lists, end + 1);
      this.#lists[end++] = this.#intern(text);
    }
    if (this.#tokenCount === this.#ends.length) {
      this.#ends = grown(this.#ends, this.#tokenCount + 1);
      this.#pairHashes = grown(this.#pairHashes, this.#tokenCount + 1);
    }
    this.#pairHashes[this.#tokenCount] = pairHash(token);
    this.#ends[this.#tokenCount++] = end;
  }
}

/** Counts the words of a file's chunks for the keyword lane, in the thread that has cut the file. */

import { isAscii } from "../../common/ascii.ts";
import { grown } from "../../common/packed/packed-arrays.ts";
import { stringHash } from "../../common/packed/string-table.ts";
import { wordsOfPath } from "../../common/words.ts";
import { COUNT_BITS, type FileTerms, STEPS } from "../../contracts/file-terms.ts";
import type { Chunk } from "../../contracts/model.ts";
import { isWhole, stem } from "../query/stem.ts";
import { fieldsOf, lengthOf, quantize } from "./fields.ts";

/** The same terms and counts as lanes make of the text themselves. */
export function countFileTerms(
  path: string,
  chunks: readonly Pick<Chunk, "text" | "symbols" | "hierarchy">[],
): FileTerms {
  const terms = new Terms();
  const pathWords = wordsOfPath(path);
  const counts: number[] = [];
  const countEnds = new Uint32Array(chunks.length);
  const lengths = new Uint32Array(chunks.length);
  let occurrences = new Float64Array(256);
  for (const [i, chunk] of chunks.entries()) {
    const fields = fieldsOf({ path, ...chunk }, pathWords);
    const seen: number[] = [];
    for (const { words, weight } of fields) {
      for (let at = 0; at < words.length; at++) {
        const term = terms.numberOf(words, at);
        if (term >= occurrences.length) occurrences = grown(occurrences, term + 1);
        if (occurrences[term] === 0) seen.push(term);
        occurrences[term] = (occurrences[term] as number) + weight * STEPS;
      }
    }
    for (const term of seen) {
      counts.push(((term << COUNT_BITS) | quantize(occurrences[term] as number)) >>> 0);
      occurrences[term] = 0;
    }
    countEnds[i] = counts.length;
    lengths[i] = lengthOf(fields);
  }
  return inOneBuffer(terms.texts, { counts, countEnds, lengths });
}

/** Numbers the terms of one file from 0 on. */
class Terms {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** By the words of which they are the stems. */
  readonly #stems = new Map<string, number>();

  numberOf(words: readonly string[], at: number): number {
    const word = words[at] ?? "";
    if (isWhole(words, at)) return this.#number(word);
    const known = this.#stems.get(word);
    if (known !== undefined) return known;
    const number = this.#number(stem(word));
    this.#stems.set(word, number);
    return number;
  }

  #number(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.texts.push(term) - 1;
    this.#numbers.set(term, number);
    return number;
  }
}

interface Counted {
  readonly counts: readonly number[];
  readonly countEnds: Uint32Array;
  readonly lengths: Uint32Array;
}

/** Views of one buffer are handed to another thread by one copy. */
function inOneBuffer(terms: readonly string[], { counts, countEnds, lengths }: Counted): FileTerms {
  // Words are of letters and digits, so that none has half of a surrogate pair.
  const text = terms.join("");
  const isOneByteEach = isAscii(text);
  const byteCount = isOneByteEach ? text.length : Buffer.byteLength(text);
  const numbers = terms.length * 2 + countEnds.length * 2 + counts.length;
  const buffer = new ArrayBuffer(numbers * Uint32Array.BYTES_PER_ELEMENT + byteCount);
  let start = 0;
  const take = (length: number): Uint32Array => {
    const view = new Uint32Array(buffer, start, length);
    start += view.byteLength;
    return view;
  };
  const [ends, hashes] = [take(terms.length), take(terms.length)];
  let end = 0;
  for (const [i, term] of terms.entries()) {
    end += isOneByteEach ? term.length : Buffer.byteLength(term);
    ends[i] = end;
    hashes[i] = stringHash(term);
  }
  const views = { countEnds: take(countEnds.length), lengths: take(lengths.length) };
  views.countEnds.set(countEnds);
  views.lengths.set(lengths);
  const countsView = take(counts.length);
  countsView.set(counts);
  const bytes = new Uint8Array(buffer, start);
  Buffer.from(buffer, start).write(text);
  return { bytes, ends, hashes, counts: countsView, ...views };
}

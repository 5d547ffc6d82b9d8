/** Counts the words of a file's chunks for the keyword lane, in the thread that has cut the file. */

import type { StringTable } from "../../common/packed/string-table.ts";
import { COUNT_BITS, type FileTerms, STEPS } from "../../contracts/file-terms.ts";
import type { Chunk } from "../../contracts/model.ts";
import { PAIR_WEIGHT, quantize, textFieldsOf } from "./fields.ts";
import { TermCounter } from "./term-counter.ts";

/** Shared across files, so that known tokens are not split again; replaced when full. */
let latest = new TermCounter();

/** Returns the same terms and counts as the lanes compute from the text. */
export function countFileTerms(
  path: string,
  chunks: readonly Pick<Chunk, "text" | "symbols" | "hierarchy">[],
): FileTerms {
  if (latest.isFull) latest = new TermCounter();
  const counter = latest;
  /** By term, from 0 on in the order of the file. */
  const numbers = new Map<number, number>();
  const counts: number[] = [];
  const countEnds = new Uint32Array(chunks.length);
  const lengths = new Uint32Array(chunks.length);
  for (const [i, chunk] of chunks.entries()) {
    lengths[i] = countChunk(counter, path, chunk);
    counter.take((term, occurrences) => {
      let number = numbers.get(term);
      if (number === undefined) numbers.set(term, (number = numbers.size));
      counts.push(((number << COUNT_BITS) | quantize(occurrences)) >>> 0);
    });
    countEnds[i] = counts.length;
  }
  return inOneBuffer(counter.terms, [...numbers.keys()], { counts, countEnds, lengths });
}

/** Returns the chunk's length, which is that of its first field. */
function countChunk(
  counter: TermCounter,
  path: string,
  chunk: Pick<Chunk, "text" | "symbols" | "hierarchy">,
): number {
  const pairs = PAIR_WEIGHT * STEPS;
  const [first = 0] = textFieldsOf({ path, ...chunk }).map(({ texts, weight }, field) =>
    texts.reduce((length, text, i) => {
      // Only the chunk's own text is looked up word for word.
      const pairTimes = field === 0 && i === 0 ? pairs : 0;
      return length + counter.count(text, weight * STEPS, pairTimes);
    }, 0),
  );
  return Math.max(1, first);
}

interface Counted {
  readonly counts: readonly number[];
  readonly countEnds: Uint32Array;
  readonly lengths: Uint32Array;
}

/** Views of one buffer are handed to another thread by one copy. */
function inOneBuffer(
  table: StringTable,
  terms: readonly number[],
  { counts, countEnds, lengths }: Counted,
): FileTerms {
  const byteCount = terms.reduce((sum, term) => sum + table.byteLength(term), 0);
  const numbers = terms.length * 2 + countEnds.length * 2 + counts.length;
  const buffer = new ArrayBuffer(numbers * Uint32Array.BYTES_PER_ELEMENT + byteCount);
  let start = 0;
  const take = (length: number): Uint32Array => {
    const view = new Uint32Array(buffer, start, length);
    start += view.byteLength;
    return view;
  };
  const [ends, hashes] = [take(terms.length), take(terms.length)];
  const views = { countEnds: take(countEnds.length), lengths: take(lengths.length) };
  views.countEnds.set(countEnds);
  views.lengths.set(lengths);
  const countsView = take(counts.length);
  countsView.set(counts);
  const bytes = new Uint8Array(buffer, start);
  let end = 0;
  for (const [i, term] of terms.entries()) {
    end = table.write(term, bytes, end);
    ends[i] = end;
    hashes[i] = table.hash(term);
  }
  return { bytes, ends, hashes, counts: countsView, ...views };
}

/** Packs the term counts of a file for a team's database, and checks counts that another program has packed. */

import { deflateRawSync, inflateRawSync } from "node:zlib";
import { isAscii } from "../common/ascii.ts";
import { hashOfString } from "../common/packed/string-table.ts";
import { COUNT_BITS, type FileTerms, MAX_COUNT } from "./file-terms.ts";

/** Increased when words are split, stemmed or counted in another way, or packed in another layout. A test compares the counts of a text. */
export const PACKED_TERMS_VERSION = 1;

/** On rails, level 6 takes three times as long to publish and saves a tenth. */
const LEVEL = 1;
/** In bytes: the counts of a file of a megabyte have a few. Bounds the memory that damaged bytes can take. */
const MAX_BYTES = 16_000_000;
/** In bytes. Longer tokens are not counted, and a stem is not longer than its token. */
const MAX_TERM_BYTES = 400;
/**
 * The terms of a chunk per byte of its text, and of a chunk without text: its names, scopes and path. A token of one byte and
 * the space after it give two terms and a pair.
 */
const MAX_PER_BYTE = 2;
const MAX_MORE = 4_000;

/**
 * The texts of the terms, a line each; then for each chunk its length, the number of its terms, and each term as the distance
 * from the one before and its count. Numbers take 7 bits per byte.
 */
export function packTerms({ bytes, ends, countEnds, counts, lengths }: FileTerms): Uint8Array {
  const texts: Uint8Array[] = [];
  for (const [i, end] of ends.entries()) {
    texts.push(bytes.subarray(i === 0 ? 0 : ends[i - 1], end), LINE_FEED);
  }
  const numbers: number[] = [];
  const write = (number: number) => {
    let rest = number;
    for (; rest > 127; rest = Math.floor(rest / 128)) numbers.push((rest % 128) + 128);
    numbers.push(rest);
  };
  for (const [i, end] of countEnds.entries()) {
    // By number, so that equal bytes come from equal counts, and distances are small.
    const own = counts.subarray(i === 0 ? 0 : countEnds[i - 1], end).toSorted();
    write(lengths[i] as number);
    write(own.length);
    let before = -1;
    for (const counted of own) {
      const term = counted >>> COUNT_BITS;
      write(term - before);
      numbers.push(counted & MAX_COUNT);
      before = term;
    }
  }
  const head = Buffer.alloc(4);
  head.writeUInt32LE(ends.length);
  const packed = deflateRawSync(Buffer.concat([head, ...texts, Uint8Array.from(numbers)]), {
    level: LEVEL,
  });
  // Copied, because zlib returns a view of a larger buffer.
  return Uint8Array.from(packed);
}

const LINE_FEED = Uint8Array.of(10);

/**
 * The counts of a file whose chunks have texts of these lengths in bytes. Undefined unless every number is one that `packTerms`
 * can have written for such a file. Hashes are computed here: a wrong one would hide a word of all files.
 */
export function unpackTerms(
  packed: Uint8Array,
  textBytes: readonly number[],
): FileTerms | undefined {
  const raw = inflated(packed);
  if (raw === undefined || raw.length < 4) return undefined;
  const terms = readTexts(raw);
  return terms && readCounts(raw, terms, textBytes);
}

function inflated(packed: Uint8Array): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: MAX_BYTES });
  } catch {
    return undefined;
  }
}

interface Texts {
  /** The end of each term in its bytes, without line feeds. */
  readonly ends: number[];
  readonly hashes: number[];
  /** Without line feeds. */
  readonly bytes: Buffer;
  /** The first byte behind the texts. */
  readonly at: number;
}

/** Undefined unless the texts are well-formed, not empty, of a reasonable length, and each another one. */
function readTexts(raw: Buffer): Texts | undefined {
  const count = raw.readUInt32LE(0);
  const [ends, hashes, parts]: [number[], number[], Buffer[]] = [[], [], []];
  const seen = new Set<string>();
  let [at, total] = [4, 0];
  for (let i = 0; i < count; i++) {
    const end = raw.indexOf(10, at);
    const length = end - at;
    if (length < 1 || length > MAX_TERM_BYTES) return undefined;
    const text = raw.toString("utf8", at, end);
    // Replaced bytes have another length, unless there were replacement characters before.
    if (seen.has(text) || (!isAscii(text) && !raw.subarray(at, end).equals(Buffer.from(text))))
      return undefined;
    seen.add(text);
    hashes.push(hashOfString(text));
    total += length;
    ends.push(total);
    parts.push(raw.subarray(at, end));
    at = end + 1;
  }
  return { ends, hashes, bytes: Buffer.concat(parts), at };
}

function readCounts(
  raw: Buffer,
  texts: Texts,
  textBytes: readonly number[],
): FileTerms | undefined {
  const { ends, hashes, bytes } = texts;
  const [counts, countEnds, lengths]: [number[], number[], number[]] = [[], [], []];
  let at = texts.at;
  const read = () => {
    let [number, factor] = [0, 1];
    for (let byte = 128; byte > 127; factor *= 128) {
      byte = raw[at++] ?? 0;
      number += (byte & 127) * factor;
      if (factor > 2 ** 28) return Number.NaN;
    }
    return number;
  };
  for (const length of textBytes) {
    const most = length * MAX_PER_BYTE + MAX_MORE;
    const [words, count] = [read(), read()];
    if (!(words >= 1 && words <= most && count <= most)) return undefined;
    let term = -1;
    for (let i = 0; i < count; i++) {
      const distance = read();
      const occurrences = raw[at++] ?? 0;
      term += distance;
      if (!(distance > 0 && term < ends.length && occurrences > 0)) return undefined;
      counts.push(((term << COUNT_BITS) | occurrences) >>> 0);
    }
    countEnds.push(counts.length);
    lengths.push(words);
  }
  // Behind the end, numbers are read as 0, so a text that is too short fails here.
  if (at !== raw.length) return undefined;
  return inOneBuffer({ ends, hashes, countEnds, lengths, counts }, bytes);
}

type Lists = Readonly<Record<Exclude<keyof FileTerms, "bytes">, readonly number[]>>;

/** Views of one buffer are handed to another thread by one copy. */
function inOneBuffer(lists: Lists, bytes: Uint8Array): FileTerms {
  const numbers = Object.values(lists).reduce((sum, { length }) => sum + length, 0);
  const buffer = new ArrayBuffer(numbers * Uint32Array.BYTES_PER_ELEMENT + bytes.length);
  let start = 0;
  const take = (values: readonly number[]): Uint32Array => {
    const view = new Uint32Array(buffer, start, values.length);
    view.set(values);
    start += view.byteLength;
    return view;
  };
  const views = {
    ends: take(lists.ends),
    hashes: take(lists.hashes),
    countEnds: take(lists.countEnds),
    lengths: take(lists.lengths),
    counts: take(lists.counts),
  };
  const own = new Uint8Array(buffer, start);
  own.set(bytes);
  return { bytes: own, ...views };
}

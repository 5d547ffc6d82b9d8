/**
 * Makes the untrained model: a seeded random direction for each word, weighted by how rare the word is.
 *
 * usage: node --import tsx scripts/train/untrained.ts FOLDER...
 *
 * Only word frequencies are taken from the folders. The same folders give the same file.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { formatTable } from "../../server/embedding/table.ts";
import { eachWord } from "../../server/embedding/tokenize.ts";

const MODELS = resolve(import.meta.dirname, "../../server/embedding/models");
const ID = "builtin-untrained";
const DIMENSION = 256;
const WORDS = 12_000;
const PIECES = 4_000;
/** For pairs of characters that no piece has: enough that two of them in one text seldom meet. */
const BUCKETS = 512;
/** Of a/(a+p), the smooth inverse frequency of Arora et al. (ICLR 2017). */
const SMOOTHING = 1e-3;
const SOURCE = /\.(py|go|ts|js|c|h|rs|rb|java|md)$/;
const LARGEST_BYTES = 300_000;
/** Longer ones are data. */
const LONGEST_WORD = 24;

function main(folders: readonly string[]): void {
  const counts = countWords(folders);
  const ranked = [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const words = ranked.slice(0, WORDS).map(([word]) => word);
  const vocabulary = [...words, ...piecesOf(ranked.slice(WORDS), new Set(words))];
  const total = ranked.reduce((sum, [, count]) => sum + count, 0);
  const buckets = Array.from({ length: BUCKETS }, (_, i) => `bucket ${i}`);
  const named = [...vocabulary, ...buckets];
  const rows = new Int8Array(named.length * DIMENSION);
  const scales = new Float32Array(named.length);
  for (const [id, name] of named.entries()) {
    const share = (counts.get(name) ?? 1) / total;
    scales[id] = SMOOTHING / (SMOOTHING + share) / 127;
    rows.set(direction(name), id * DIMENSION);
  }
  const header = { id: ID, dimension: DIMENSION, words: vocabulary, buckets: BUCKETS };
  const bytes = formatTable(header, scales, rows);
  const file = `${ID}.bin`;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  writeFileSync(join(MODELS, file), bytes);
  writeFileSync(join(MODELS, "manifest.json"), `${JSON.stringify({ file, sha256 }, null, 2)}\n`);
  console.log(`${vocabulary.length} words and pieces from ${total} words, ${bytes.length} bytes`);
}

function countWords(folders: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const folder of folders) {
    for (const file of filesIn(folder)) {
      const text = readFileSync(file, "utf8");
      if (text.length > LARGEST_BYTES) continue;
      eachWord(text, (start, end) => {
        const word = text.slice(start, end).normalize("NFC").toLowerCase();
        if (word.length < 2 || word.length > LONGEST_WORD) return;
        counts.set(word, (counts.get(word) ?? 0) + 1);
      });
    }
  }
  return counts;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !entry.name.includes(".min."))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
}

/** Single characters, pairs of letters, and the most frequent runs of 3 to 5 in the words that have no row. */
function piecesOf(
  rare: readonly (readonly [string, number])[],
  known: ReadonlySet<string>,
): string[] {
  const letters = characters("a", 26);
  const pairs = letters.flatMap((a) => letters.map((b) => a + b));
  const pieces = [...letters, ...characters("0", 10), ...pairs];
  const counts = new Map<string, number>();
  for (const [word, count] of rare) {
    for (let size = 3; size <= 5; size++) {
      for (let at = 0; at + size <= word.length; at++) {
        const piece = word.slice(at, at + size);
        counts.set(piece, (counts.get(piece) ?? 0) + count);
      }
    }
  }
  const frequent = [...counts]
    .filter(([piece]) => !known.has(piece))
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([piece]) => piece);
  const own = pieces.filter((piece) => !known.has(piece));
  return [...own, ...frequent.slice(0, PIECES - own.length)];
}

function characters(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => String.fromCharCode(first.charCodeAt(0) + i));
}

/** Normally distributed numbers that only the word decides, as int8. */
function direction(word: string): Int8Array {
  const random = mulberry32(createHash("sha256").update(word).digest().readUInt32LE(0));
  return Int8Array.from({ length: DIMENSION }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(-127, Math.min(127, Math.round(normal * 40)));
  });
}

/** A small generator of uniform numbers in [0, 1). */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

main(process.argv.slice(2));

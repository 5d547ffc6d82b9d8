/** Drops the chunks in which a secret stands, whole or in part: a long key is cut over several chunks, of which only the first begins like one. */

import type { Chunk } from "../model.ts";
import { lineAt, lineStartsOf } from "../text.ts";
import { containsSecret } from "./secrets.ts";

/** From the first line of a private key to its last. The longest in use (RSA of 16384 bits) has about 13,000 characters. */
const KEY_BLOCK = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[^]{0,16000}?-----END /g;

export function withoutSecrets(text: string, chunks: readonly Chunk[]): readonly Chunk[] {
  if (!containsSecret(text)) return chunks;
  const starts = lineStartsOf(text);
  const keys = [...text.matchAll(KEY_BLOCK)].map(({ index, 0: block }) => ({
    start: lineAt(starts, index),
    end: lineAt(starts, index + block.length),
  }));
  return chunks.filter(
    (chunk, i) =>
      !containsSecret(chunk.text) &&
      !keys.some(({ start, end }) => start <= chunk.lines.end && end >= chunk.lines.start) &&
      !isCutThrough(chunks[i - 1], chunk) &&
      !isCutThrough(chunk, chunks[i + 1]),
  );
}

/** Whether a secret stands across the place where one long line was cut. */
function isCutThrough(before: Chunk | undefined, after: Chunk | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  return before.span.end === after.span.start && containsSecret(before.text + after.text);
}

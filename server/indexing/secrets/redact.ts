/** Keeps secrets out of what is stored and shown. */

import type { Chunk } from "../../contracts/model.ts";
import { containsSecret, secretsIn } from "./secrets.ts";

/** Drops the chunks in which a secret stands, whole or in part: where text is cut, half of one may be in each. */
export function withoutSecrets(text: string, chunks: readonly Chunk[]): readonly Chunk[] {
  const secrets = secretsIn(text).map(({ start, end }) => {
    const from = Buffer.byteLength(text.slice(0, start));
    return { from, to: from + Buffer.byteLength(text.slice(start, end)) };
  });
  if (secrets.length === 0) return chunks;
  return chunks.filter(
    (chunk) =>
      !secrets.some(({ from, to }) => from < chunk.span.end && to > chunk.span.start) &&
      !containsSecret(chunk.text),
  );
}

/** The text with stars where a secret stands; lines stay where they are. */
export function maskSecrets(text: string): string {
  let masked = text;
  for (const { start, end } of secretsIn(text)) {
    const stars = text.slice(start, end).replaceAll(/[^\r\n]/g, "*");
    masked = masked.slice(0, start) + stars + masked.slice(end);
  }
  return masked;
}

/** Redacts secrets from stored chunks and displayed text. */

import type { Chunk } from "../../contracts/model.ts";
import { containsSecret, type SecretSpan, secretsIn } from "./secrets.ts";

/** Drops chunks that contain a secret or, after a cut, a part of one. */
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

/** Replaces secrets with asterisks; line numbers do not change. */
export function maskSecrets(
  text: string,
  secrets: readonly SecretSpan[] = secretsIn(text),
): string {
  let masked = text;
  for (const { start, end } of secrets) {
    const stars = text.slice(start, end).replaceAll(/[^\r\n]/g, "*");
    masked = masked.slice(0, start) + stars + masked.slice(end);
  }
  return masked;
}

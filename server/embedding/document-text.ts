/** Builds the text of a chunk that a remote model embeds, by `embedding.context`. */

import { createHash } from "node:crypto";
import type { EmbeddableChunk } from "../contracts/embedding.ts";

/**
 * `none`: the path and the chunk. `header`: also language, enclosing definitions and lines. `late`: the chunk as it
 * is, in one request with its file's other chunks.
 */
export type EmbeddingContext = "none" | "header" | "late";

export function documentText(chunk: EmbeddableChunk, context: EmbeddingContext): string {
  const { path, text, languageId, hierarchy, lines } = chunk;
  if (context === "late") return text;
  const header = [`File: ${path}`];
  if (context === "header") {
    if (languageId !== undefined) header.push(`Language: ${languageId}`);
    if (hierarchy !== undefined && hierarchy !== "") header.push(`Inside: ${hierarchy}`);
    if (lines !== undefined) header.push(`Lines: ${lines.start + 1}-${lines.end + 1}`);
  }
  return `${header.join("\n")}\n${text}`;
}

/** Cache keys for late chunking, where a vector depends on all texts of the file and on the position of its chunk. */
export function lateCacheTexts(texts: readonly string[]): string[] {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${Buffer.byteLength(text)}\n`).update(text);
  const file = hash.digest("hex");
  return texts.map((_, i) => `late chunking: chunk ${i} of ${texts.length} of the file ${file}`);
}

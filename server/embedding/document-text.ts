/** What a remote model is sent of a chunk, by `embedding.context`. */

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

/** A chunk's vector depends on every text of its file and on its own place among them. */
export function lateCacheTexts(texts: readonly string[]): string[] {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${Buffer.byteLength(text)}\n`).update(text);
  const file = hash.digest("hex");
  return texts.map((_, i) => `late chunking: chunk ${i} of ${texts.length} of the file ${file}`);
}

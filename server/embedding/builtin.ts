/** The built-in model as an embedder: nothing to install, no network. */

import { dotProduct } from "../common/dot-product.ts";
import { BadRequest } from "../common/errors.ts";
import type { EmbeddableChunk, Embedder } from "../contracts/embedding.ts";
import type { SubstituteModel } from "../contracts/lanes.ts";
import type { Chunk, CutFile } from "../contracts/model.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
import { QUESTION_OFFSET } from "./question-offset.ts";
import { FORMULA, StaticEmbedder } from "./static-embedder.ts";

const modelIdOf = (table: EmbeddingModel): string => `builtin:${table.id}:${FORMULA}`;

/**
 * Separates chance from meaning: 2 of 238 queries of invented words over six repositories reached this cosine, and 3 of
 * 119 questions by meaning did not. Those 3 share words with their answers, so that the keyword lane finds them.
 */
const MIN_COSINE = 0.35;

export function createBuiltinEmbedder(table: EmbeddingModel): Embedder {
  const embedder = new StaticEmbedder(table);
  return {
    modelId: modelIdOf(table),
    dimension: table.dimension,
    isLocal: true,
    minCosine: MIN_COSINE,
    ...(modelIdOf(table) === QUESTION_OFFSET.modelId
      ? { questionOffset: Float32Array.from(QUESTION_OFFSET.vector) }
      : {}),
    embedsWholeFiles: false,
    cacheTexts: (file) => file.map(({ path, names, text }) => [path, ...names, text].join("\n")),
    embedChunks: async (chunks) =>
      chunks.map((chunk) => embedder.document(chunk) ?? wordlessVector(table)),
    embedQuery: async (text) => {
      const vector = embedder.query(text);
      if (vector === undefined) throw new BadRequest("the query has no word that the model knows");
      return vector;
    },
    probe: async () => table.dimension,
  };
}

/** Embeds the chunks of an index whose own model is slow, as the built-in model would. */
export function createSubstitute(table: EmbeddingModel): SubstituteModel {
  const embedder = new StaticEmbedder(table);
  return {
    id: modelIdOf(table),
    embed: ({ path, text, symbols }) =>
      embedder.document({ path, text, names: symbols.map(({ name }) => name) }) ??
      wordlessVector(table),
  };
}

/** The cosine of two texts, embedded as queries; 0 if one of them has no known word. */
export function createLikeness(table: EmbeddingModel): (a: string, b: string) => number {
  const embedder = new StaticEmbedder(table);
  return (a, b) => {
    const [first, second] = [embedder.query(a), embedder.query(b)];
    return first === undefined || second === undefined ? 0 : dotProduct(first, second);
  };
}

/** One row per chunk, as in PreparedFile. */
export function embedDocuments(
  embedder: StaticEmbedder,
  chunks: readonly EmbeddableChunk[],
): Float32Array {
  const { dimension } = embedder.table;
  const vectors = new Float32Array(chunks.length * dimension);
  for (const [i, chunk] of chunks.entries()) {
    vectors.set(embedder.document(chunk) ?? wordlessVector(embedder.table), i * dimension);
  }
  return vectors;
}

/** The same of a file's chunks. */
export function embedFile(
  embedder: StaticEmbedder,
  { path, chunks }: Pick<CutFile, "path" | "chunks">,
): Float32Array {
  const namesOf = ({ symbols }: Chunk) => symbols.map(({ name }) => name);
  const embeddable = chunks.map((chunk) => ({ path, text: chunk.text, names: namesOf(chunk) }));
  return embedDocuments(embedder, embeddable);
}

/** The vector of a text without known words, such as punctuation: an arbitrary direction, unrelated to other texts. */
function wordlessVector({ dimension }: EmbeddingModel): Float32Array {
  const sign = (i: number) => (i % 2 === 0 ? 1 : -1);
  return Float32Array.from({ length: dimension }, (_, i) => sign(i) / Math.sqrt(dimension));
}

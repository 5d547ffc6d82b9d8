/** Models that `model install` knows by name: where they come from, their license, and measurements. */

import type { Pooling } from "./manifest.ts";

export interface InstallableModel {
  readonly name: string;
  readonly kind: "embedding" | "reranker";
  /** The repository on the hub. */
  readonly repository: string;
  readonly license: string;
  /** Size of the int8 weights in megabytes. */
  readonly megabytes: number;
  /** 0 for a reranker. */
  readonly dimension: number;
  readonly pooling: Pooling;
  /** The longest text that the model was trained for, in tokens. */
  readonly maxTokens: number;
  /** Undefined where this project could not run it. */
  readonly measured?: Measured;
}

interface Measured {
  /** Milliseconds of one core for a text of 512 characters of code. */
  readonly msPerText: number;
  readonly processMegabytes: number;
}

/**
 * Licenses and pooling are as published; sizes of models that were not measured are approximate. Measured by
 * scripts/bench/local-model.ts on one core of an AMD EPYC with AVX-512 VNNI; a text is 512 characters of this project's source.
 */
export const KNOWN_MODELS: readonly InstallableModel[] = [
  {
    name: "all-MiniLM-L6-v2",
    kind: "embedding",
    repository: "Xenova/all-MiniLM-L6-v2",
    license: "Apache-2.0",
    megabytes: 23,
    dimension: 384,
    pooling: "mean",
    maxTokens: 256,
    measured: { msPerText: 25, processMegabytes: 240 },
  },
  {
    name: "nomic-embed-text-v1.5",
    kind: "embedding",
    repository: "nomic-ai/nomic-embed-text-v1.5",
    license: "Apache-2.0",
    megabytes: 137,
    dimension: 768,
    pooling: "mean",
    maxTokens: 2048,
  },
  {
    name: "jina-embeddings-v2-base-code",
    kind: "embedding",
    repository: "jinaai/jina-embeddings-v2-base-code",
    license: "Apache-2.0",
    megabytes: 162,
    dimension: 768,
    pooling: "mean",
    maxTokens: 2048,
  },
  {
    name: "ms-marco-MiniLM-L-6-v2",
    kind: "reranker",
    repository: "Xenova/ms-marco-MiniLM-L-6-v2",
    license: "Apache-2.0",
    megabytes: 23,
    dimension: 0,
    pooling: "cls",
    maxTokens: 512,
  },
  {
    name: "bge-reranker-base",
    kind: "reranker",
    repository: "Xenova/bge-reranker-base",
    license: "MIT",
    megabytes: 279,
    dimension: 0,
    pooling: "cls",
    maxTokens: 512,
  },
];

export function installableModel(name: string): InstallableModel | undefined {
  return KNOWN_MODELS.find((known) => known.name === name);
}

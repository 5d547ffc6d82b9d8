/** What decides whether a stored index can be used with today's settings: model, dimension and way of cutting. */

import { createHash } from "node:crypto";
import type { Embedder } from "../../contracts/embedding.ts";
import type { Settings } from "../../contracts/settings.ts";
import { CHUNKER_VERSION } from "../../indexing/chunking/chunk.ts";

export function indexFingerprint(settings: Settings, embedder: Embedder) {
  return {
    modelId: embedder.modelId,
    dimension: embedder.dimension ?? 0,
    chunkerVersion: chunkerVersion(settings),
  };
}

/** Chunks of another size, strategy or grammar are chunks of another version. */
function chunkerVersion(settings: Settings): string {
  const { "indexing.chunkSize": size, "indexing.chunkOverlap": overlap } = settings;
  const { "indexing.chunkStrategy": strategy, "languages.grammars": grammars } = settings;
  const own =
    grammars.length === 0
      ? ""
      : `:${createHash("sha256").update(JSON.stringify(grammars)).digest("hex").slice(0, 8)}`;
  return `${CHUNKER_VERSION}:${strategy}:${size}:${overlap}${own}`;
}

/** The fingerprint that decides whether a stored index fits the settings: model, dimension and chunking. */

import { createHash } from "node:crypto";
import type { Embedder } from "../../contracts/embedding.ts";
import type { Settings } from "../../contracts/settings.ts";
import { CHUNKER_VERSION } from "../../indexing/chunking/chunk.ts";
import { SCHEMA_VERSION } from "../../store/compatibility.ts";

export function indexFingerprint(settings: Settings, embedder: Embedder) {
  return {
    modelId: embedder.modelId,
    dimension: embedder.dimension ?? 0,
    chunkerVersion: chunkerVersion(settings),
  };
}

/** The same with the version of the tables, for `compatibility`. */
export function currentKeys(settings: Settings, embedder: Embedder) {
  return { ...indexFingerprint(settings, embedder), schemaVersion: SCHEMA_VERSION };
}

/** Includes size, strategy and grammars, since each changes the chunks. */
function chunkerVersion(settings: Settings): string {
  const { "indexing.chunkSize": size, "indexing.chunkOverlap": overlap } = settings;
  const { "indexing.chunkStrategy": strategy, "languages.grammars": grammars } = settings;
  const own =
    grammars.length === 0
      ? ""
      : `:${createHash("sha256").update(JSON.stringify(grammars)).digest("hex").slice(0, 8)}`;
  return `${CHUNKER_VERSION}:${strategy}:${size}:${overlap}${own}`;
}

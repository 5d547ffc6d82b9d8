/** Embeds chunks that were stored without vectors. Keyword search finds them meanwhile. */

import type { Embedder } from "../contracts/embedding.ts";
import type { IndexStore, PendingChunk } from "../contracts/store.ts";
import type { ChunkVector } from "../contracts/stored-chunk.ts";
import { type IndexingContext, waitForTurn } from "./indexer.ts";
import { keyOf, knownDimension } from "./known-vectors.ts";

/** Chunks per request; large enough to fill the batches of a provider. A failed batch is embedded again. */
const BATCH = 128;

export type PendingContext = Pick<
  IndexingContext,
  "store" | "lanes" | "embedder" | "cache" | "workspace" | "throttle"
>;

/**
 * Returns whether all chunks are embedded. Rejects with `Unavailable` if the provider fails; stored vectors are kept.
 *
 * The caller must be the only writer of the index, otherwise a vector could be stored for a text that has changed.
 */
export async function embedPending(context: PendingContext, signal: AbortSignal): Promise<boolean> {
  const { store, lanes, embedder, cache, workspace } = context;
  let left: number | undefined;
  for (;;) {
    await waitForTurn(context, signal);
    // Changed files are indexed before more chunks are embedded.
    if (workspace.hasWork) return false;
    const pending = await readPending(store, embedder);
    if (pending.length === 0) return true;
    left ??= (await store.counts()).pending;
    workspace.report({ kind: "embedding", pending: left });
    const files = byPath(pending);
    const keys = files.flatMap((file) => embedder.cacheTexts(file).map(keyOf));
    const dimension = await knownDimension(context);
    const known = await cache.get(embedder.modelId, keys, dimension);
    const isKnown = (i: number) => known.has(keys[i] ?? "");
    const missing = pending
      .map((chunk, i) => ({ chunk, key: keys[i] ?? "" }))
      .filter((_, i) => !isKnown(i));
    const toEmbed = embedder.embedsWholeFiles ? wholeFiles(files, keys, missing) : missing;
    const fresh = await embedder.embedChunks(
      toEmbed.map(({ chunk }) => chunk),
      signal,
    );
    const made = new Map(toEmbed.map(({ key }, i) => [key, fresh[i] as Float32Array]));
    if (made.size > 0) await cache.put(embedder.modelId, made);
    const vectors: ChunkVector[] = pending.map(({ path, span, contentHash }, i) => {
      const key = keys[i] ?? "";
      return { path, span, contentHash, vector: (made.get(key) ?? known.get(key)) as Float32Array };
    });
    await store.setVectors(vectors);
    await lanes.setVectors(vectors);
    left = Math.max(0, left - pending.length);
    workspace.report({ kind: "embedding", pending: left });
  }
}

interface Keyed {
  readonly chunk: PendingChunk;
  readonly key: string;
}

/**
 * The next pending chunks, ordered by path and span; complete files if the model embeds whole files. The vectors of a file
 * are stored in one transaction, so all of its chunks are pending or none, and only the last file of a full batch can be
 * incomplete.
 */
async function readPending(
  store: IndexStore,
  { embedsWholeFiles }: Embedder,
): Promise<readonly PendingChunk[]> {
  for (let limit = BATCH; ; limit *= 2) {
    const pending = await store.pending(limit);
    if (!embedsWholeFiles || pending.length < limit) return pending;
    const last = pending.at(-1)?.path;
    const complete = pending.filter(({ path }) => path !== last);
    if (complete.length > 0) return complete;
  }
}

function byPath(chunks: readonly PendingChunk[]): PendingChunk[][] {
  const files: PendingChunk[][] = [];
  for (const chunk of chunks) {
    const last = files.at(-1);
    if (last === undefined || last[0]?.path !== chunk.path) files.push([chunk]);
    else last.push(chunk);
  }
  return files;
}

/** All chunks of each file with a missing vector. */
function wholeFiles(
  files: readonly (readonly PendingChunk[])[],
  keys: readonly string[],
  missing: readonly Keyed[],
): Keyed[] {
  const paths = new Set(missing.map(({ chunk }) => chunk.path));
  return files
    .flat()
    .map((chunk, i) => ({ chunk, key: keys[i] ?? "" }))
    .filter(({ chunk }) => paths.has(chunk.path));
}

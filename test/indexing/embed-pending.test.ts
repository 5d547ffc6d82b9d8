/** Batches of pending chunks for an embedding provider. */

import { expect, it } from "vitest";
import type { Embedder } from "../../server/contracts/embedding.ts";
import type { PendingChunk } from "../../server/contracts/store.ts";
import type { ChunkVector } from "../../server/contracts/stored-chunk.ts";
import { embedPending, type PendingContext } from "../../server/indexing/embed-pending.ts";
import type { PassEvent } from "../../server/indexing/workspace.ts";

/** Files with the given numbers of chunks, ordered by path. */
function setUp(sizes: readonly number[], embedder: Partial<Embedder>) {
  let waiting = sizes.flatMap((size, file) =>
    Array.from({ length: size }, (_, i): PendingChunk => {
      const text = `${file} ${i}`;
      const span = { start: i, end: i + 1 };
      return { path: `${file}.ts`, text, span, names: [], contentHash: text };
    }),
  );
  const asked: string[][] = [];
  const left: number[] = [];
  const setVectors = async (vectors: readonly ChunkVector[]) => {
    const done = new Set(vectors.map(({ contentHash }) => contentHash));
    waiting = waiting.filter(({ contentHash }) => !done.has(contentHash));
  };
  const context = {
    store: {
      pending: async (limit: number) => waiting.slice(0, limit),
      record: async () => ({ dimension: 1 }),
      counts: async () => ({ pending: waiting.length }),
      setVectors,
    },
    lanes: { setVectors: async () => undefined },
    embedder: {
      modelId: "test",
      cacheTexts: (file: readonly PendingChunk[]) => file.map(({ text }) => text),
      embedChunks: async (chunks: readonly PendingChunk[]) => {
        asked.push(chunks.map(({ text }) => text));
        return chunks.map(() => new Float32Array(1));
      },
      ...embedder,
    },
    cache: { get: async () => new Map(), put: async () => undefined },
    workspace: {
      hasWork: false,
      whilePaused: async () => undefined,
      report: (event: PassEvent) => event.kind === "embedding" && left.push(event.pending),
    },
    throttle: { yieldToForeground: async () => undefined },
  } as unknown as PendingContext;
  const embed = () => embedPending(context, new AbortController().signal);
  return { embed, asked, left, waiting: () => waiting };
}

it("A model that embeds whole files gets all chunks of a file in one request", async () => {
  for (const sizes of [
    [100, 28, 5],
    [100, 29],
    [64, 64, 64],
    [300, 1],
    [127, 2, 128],
  ]) {
    const { embed, asked, waiting } = setUp(sizes, { embedsWholeFiles: true });
    expect(await embed()).toBe(true);
    expect(waiting()).toEqual([]);
    sizes.forEach((size, file) => {
      const requests = asked.filter((texts) => texts.some((text) => text.startsWith(`${file} `)));
      expect(requests).toHaveLength(1);
      expect(requests[0]?.filter((text) => text.startsWith(`${file} `))).toHaveLength(size);
    });
  }
});

it("Other models get full batches, and the remaining chunks are reported after each", async () => {
  const { embed, asked, left } = setUp([100, 100, 100], { embedsWholeFiles: false });
  expect(await embed()).toBe(true);
  expect(asked.map(({ length }) => length)).toEqual([128, 128, 44]);
  expect(left).toEqual([300, 172, 172, 44, 44, 0]);
});

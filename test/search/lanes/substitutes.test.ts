/** Vectors of the built-in model answer for an index until most of its chunks have a vector of its own model. */

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Embedder } from "../../../server/contracts/embedding.ts";
import type { LiveLanes, SubstituteModel } from "../../../server/contracts/lanes.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { createMemoryLanes } from "../../../server/search/lanes/memory-lanes.ts";
import { search } from "../../../server/search/search.ts";
import { findSimilar } from "../../../server/search/similar.ts";
import { categorizer, chunkOf, contextOf, createEmbedder, indexOf } from "../support.ts";

/** Another direction for each text. */
function vectorOf(text: string): Float32Array {
  const hash = createHash("sha512").update(text).digest();
  const vector = Float32Array.from(hash, (byte) => byte - 127.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const substitute: SubstituteModel = { id: "small", embed: ({ text }) => vectorOf(text) };

const embedder: Embedder = {
  ...createEmbedder(),
  modelId: "small",
  embedChunks: async (chunks) => chunks.map(({ text }) => vectorOf(text)),
  embedQuery: async (text) => vectorOf(text),
};

/** A vector of a model with three dimensions. */
const OWN = Float32Array.of(1, 0, 0);

const CHUNKS = Array.from({ length: 100 }, (_, i) => chunkOf(`src/${i}.ts`, `word${i}`));

async function lanesWith(chunks: readonly StoredChunk[] = CHUNKS): Promise<LiveLanes> {
  const lanes = createMemoryLanes({ categorizer, substitute });
  await lanes.replace([], chunks);
  return lanes;
}

const embed = (lanes: LiveLanes, chunks: readonly StoredChunk[]) =>
  lanes.setVectors(chunks.map(({ path, span }) => ({ path, span, vector: OWN })));

const nearest = async (lanes: LiveLanes, text: string) => {
  const [first] = await lanes.vector(vectorOf(text), { limit: 5, isSubstitute: true });
  const facts = first && (await lanes.facts([first.chunk])).get(first.chunk);
  return facts?.path;
};

describe("substitutes", () => {
  it("answer for chunks with and without a vector", async () => {
    const lanes = await lanesWith();
    await embed(lanes, CHUNKS.slice(0, 50));
    expect(lanes.substituteModel).toBe("small");
    expect(await nearest(lanes, "word7")).toBe("src/7.ts");
    expect(await nearest(lanes, "word77")).toBe("src/77.ts");
    expect(await lanes.vector(OWN, { limit: 100 })).toHaveLength(50);
  });

  it("follow changes of files, also when removed slots are given back", async () => {
    const many = Array.from({ length: 3_000 }, (_, i) => chunkOf(`src/${i}.ts`, `word${i}`));
    const lanes = await lanesWith(many);
    await lanes.replace(
      many.slice(0, 2_000).map(({ path }) => path),
      [chunkOf("src/new.ts", "receipts")],
    );
    expect(await nearest(lanes, "receipts")).toBe("src/new.ts");
    expect(await nearest(lanes, "word2500")).toBe("src/2500.ts");
    expect(
      await lanes.vector(vectorOf("word0"), { limit: 5_000, isSubstitute: true }),
    ).toHaveLength(1_001);
  });

  it("are dropped once nearly all chunks have a vector, and cached answers with them", async () => {
    const lanes = await lanesWith();
    await embed(lanes, CHUNKS.slice(0, 97));
    expect(lanes.substituteModel).toBe("small");
    const { generation } = lanes;
    await embed(lanes, CHUNKS.slice(97, 98));
    expect(lanes.substituteModel).toBeUndefined();
    expect(lanes.generation).not.toBe(generation);
    expect(await nearest(lanes, "word7")).toBeUndefined();
  });

  it("stay while known vectors are added, and are dropped at the end of the pass", async () => {
    const lanes = await lanesWith(CHUNKS.map((chunk) => ({ ...chunk, vector: OWN })));
    expect(lanes.substituteModel).toBe("small");
    await lanes.refreshStatistics();
    expect(lanes.substituteModel).toBeUndefined();
  });

  it("wait for the first chunk of an empty folder", async () => {
    const lanes = await lanesWith([]);
    await lanes.refreshStatistics();
    expect(lanes.substituteModel).toBe("small");
  });

  it("answer for unsaved text too", async () => {
    const lanes = await lanesWith();
    const own = lanes.createOverlay();
    await own.replace([], [chunkOf("src/new.ts", "receipts")]);
    expect(await nearest(own, "receipts")).toBe("src/new.ts");
    await embed(lanes, CHUNKS);
    expect(lanes.createOverlay().substituteModel).toBeUndefined();
  });
});

describe("a search with substitutes", () => {
  it("ranks by the meaning of the substitute alone", async () => {
    const lanes = await lanesWith();
    await embed(lanes, CHUNKS.slice(0, 50));
    const context = contextOf({ ...indexOf("app", lanes, embedder), isSubstitute: true });
    const { hits, mode, warnings } = await search(context, { query: "word77", hybrid: false });
    expect([hits[0]?.path, mode, warnings]).toEqual(["src/77.ts", "semantic", []]);
  });

  it("finds similar code by it", async () => {
    const lanes = await lanesWith([
      chunkOf("src/a.ts", "mail"),
      chunkOf("src/b.ts", "letter"),
      chunkOf("src/c.ts", "receipt"),
    ]);
    const context = {
      ...contextOf({ ...indexOf("app", lanes, embedder), isSubstitute: true }),
      readLines: async () => ["receipt"],
    };
    const { hits, mode } = await findSimilar(context, { path: "/app/src/a.ts", line: 0 });
    expect([hits[0]?.path, mode]).toEqual(["src/c.ts", "hybrid"]);
  });
});

/** The offset of a model orders the vector lane for long open questions, and for nothing else; cosines stay as they are. */

import { describe, expect, it } from "vitest";
import { createBuiltinEmbedder } from "../../server/embedding/builtin.ts";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { QUESTION_OFFSET } from "../../server/embedding/question-offset.ts";
import { analyze } from "../../server/search/search.ts";
import { contextOf, createEmbedder, embedded, indexOf, lanesOf, vectorOf } from "./support.ts";

const LONG = "where are the expired sessions of idle clients removed from the broker registry";

const TREE = [
  embedded("src/near.ts", "expired sessions idle clients removed broker registry"),
  embedded("src/liked.ts", "otherwise avoid sessions"),
  embedded("src/far.ts", "paint"),
];

/** The rank and the cosine of each chunk in the vector lane: `path rank N, COSINE`. */
async function vectorLane(query: string, questionOffset?: Float32Array): Promise<string[]> {
  const embedder = { ...createEmbedder(), ...(questionOffset && { questionOffset }) };
  const { hits } = await analyze(contextOf(indexOf("app", lanesOf(...TREE), embedder)), { query });
  return hits
    .map(({ path, why }) => `${path} ${why?.find(({ name }) => name === "vector")?.detail}`)
    .toSorted();
}

/** Decides the order where it counts in full. */
const OFFSET = vectorOf("otherwise avoid").map((value) => 1.5 * value);

describe("the offset of a model", () => {
  it("orders the candidates of a long open question, which keep their cosines", async () => {
    const before = await vectorLane(LONG);
    const after = await vectorLane(LONG, OFFSET);
    expect(before[2]).toContain("src/near.ts rank 1, ");
    expect(after[1]).toContain("src/liked.ts rank 1, ");
    expect(after[2]).toContain("src/near.ts rank 2, ");
    const cosines = (lines: readonly string[]) => lines.map((line) => line.split(", ")[1]);
    expect(cosines(after)).toEqual(cosines(before));
  });

  it("decides less in a question of eight words", async () => {
    const [, liked, near] = await vectorLane(
      "the expired sessions of idle clients are removed",
      OFFSET,
    );
    expect([liked, near]).toEqual([
      expect.stringContaining("src/liked.ts rank 2, "),
      expect.stringContaining("src/near.ts rank 1, "),
    ]);
  });

  it.each([
    ["a name", "SessionRegistry"],
    ["two words", "idle clients"],
    ["seven words", "expired sessions of idle clients are removed"],
    ["a sentence with a name", `${LONG} by SessionRegistry`],
    ["a sentence with a path", `${LONG} in src/near.ts`],
    ["a sentence with a text", `${LONG} "idle clients"`],
  ])("changes nothing for %s", async (_, query) => {
    expect(await vectorLane(query, OFFSET)).toEqual(await vectorLane(query));
  });

  it("belongs to the built-in model and to no other table", () => {
    const table = loadEmbeddingModel();
    const own = createBuiltinEmbedder(table);
    expect(own.modelId).toBe(QUESTION_OFFSET.modelId);
    expect(own.questionOffset).toHaveLength(table.dimension);
    const other = createBuiltinEmbedder({ ...table, id: "another" });
    expect(other).not.toHaveProperty("questionOffset");
  });
});

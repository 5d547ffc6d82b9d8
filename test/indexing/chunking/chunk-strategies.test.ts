/** Differences between the chunk strategies; their common properties are in chunk-properties.test.ts. */

import { describe, expect, it } from "vitest";
import type { Chunk, ChunkStrategy } from "../../../server/contracts/model.ts";
import { chunk } from "../../../server/indexing/chunking/chunk.ts";
import { createLanguages } from "../../../server/languages/languages.ts";

const languages = createLanguages();
const FUNCTIONS = Array.from(
  { length: 6 },
  (_, i) => `# Step ${i}.\ndef step_${i}(value):\n    return value + ${i}\n`,
).join("\n");

function cut(strategy: ChunkStrategy, text = FUNCTIONS, chunkSize = 150): Promise<Chunk[]> {
  const options = { languageId: "python", chunkSize, chunkOverlap: 40, strategy };
  return languages.withSyntax(text, "python", (syntax) => chunk(text, syntax, options));
}

const names = (chunks: readonly Chunk[]) =>
  chunks.map(({ symbols }) => symbols.map(({ name }) => name).join(" "));

describe("six small functions", () => {
  it("The adaptive strategy merges small functions up to the chunk size", async () =>
    expect(names(await cut("adaptive"))).toEqual([
      "step_0 step_1",
      "step_2 step_3",
      "step_4 step_5",
    ]));

  it("The semantic strategy keeps each function alone, with its comment", async () => {
    const chunks = await cut("semantic");
    expect(names(chunks)).toEqual(["step_0", "step_1", "step_2", "step_3", "step_4", "step_5"]);
    expect(chunks[3]?.text).toBe("# Step 3.\ndef step_3(value):\n    return value + 3");
  });

  it("The fixed strategy cuts by size alone", async () => {
    const chunks = await cut("fixed");
    expect(chunks.map(({ text }) => text.split("\n").at(-1))).toContain("def step_2(value):");
    expect(chunks.slice(1).every(({ span }, i) => span.start >= (chunks[i]?.span.end ?? 0))).toBe(
      true,
    );
  });

  it("The sliding strategy overlaps chunks by whole lines", async () => {
    const chunks = await cut("sliding");
    const shared = chunks.slice(1).map(({ lines }, i) => (chunks[i]?.lines.end ?? 0) - lines.start);
    expect(shared.every((lines) => lines >= 0)).toBe(true);
    expect(new Set(names(chunks).join(" ").trim().split(/\s+/)).size).toBe(6);
  });
});

it("The semantic strategy cuts methods out of their class, which ends with its last line", async () => {
  const text = "class A {\n  one() {\n    return 1;\n  }\n\n  two() {\n    return 2;\n  }\n}\n";
  const options = { languageId: "javascript", chunkSize: 1000, chunkOverlap: 0 } as const;
  const chunks = await languages.withSyntax(text, "javascript", (syntax) =>
    chunk(text, syntax, { ...options, strategy: "semantic" }),
  );
  expect(chunks.map(({ text: own }) => own)).toEqual([
    "class A {",
    "  one() {\n    return 1;\n  }",
    "  two() {\n    return 2;\n  }\n}",
  ]);
});

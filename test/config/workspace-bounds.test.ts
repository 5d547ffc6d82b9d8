/** The limits of the settings of an untrusted workspace. */

import { expect, it } from "vitest";
import { fromWorkspaceFile } from "../../server/config/workspace-file.ts";

const read = (yaml: string, isTrusted = false) => fromWorkspaceFile(yaml, "w.yaml", isTrusted);

const HOSTILE =
  "indexing:\n  chunkSize: 200\n  chunkOverlap: 180\n  chunkStrategy: sliding\n  maxFileBytes: 9000000\n";

it("An untrusted workspace may set ordinary values", () => {
  const yaml = "indexing:\n  chunkSize: 1000\n  chunkOverlap: 300\n  maxFileBytes: 5000000\n";
  expect(read(yaml)).toMatchObject({
    settings: { "indexing.chunkSize": 1000, "indexing.maxFileBytes": 5_000_000 },
    problems: [],
  });
});

it("Chunk sizes that multiply the text are dropped with a problem", () => {
  const { settings, problems } = read(HOSTILE);
  expect(settings).toEqual({
    "indexing.chunkStrategy": "sliding",
    "indexing.maxFileBytes": 9_000_000,
  });
  const rule =
    '"indexing.chunkOverlap" (180) may be at most three quarters of "indexing.chunkSize" (200); set both';
  expect(problems).toEqual([
    `w.yaml: "indexing.chunkSize" is ignored: ${rule}`,
    `w.yaml: "indexing.chunkOverlap" is ignored: ${rule}`,
  ]);
});

it("The file size is dropped if only the number of chunks per file is too large", () => {
  const yaml = "indexing:\n  chunkSize: 200\n  chunkOverlap: 0\n  maxFileBytes: 9000000\n";
  const { settings, problems } = read(yaml);
  expect(settings).toEqual({ "indexing.chunkSize": 200, "indexing.chunkOverlap": 0 });
  expect(problems).toEqual([
    'w.yaml: "indexing.maxFileBytes" is ignored: with a chunk size of 200 and an overlap of 0 a workspace may set at most 4000000',
  ]);
});

it.each([
  [100, 0],
  [100, 75],
  [200, 100],
  [300, 225],
  [13_333, 9_999],
])(
  "Chunks of %d bytes with an overlap of %d are accepted with the default file size",
  (size, overlap) => {
    const indexing = { chunkSize: size, chunkOverlap: overlap, maxFileBytes: 1_000_000 };
    expect(read(JSON.stringify({ indexing })).problems).toEqual([]);
  },
);

it("A smaller chunk size without a smaller overlap is dropped with a remedy", () => {
  const { settings, problems } = read("indexing:\n  chunkSize: 100\n");
  expect(settings).toEqual({});
  expect(problems.join()).toContain('"indexing.chunkOverlap" (300) may be at most three quarters');
});

it("The file size and the number and length of patterns are limited", () => {
  const long = "x".repeat(501);
  expect(read("indexing:\n  maxFileBytes: 10000001\n").settings).toEqual({});
  expect(read(`indexing:\n  excludePatterns: ["${long}"]\n`).settings).toEqual({});
  const many = Array.from({ length: 501 }, (_, i) => `"p${i}"`).join(",");
  expect(read(`indexing:\n  includePatterns: [${many}]\n`).settings).toEqual({});
});

it("A trusted folder has no limits", () => {
  expect(read(HOSTILE, true)).toMatchObject({ settings: { "indexing.chunkOverlap": 180 } });
});

it("A workspace file may set exactly the settings that the README lists", () => {
  const problems = (indexing: object) => read(JSON.stringify({ indexing })).problems.length;
  const list = (length: number) => Array.from({ length }, (_, i) => `*.${i}`);
  const bounds = [
    [{ maxFileBytes: 10_000_000 }, { maxFileBytes: 10_000_001 }],
    [{ excludePatterns: list(500) }, { excludePatterns: list(501) }],
    [
      { chunkSize: 100, chunkOverlap: 0, maxFileBytes: 2_000_000 },
      { chunkSize: 100, chunkOverlap: 0, maxFileBytes: 2_000_001 },
    ],
    [
      { chunkSize: 1_000, chunkOverlap: 750 },
      { chunkSize: 1_000, chunkOverlap: 751 },
    ],
  ] as const;
  for (const [taken, refused] of bounds) {
    expect(problems(taken)).toBe(0);
    expect(problems(refused)).toBeGreaterThan(0);
  }
});

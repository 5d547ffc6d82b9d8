/** What the settings of a workspace that is not trusted may come to. */

import { expect, it } from "vitest";
import { fromWorkspaceFile } from "../../server/config/workspace-file.ts";

const read = (yaml: string, isTrusted = false) => fromWorkspaceFile(yaml, "w.yaml", isTrusted);

const HOSTILE =
  "indexing:\n  chunkSize: 200\n  chunkOverlap: 180\n  chunkStrategy: sliding\n  maxFileBytes: 9000000\n";

it("takes what a project may want", () => {
  const yaml = "indexing:\n  chunkSize: 1000\n  chunkOverlap: 300\n  maxFileBytes: 5000000\n";
  expect(read(yaml)).toMatchObject({
    settings: { "indexing.chunkSize": 1000, "indexing.maxFileBytes": 5_000_000 },
    problems: [],
  });
});

it("leaves out sizes that multiply the text, and says so", () => {
  const { settings, problems } = read(HOSTILE);
  expect(settings).toEqual({ "indexing.chunkStrategy": "sliding" });
  expect(problems).toHaveLength(3);
  expect(problems[0]).toContain('w.yaml: "indexing.chunkSize" is ignored');
});

it("leaves out the size of files where only their number of chunks is too large", () => {
  expect(
    read("indexing:\n  chunkSize: 200\n  chunkOverlap: 0\n  maxFileBytes: 9000000\n").settings,
  ).toEqual({});
});

it("bounds the size of files, and the number and length of patterns", () => {
  const long = "x".repeat(501);
  expect(read("indexing:\n  maxFileBytes: 10000001\n").settings).toEqual({});
  expect(read(`indexing:\n  excludePatterns: ["${long}"]\n`).settings).toEqual({});
  const many = Array.from({ length: 501 }, (_, i) => `"p${i}"`).join(",");
  expect(read(`indexing:\n  includePatterns: [${many}]\n`).settings).toEqual({});
});

it("takes all of it from a folder that the user trusts", () => {
  expect(read(HOSTILE, true)).toMatchObject({ settings: { "indexing.chunkOverlap": 180 } });
});

it("takes what the README says of a workspace's file, and no more", () => {
  const problems = (indexing: object) => read(JSON.stringify({ indexing })).problems.length;
  const list = (length: number) => Array.from({ length }, (_, i) => `*.${i}`);
  const bounds = [
    [{ maxFileBytes: 10_000_000 }, { maxFileBytes: 10_000_001 }],
    [{ excludePatterns: list(500) }, { excludePatterns: list(501) }],
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

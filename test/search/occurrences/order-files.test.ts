/** The order of files with matches, and the parts of a list. */

import { describe, expect, it } from "vitest";
import type { Category } from "../../../server/contracts/model.ts";
import { orderFiles, pageOf } from "../../../server/search/occurrences/order-files.ts";

const file = (path: string, category: Category = "implementation", root = "/a") => ({
  root,
  path,
  category,
});
const FILES = [
  file("README.md", "docs"),
  file("test/a.ts", "test"),
  file("b.yaml", "config"),
  file("z.ts"),
  file("a.ts"),
  file("a.ts", "implementation", "/b"),
];
const order = (ranking: { root: string; path: string }[] = []) =>
  orderFiles(FILES, ranking, ["/b", "/a"]).map(({ root, path }) => `${root}/${path}`);

describe("files", () => {
  it("are product code, then settings, tests and documents, by folder and path", () =>
    expect(order()).toEqual([
      "/b/a.ts",
      "/a/a.ts",
      "/a/z.ts",
      "/a/b.yaml",
      "/a/test/a.ts",
      "/a/README.md",
    ]));
  it("follow a ranking as far as it goes", () =>
    expect(order([file("README.md"), file("a.ts"), file("elsewhere")]).slice(0, 3)).toEqual([
      "/a/README.md",
      "/a/a.ts",
      "/b/a.ts",
    ]));
});

describe("the parts of a list", () => {
  const files = [{ matches: 3 }, { matches: 2 }, { matches: 4 }];
  const parts = (from: number, limit: number) =>
    pageOf(files, from, limit).map((part) => [files.indexOf(part.file), part.from, part.to]);

  it("begin and end within files", () =>
    expect(parts(2, 4)).toEqual([
      [0, 2, 3],
      [1, 0, 2],
      [2, 0, 1],
    ]));
  it("have every match once", () => {
    const all = [0, 2, 4, 6, 8].flatMap((from) => parts(from, 2));
    expect(all.reduce((sum, [, from = 0, to = 0]) => sum + to - from, 0)).toBe(9);
  });
  it("are empty behind the end", () => expect(parts(9, 5)).toEqual([]));
});

/** Similar code: the definition that is compared, and the hits. */

import { describe, expect, it } from "vitest";
import { BadRequest, Unavailable } from "../../server/common/errors.ts";
import type { SimilarRequest } from "../../server/contracts/similar-request.ts";
import { findSimilar } from "../../server/search/similar.ts";
import { contextOf, createEmbedder, embedded, indexOf, lanesOf } from "./support.ts";

const TREE = [
  embedded("src/disk.ts", "open the store of pages on the disk", "DiskStore.open:method"),
  embedded("src/disk.ts", "close the store of pages on the disk", "DiskStore.close:method", {
    start: 1,
  }),
  embedded("src/memory.ts", "open the store of pages in memory", "MemoryStore.open:method"),
  embedded("src/mail.py", "send a receipt to the customer", "sendReceipt:function", {
    languageId: "python",
  }),
  embedded("test/disk.test.ts", "open the store of pages on the disk", "testOpen:function"),
];

/** The lines of each file; most of them are empty. */
const FILE_LINES = 100;

function ask(request: Partial<SimilarRequest>, embedder = createEmbedder()) {
  const context = contextOf(indexOf("app", lanesOf(...TREE), embedder));
  const readLines = async (_root: string, path: string, { start }: { readonly start: number }) => {
    const own = TREE.find((each) => each.path === path && each.lines.start === start);
    return start < FILE_LINES ? [own?.text ?? ""] : [];
  };
  return findSimilar({ ...context, readLines }, { path: "/app/src/disk.ts", line: 0, ...request });
}
const pathsFor = async (request: Partial<SimilarRequest>) =>
  (await ask(request)).hits.map(({ path }) => path);

describe("similar code", () => {
  it("is the sibling first, never in its own file, and a test only after it", async () => {
    const paths = await pathsFor({});
    expect(paths[0]).toBe("src/memory.ts");
    expect(paths).not.toContain("src/disk.ts");
    expect(paths).toContain("test/disk.test.ts");
  });

  it("resembles the definition around the line", async () => {
    const { subject } = await ask({ line: 1 });
    expect(subject).toMatchObject({ path: "src/disk.ts", symbol: { name: "DiskStore.close" } });
  });

  it("is like the last definition where the line is after all of them", async () => {
    expect((await ask({ line: 99 })).subject.symbol?.name).toBe("DiskStore.close");
  });

  const filters: readonly [string, Partial<SimilarRequest>, string[]][] = [
    ["languages", { languages: ["python"] }, ["src/mail.py"]],
    ["paths", { paths: ["test/**"] }, ["test/disk.test.ts"]],
    ["the limit", { limit: 1 }, ["src/memory.ts"]],
    ["names", { symbolName: "Memory*" }, ["src/memory.ts"]],
    ["scores", { minScore: 1 }, []],
  ];
  it.each(filters)("is held to %s", async (_name, request, wanted) => {
    expect(await pathsFor(request)).toEqual(wanted);
  });

  it("can be read in pages", async () => {
    const all = await pathsFor({ limit: 3 });
    const first = await ask({ limit: 1, offset: 0 });
    const second = await ask({ limit: 2, offset: 1 });
    expect([...first.hits, ...second.hits].map(({ path }) => path)).toEqual(all);
    expect([first.more, second.more]).toEqual([2, 0]);
  });

  it("is found by words where nothing can be embedded, which is said", async () => {
    const down = async () => {
      throw new Unavailable("the model", "start it");
    };
    const { hits, mode, warnings } = await ask({}, { ...createEmbedder(), embedChunks: down });
    expect(hits[0]?.path).toBe("src/memory.ts");
    expect(mode).toBe("keyword");
    expect(warnings.join()).toContain("the vector lane was left out");
  });

  it.each(["/elsewhere/a.ts", "/app/src/nothing.ts"])("is refused for %s", async (path) => {
    await expect(ask({ path })).rejects.toThrow(BadRequest);
  });

  it("is refused for the folder itself", async () => {
    await expect(ask({ path: "/app" })).rejects.toThrow("/app is a folder; name a file in it");
  });

  it("is refused for a line that the file does not have", async () => {
    await expect(ask({ line: FILE_LINES })).rejects.toThrow("/app/src/disk.ts has no line 101");
  });
});

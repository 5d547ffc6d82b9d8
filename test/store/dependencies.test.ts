/** The rows of the graph in the store, on both databases. */

import { beforeAll, expect, it } from "vitest";
import type { StoredFacts } from "../../server/contracts/graph.ts";
import { packFacts, unpackFacts } from "../../server/contracts/packed-facts.ts";
import type { FileCommit, IndexStore } from "../../server/contracts/store.ts";
import { describeStores } from "../support/databases.ts";

const INDEX = { name: "shop", root: "/shop", modelId: "m1", dimension: 3, chunkerVersion: "1" };

function file(path: string, facts?: string): FileCommit {
  const record = { path, sha256: `hash of ${path}`, size: 10, mtimeMs: 1, languageId: "python" };
  const parse = { status: "ok" } as const;
  const whole = { ...record, category: "implementation", parse, secrets: 0 } as const;
  return {
    file: whole,
    chunks: [],
    vectors: [],
    ...(facts === undefined ? {} : { facts: packFacts(facts) }),
  };
}

const unpacked = (row: StoredFacts) => ({ ...row, facts: unpackFacts(row.facts) });

describeStores("the store", (on) => {
  let index: IndexStore;

  beforeAll(async () => {
    index = await on.store.open(INDEX);
  });

  it("keeps what the graph is made from with the file, and its edges until they are replaced", async () => {
    const facts = async () => {
      const rows: StoredFacts[] = [];
      for await (const page of index.facts()) rows.push(...page);
      return rows.map(unpacked);
    };
    const edge = {
      sourceFile: "a.py",
      targetFile: "b.py",
      type: "import",
      line: 1,
      confidence: 1,
      how: "module",
      metadata: { module: "b\0" },
    } as const;
    await index.commit([file("a.py", "[1]"), file("b.py")], []);
    await index.setDependencies([{ path: "a.py", rows: [edge, edge], hash: "h" }]);
    expect(await facts()).toEqual([
      { path: "a.py", facts: "[1]", edgesHash: "h" },
      { path: "b.py", facts: "", edgesHash: "" },
    ]);
    expect(await index.pathsWithoutFacts()).toEqual([]);
    // Two imports of one file by another count once.
    expect(await index.importerCounts()).toEqual(new Map([["b.py", 1]]));
    await index.commit([file("a.py", "[2]")], ["b.py"]);
    expect(await facts()).toEqual([{ path: "a.py", facts: "[2]", edgesHash: "" }]);
    expect((await index.factsOf(["a.py", "b.py"])).map(unpacked)).toEqual(await facts());
    await index.truncate();
    expect(await facts()).toEqual([]);
  });

  it("gives the facts of many files once each, by path, page by page", async () => {
    const paths = Array.from({ length: 450 }, (_, i) => `many/${String(i).padStart(3, "0")}.py`);
    await index.commit(
      paths.map((path) => file(path, `[${path}]`)),
      [],
    );
    const found: string[] = [];
    let pages = 0;
    for await (const page of index.facts()) {
      pages++;
      found.push(...page.map((each) => each.path));
    }
    expect(found).toEqual(paths);
    expect(pages).toBeGreaterThan(1);
  });
});

/** A folder of an index as its own index: the hits in it, and their paths. */

import { expect, it } from "vitest";
import type { Lanes } from "../../../server/contracts/lanes.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { lanesOfFolder } from "../../../server/search/lanes/folder-lanes.ts";
import { createMemoryLanes } from "../../../server/search/lanes/memory-lanes.ts";
import { categorizer } from "../support.ts";

function chunkAt(path: string): StoredChunk {
  const lines = { start: 0, end: 1 };
  return {
    path,
    languageId: "python",
    span: { start: 0, end: 5 },
    lines,
    context: lines,
    symbols: [{ name: "read", type: "function", signature: "def read()", lines, nameLine: 0 }],
    text: "read the file",
    vector: Float32Array.from([1, 0]),
  };
}

function folder(path: string): Lanes {
  const whole = createMemoryLanes({ categorizer });
  void whole.replace([], ["a/b/x.py", "a/c.py", "ab/x.py", "x.py"].map(chunkAt));
  return lanesOfFolder(whole, path);
}

const filter = { matchesPath: (path: string) => path.startsWith("b/") };

it.each([
  // Words of the path count, so that the shorter one comes first.
  ["keyword", (lanes: Lanes) => lanes.keyword(["file"], { limit: 10 }), ["c.py", "b/x.py"]],
  ["symbol", (lanes: Lanes) => lanes.symbol("read", { limit: 10 }), ["b/x.py", "c.py"]],
  [
    "vector",
    (lanes: Lanes) => lanes.vector(Float32Array.from([1, 0]), { limit: 10 }),
    ["b/x.py", "c.py"],
  ],
  ["filtered", (lanes: Lanes) => lanes.keyword(["file"], { filter, limit: 10 }), ["b/x.py"]],
])("keeps the %s lane to the folder, and its filter to paths in it", async (_, ask, expected) => {
  const lanes = folder("a");
  const found = await ask(lanes);
  const facts = await lanes.facts(found.map(({ chunk }) => chunk));
  expect(found.map(({ chunk }) => facts.get(chunk)?.path)).toEqual(expected);
});

it("finds the chunks of a file and the files of a stem by their paths in it", async () => {
  const lanes = folder("a");
  const chunks = await lanes.chunksOf(["b/x.py", "x.py"]);
  expect([...(await lanes.facts(chunks)).values()].map(({ path }) => path)).toEqual(["b/x.py"]);
  expect(lanes.pathsByStem("x")).toEqual(["b/x.py"]);
  const files = await lanes.filesWith(["read", "absent"], ["b/x.py", "x.py"], {});
  expect(files).toEqual([new Set(["b/x.py"]), new Set()]);
  expect([...(await lanes.definitionsIn(["b/x.py"])).keys()]).toEqual(["b/x.py"]);
  const around = await lanes.definitionsAround(new Map([["b/x.py", [0]]]), false);
  expect([...around.keys()]).toEqual(["b/x.py"]);
});

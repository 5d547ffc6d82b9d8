/** Stored and unsaved chunks as one index: hidden chunks, ids, filters, and equal scores. */

import { expect, it } from "vitest";
import type { Candidate, Lanes, LiveLanes } from "../../../server/contracts/lanes.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { createMemoryLanes } from "../../../server/search/lanes/memory-lanes.ts";
import { overlay } from "../../../server/search/lanes/overlay-lanes.ts";
import { categorizer } from "../support.ts";

function chunkAt(path: string, text: string, name = "thing", place = 0): StoredChunk {
  const lines = { start: place, end: place + 1 };
  return {
    path,
    languageId: "python",
    span: { start: place * 10, end: place * 10 + 5 },
    lines,
    context: lines,
    symbols: [{ name, type: "function", signature: `def ${name}()`, lines, nameLine: place }],
    text,
    vector: Float32Array.from([1, 0]),
  };
}

function lanesOf(chunks: readonly StoredChunk[]): LiveLanes {
  const lanes = createMemoryLanes({ categorizer });
  void lanes.replace([], chunks);
  return lanes;
}

const base = () =>
  lanesOf([
    chunkAt("a.py", "read the file", "read"),
    chunkAt("b.py", "write the file", "write"),
    chunkAt("c.py", "close the door", "close"),
  ]);

async function pathsIn(lanes: Lanes, found: readonly Candidate[]): Promise<string[]> {
  const facts = await lanes.facts(found.map(({ chunk }) => chunk));
  return found.map(({ chunk }) => facts.get(chunk)?.path ?? "");
}

async function pathsOf(words: string[], own: readonly StoredChunk[], hidden: string[]) {
  const stored = base();
  const beside = stored.createOverlay();
  await beside.replace([], own);
  const lanes = overlay(stored, beside, new Set(hidden));
  const found = await lanes.keyword(words, { limit: 10 });
  return await pathsIn(lanes, found);
}

it("hides what becomes unsaved between two questions, also with the same filter", async () => {
  const stored = base();
  const beside = stored.createOverlay();
  const hidden = new Set<string>();
  const lanes = overlay(stored, beside, hidden);
  const filter = { matchesPath: (path: string) => path.endsWith(".py") };
  const ask = async () => [
    await pathsIn(lanes, await lanes.keyword(["file"], { limit: 10 })),
    await pathsIn(lanes, await lanes.keyword(["file"], { filter, limit: 10 })),
  ];
  expect(await ask()).toEqual([
    ["a.py", "b.py"],
    ["a.py", "b.py"],
  ]);
  hidden.add("a.py");
  await beside.replace(["a.py"], [chunkAt("a.py", "paint the wall")]);
  expect(await ask()).toEqual([["b.py"], ["b.py"]]);
});

it("offers the unsaved chunks of a path in place of the stored ones", async () => {
  expect(await pathsOf(["file"], [chunkAt("a.py", "paint the wall")], ["a.py"])).toEqual(["b.py"]);
  expect(await pathsOf(["wall"], [chunkAt("a.py", "paint the wall")], ["a.py"])).toEqual(["a.py"]);
});

it("scores an unsaved chunk as it would score in the index", async () => {
  const stored = base();
  const beside = stored.createOverlay();
  await beside.replace([], [chunkAt("d.py", "read the file", "read")]);
  const lanes = overlay(stored, beside, new Set());
  const [first, second] = await lanes.keyword(["read", "file"], { limit: 2 });
  expect(second?.score).toBeCloseTo(first?.score ?? 0, 10);
});

it("merges both sides in the order of another vector", async () => {
  const stored = base();
  const beside = stored.createOverlay();
  const vector = Float32Array.from([0.6, 0.8]);
  await beside.replace([], [{ ...chunkAt("d.py", "x"), vector }]);
  const lanes = overlay(stored, beside, new Set());
  const orderBy = Float32Array.from([0, 1]);
  const found = await lanes.vector(Float32Array.from([1, 0]), { limit: 2, orderBy });
  expect(await pathsIn(lanes, found)).toEqual(["d.py", "a.py"]);
  expect(found.map(({ score }) => score)).toEqual([expect.closeTo(0.6, 3), expect.closeTo(1, 3)]);
});

it("keeps to the filter of the question on both sides", async () => {
  const stored = base();
  const beside = stored.createOverlay();
  await beside.replace([], [chunkAt("x/d.py", "the file"), chunkAt("e.py", "the file")]);
  const lanes = overlay(stored, beside, new Set(["b.py"]));
  const filter = { matchesPath: (path: string) => path !== "e.py" };
  const found = await lanes.keyword(["file"], { filter, limit: 10 });
  const paths = await pathsIn(lanes, found);
  expect(paths.toSorted()).toEqual(["a.py", "x/d.py"]);
});

it("finds the chunks of a file and the files of a stem on the right side", async () => {
  const stored = base();
  const beside = stored.createOverlay();
  await beside.replace([], [chunkAt("a.py", "one", "one", 0), chunkAt("a.py", "two", "two", 3)]);
  const lanes = overlay(stored, beside, new Set(["a.py"]));
  const chunks = await lanes.chunksOf(["a.py"]);
  const facts = await lanes.facts(chunks);
  expect(chunks.map((id) => facts.get(id)?.symbols[0]?.name)).toEqual(["one", "two"]);
  expect(lanes.pathsByStem("a")).toEqual(["a.py"]);
  expect(await lanes.chunksOf(["b.py"])).toHaveLength(1);
  const definitions = await lanes.definitionsIn(["a.py", "b.py"]);
  expect(definitions.get("a.py")?.map(({ name }) => name)).toEqual(["one", "two"]);
  expect(definitions.get("b.py")).toEqual((await stored.definitionsIn(["b.py"])).get("b.py"));
  const nowhere = new Map([
    ["a.py", []],
    ["b.py", []],
  ]);
  expect([...(await lanes.definitionsAround(nowhere, false)).values()].flat()).toEqual([]);
});

it("finds the files that contain a term in their unsaved text, or in their stored one", async () => {
  const stored = base();
  const beside = stored.createOverlay();
  await beside.replace([], [chunkAt("a.py", "one door", "one", 0)]);
  const lanes = overlay(stored, beside, new Set(["a.py"]));
  const paths = ["a.py", "b.py", "c.py"];
  expect(await lanes.filesWith(["the", "door"], paths, {})).toEqual([
    new Set(["b.py", "c.py"]),
    new Set(["a.py", "c.py"]),
  ]);
});

it("has another generation after each change of either", async () => {
  const stored = base();
  const beside = stored.createOverlay();
  const lanes = overlay(stored, beside, new Set());
  const seen = [lanes.generation];
  await beside.replace([], [chunkAt("d.py", "x")]);
  seen.push(lanes.generation, stored.generation);
  await stored.replace([], [chunkAt("e.py", "y")]);
  seen.push(lanes.generation, stored.generation);
  expect(new Set(seen).size).toBe(5);
});

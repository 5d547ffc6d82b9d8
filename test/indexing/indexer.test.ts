/** Passes over files without a disk: cancellation, batches and unreadable files. */

import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { silent } from "../../server/common/log.ts";
import { removeInSlices } from "../../server/indexing/follow-commit.ts";
import {
  type IndexingContext,
  type IndexTarget,
  indexSome,
} from "../../server/indexing/indexer.ts";
import { StoredFiles } from "../../server/indexing/stored-files.ts";
import type { PassEvent } from "../../server/indexing/workspace.ts";

/** More than one batch, so that one is written while another is prepared. */
const PATHS = Array.from({ length: 500 }, (_, i) => `${i}.py`);

const nothing = () => undefined;
const THROTTLE = { yieldToForeground: nothing, isAsking: false, yieldToSearches: nothing };

/** Prepares files without chunks. */
const preparerOf = (concurrency: number) => ({
  concurrency,
  prepare: async ({ path }: { path: string }) => ({
    kind: "prepared",
    file: { path, sha256: path, chunks: [], vectors: [], size: 0, secrets: 0 },
  }),
});

/** For files without chunks; `parts` replace others. */
const contextOf = (parts: object) =>
  ({
    files: new StoredFiles(),
    lanes: { replace: nothing, *makeRoom() {}, *tidy() {} },
    graph: { beforeChange: async () => undefined, replace: nothing },
    embedder: { isLocal: true },
    throttle: THROTTLE,
    workspace: { whilePaused: nothing, report: nothing },
    log: silent,
    ...parts,
  }) as unknown as IndexingContext;

it("A cancelled pass ends after its last commit, so that it cannot overwrite the next pass", async () => {
  const cancelling = new AbortController();
  let isWriting = false;
  const context = contextOf({
    preparer: preparerOf(2),
    store: {
      commit: async () => {
        isWriting = true;
        cancelling.abort();
        await setImmediate();
        isWriting = false;
      },
    },
  });
  await expect(indexSome(context, PATHS, [], cancelling.signal)).rejects.toThrow("aborted");
  expect(isWriting).toBe(false);
});

it("A pass stores small files in batches of 200 and waits for the graph before each", async () => {
  const sizes: number[] = [];
  const steps: string[] = [];
  const context = contextOf({
    preparer: preparerOf(1),
    store: {
      commit: async ({ length }: readonly unknown[]) => {
        sizes.push(length);
        steps.push("commit");
      },
    },
    graph: {
      beforeChange: async () => void steps.push("ready"),
      replace: () => void steps.push("follow"),
    },
  });
  await indexSome(context, PATHS, [], new AbortController().signal);
  expect(sizes).toEqual([200, 200, 100]);
  const each = ["ready", "commit", "follow"];
  expect(steps).toEqual([...each, ...each, ...each]);
});

it("An unreadable file keeps its stored content and is read again later", async () => {
  const later: string[] = [];
  const removed: string[] = [];
  const files = new StoredFiles(new Map([["a.py", "hash"]]));
  const context = contextOf({
    files,
    preparer: {
      concurrency: 1,
      prepare: async () => ({ kind: "unreadable", reason: "EIO: i/o error" }),
    },
    store: { commit: async (_: unknown, gone: readonly string[]) => removed.push(...gone) },
    chunking: {},
    workspace: {
      whilePaused: nothing,
      report: (event: PassEvent) => event.kind === "unreadable" && later.push(event.path),
    },
  });
  await indexSome(context, ["a.py"], [], new AbortController().signal);
  expect({ later, removed }).toEqual({ later: ["a.py"], removed: [] });
  expect(files.has("a.py")).toBe(true);
});

it.each([10, Number.POSITIVE_INFINITY])(
  "removes many files in slices (lanes that take %s at once)",
  async (chunksAtOnce) => {
    const removed: Record<string, string[][]> = { lanes: [], graph: [] };
    const target = {
      lanes: {
        chunksAtOnce,
        replace: async (paths: string[]) => void removed["lanes"]?.push(paths),
      },
      graph: { replace: (paths: string[]) => void removed["graph"]?.push(paths) },
    } as unknown as IndexTarget;
    await removeInSlices(target, PATHS, async () => undefined);
    const { lanes = [], graph = [] } = removed;
    expect(lanes.flat().toSorted()).toEqual(PATHS.toSorted());
    expect(graph.flat()).toEqual(PATHS);
    expect(Math.max(...graph.map(({ length }) => length))).toBeLessThan(50);
    expect(lanes).toHaveLength(Math.ceil(PATHS.length / Math.min(chunksAtOnce, PATHS.length)));
  },
);

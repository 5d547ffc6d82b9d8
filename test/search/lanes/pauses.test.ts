/** A lane over many chunks goes in steps: what happens between two of them, to the search and to the index. */

import { expect, it } from "vitest";
import type { Candidate, LaneBounds, LiveLanes } from "../../../server/contracts/lanes.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { createMemoryLanes } from "../../../server/search/lanes/memory-lanes.ts";
import { categorizer, chunkOf } from "../support.ts";

/** More than any lane looks at in one step. */
const FILES = 70_000;
/** Enough that removing them renumbers the remaining slots. */
const REMOVED = 30_000;
const QUERY = Float32Array.of(1, 0);

const pathOf = (file: number) => `${file}.ts`;

function fileOf(file: number): StoredChunk {
  // The last files are the best of each lane.
  const share = file / FILES;
  const vector = Float32Array.of(share, Math.sqrt(1 - share * share));
  const text = file > FILES - 10 ? "open open socket" : "open pool socket";
  return { ...chunkOf(pathOf(file), text, "openSocket"), vector };
}

type Ask = (lanes: LiveLanes, bounds?: Partial<LaneBounds>) => Promise<Candidate[]>;

const LANES: Record<"vector" | "keyword" | "symbol", Ask> = {
  vector: (lanes, bounds) => lanes.vector(QUERY, { limit: 5, ...bounds }),
  keyword: (lanes, bounds) => lanes.keyword(["open", "socket"], { limit: 5, ...bounds }),
  symbol: (lanes, bounds) => lanes.symbol("openSocket", { limit: 5, ...bounds }),
};

const names = ["vector", "keyword", "symbol"] as const;

function createLanes(): LiveLanes {
  const lanes = createMemoryLanes({ categorizer });
  const chunks = Array.from({ length: FILES }, (_, file) => fileOf(file));
  void lanes.replace([], chunks);
  return lanes;
}

const unchanged = createLanes();

async function pathsOf(found: readonly Candidate[]): Promise<(string | undefined)[]> {
  const facts = await unchanged.facts(found.map(({ chunk }) => chunk));
  return found.map(({ chunk }) => facts.get(chunk)?.path);
}

it.each(names)("the %s lane ends when its search is taken back", async (name) => {
  let pauses = 0;
  const running = LANES[name](unchanged, {
    pause: async () => {
      pauses++;
      throw new Error("taken back");
    },
  });
  await expect(running).rejects.toThrow("taken back");
  expect(pauses).toBe(1);
});

it.each(names)("an ended search in a %s lane leaves no state to the next", async (name) => {
  const before = await LANES[name](unchanged);
  const left = LANES[name](unchanged, { pause: () => Promise.reject(new Error("taken back")) });
  await expect(left).rejects.toThrow("taken back");
  expect(await LANES[name](unchanged)).toEqual(before);
});

it.each(names)("two %s lanes in turns answer like one after the other", async (name) => {
  const filter = { matchesPath: (path: string) => path.startsWith("3") };
  const alone = [await LANES[name](unchanged), await LANES[name](unchanged, { filter })];
  const pause = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const together = await Promise.all([
    LANES[name](unchanged, { pause }),
    LANES[name](unchanged, { filter, pause }),
  ]);
  expect(together).toEqual(alone);
  expect((await pathsOf(alone[1] ?? [])).every((path) => path?.startsWith("3"))).toBe(true);
});

it.each(names)(
  "the %s lane finds the remaining chunks if slots are renumbered during a search",
  async (name) => {
    const filter = { matchesPath: (path: string) => path !== pathOf(FILES - 1) };
    const lanes = createLanes();
    let pauses = 0;
    const found = await LANES[name](lanes, {
      filter,
      pause: async () => {
        if (pauses++ > 0) return;
        await lanes.replace(
          Array.from({ length: REMOVED }, (_, file) => pathOf(file)),
          [],
        );
      },
    });
    expect(pauses).toBeGreaterThan(1);
    expect(lanes.size).toBe(FILES - REMOVED);
    expect(found).toEqual(await LANES[name](lanes, { filter: { ...filter } }));
  },
);

it("vectors of another model end a search for the vectors of the former one", async () => {
  const lanes = createLanes();
  const found = await lanes.vector(QUERY, {
    limit: 5,
    pause: async () => {
      const { path, span } = chunkOf(pathOf(0), "");
      const vector = Float32Array.of(1, 0, 0);
      await lanes.setVectors([
        { path, span: { ...span, end: span.start + "open pool socket".length }, vector },
      ]);
    },
  });
  expect(found).toEqual([]);
});

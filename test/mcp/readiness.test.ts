/** How long a tool waits: until enough data is indexed, and not for data that never comes. */

import { describe, expect, it } from "vitest";
import type { HistoryStatus } from "../../server/contracts/history.ts";
import type { IndexStatus, Status } from "../../server/contracts/session.ts";
import { type Need, whenReady } from "../../server/mcp/readiness.ts";
import { STATUS } from "../cli/run-cli.ts";

const [INDEX] = STATUS.indexes as [IndexStatus];
const READY: HistoryStatus = { state: "ready", commits: 9, total: 9 };
/** A test that would wait in vain ends by this. */
const FAR_MS = 5_000;

type Look = Partial<IndexStatus>;

/** The number of polls of the status before it catches up, the progress texts between them, and the times to catch up. */
async function waitFor(need: Need, looks: readonly Look[], waitMs = FAR_MS) {
  const said: string[] = [];
  let looked = 0;
  const caughtUp: number[] = [];
  const catchUp = async (maxMs: number) => void caughtUp.push(maxMs);
  const status = async (): Promise<Status> => {
    const look = looks[Math.min(looked++, looks.length - 1)];
    return { ...STATUS, indexes: [{ ...INDEX, history: READY, ...look }] };
  };
  const deadline = performance.now() + waitMs;
  const { signal } = new AbortController();
  await whenReady({ status, catchUp }, need, {
    deadline,
    signal,
    report: (text) => void said.push(text),
  });
  return { looked: looked - caughtUp.length, said, caughtUp };
}

const indexing = (indexed: number, total: number): Look => ({ state: "indexing", indexed, total });
const reading = (commits: number, total: number): Look => ({
  history: { state: "reading", commits, total },
});

describe("a tool", () => {
  it.each<[string, Need, readonly Look[]]>([
    [
      "waits until all files are read",
      "search",
      [indexing(0, 0), indexing(9, 10), indexing(10, 10), { state: "ready" }],
    ],
    [
      "waits for all files, and not for the vectors of a remote model",
      "graph",
      [indexing(9, 10), indexing(10, 10), { ...indexing(10, 10), pending: 7 }],
    ],
    [
      "waits for most files where the rest takes longer than it may wait",
      "search",
      [
        { ...indexing(8, 10), leftMs: 60_000 },
        { ...indexing(9, 10), leftMs: 60_000 },
      ],
    ],
    [
      "waits for every file where it follows edges",
      "graph",
      [{ ...indexing(9, 10), leftMs: 60_000 }, { state: "ready" }],
    ],
    ["waits until the pass ends", "search", [indexing(0, 0), { state: "ready" }]],
    [
      "waits until half of the commits are read",
      "history",
      [reading(600, 4_000), reading(2_000, 4_000)],
    ],
    ["waits for all commits of a short history", "history", [reading(300, 400), reading(400, 400)]],
    [
      "waits for a history that begins after the files",
      "history",
      [{ ...indexing(1, 9), history: { state: "waiting", commits: 0, total: 0 } }, {}],
    ],
  ])("%s", async (_, need, looks) => {
    expect((await waitFor(need, looks)).looked).toBe(looks.length);
  });

  it.each<[string, Need, Look]>([
    ["an index that is paused", "search", { state: "paused", indexed: 0, total: 0 }],
    ["an index that cannot be reached", "graph", { state: "unavailable", indexed: 0, total: 0 }],
    [
      "a folder without history",
      "history",
      { history: { state: "unavailable", commits: 0, total: 0 } },
    ],
    [
      "a history while files are indexed",
      "search",
      { history: { state: "waiting", commits: 0, total: 0 } },
    ],
  ])("does not wait for %s", async (_, need, look) => {
    expect((await waitFor(need, [look])).looked).toBe(1);
  });

  it("stops waiting at the deadline", async () => {
    expect((await waitFor("search", [indexing(1, 10)], 120)).looked).toBeGreaterThan(1);
    expect((await waitFor("search", [indexing(1, 10)], 0)).looked).toBe(1);
  });

  it("reports the progress of the index", async () => {
    const looks = [
      indexing(0, 0),
      { ...indexing(1_000, 9_000), leftMs: 42_000 },
      { state: "ready" } as const,
    ];
    const { said } = await waitFor("search", looks);
    expect(said).toEqual(["indexing files", "indexing files: 1,000 of 9,000, about 40 s left"]);
    const commits = await waitFor("history", [reading(1, 2_000), reading(2_000, 2_000)]);
    expect(commits.said).toEqual(["reading commits: 1 of 2,000"]);
  });

  it("then collects the files that were just written, for at most two seconds or its own time", async () => {
    const ready = [{ state: "ready" } as const];
    expect((await waitFor("search", ready)).caughtUp).toEqual([2_000]);
    const [maxMs] = (await waitFor("graph", ready, 300)).caughtUp;
    expect(maxMs).toBeGreaterThan(250);
    expect(maxMs).toBeLessThanOrEqual(300);
    expect((await waitFor("search", ready, 0)).caughtUp).toEqual([]);
    expect((await waitFor("history", [reading(2, 2)])).caughtUp).toEqual([]);
  });

  it("stops waiting when the call is cancelled", async () => {
    const ending = new AbortController();
    const status = async () => ({ ...STATUS, indexes: [{ ...INDEX, ...indexing(1, 10) }] });
    const waiting = whenReady({ status, catchUp: async () => undefined }, "search", {
      deadline: performance.now() + FAR_MS,
      signal: ending.signal,
      report: () => ending.abort(),
    });
    await expect(waiting).rejects.toThrow(/abort/i);
  });
});

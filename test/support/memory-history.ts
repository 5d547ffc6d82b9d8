/** The history of one index in memory, which satisfies the port of contracts/history.ts. */

import type { CommitRow, HistoryMark, HistoryStore } from "../../server/contracts/history.ts";

export function createMemoryHistory(): HistoryStore & { readonly rows: Map<string, CommitRow> } {
  const rows = new Map<string, CommitRow>();
  let mark: HistoryMark | undefined;
  return {
    rows,
    open: async () => undefined,
    mark: async () => mark,
    setMark: async (next) => {
      mark = next;
    },
    shas: async () => [...rows.keys()],
    oldest: async () => {
      const times = [...rows.values()].flatMap(({ time }) => (time > 0 ? [time] : []));
      return times.length === 0 ? undefined : Math.min(...times);
    },
    commit: async (added, removed) => {
      for (const sha of removed) rows.delete(sha);
      for (const row of added) rows.set(row.sha, row);
    },
    laneRows: async function* () {
      yield [...rows.values()].filter(({ lanes }) => lanes !== "");
    },
    changeRows: async function* () {
      yield [...rows.values()].filter(({ lanes }) => lanes !== "");
    },
    commits: async (shas) => shas.flatMap((sha) => rows.get(sha) ?? []),
    clear: async () => {
      rows.clear();
      mark = undefined;
    },
  };
}

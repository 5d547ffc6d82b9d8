/** The history of an index, on both databases: commits come back as they were stored, and go with their index. */

import { beforeEach, expect, it } from "vitest";
import type { CommitRow, HistoryStore } from "../../server/contracts/history.ts";
import { describeStores } from "../support/databases.ts";

const INDEX = {
  name: "shop",
  root: "/home/me/shop",
  modelId: "m1",
  dimension: 3,
  chunkerVersion: "1",
};

function row(sha: string, more: Partial<CommitRow> = {}): CommitRow {
  return {
    sha,
    time: 1_700_000_000,
    author: "Ada <ada@localhost>",
    subject: `Subject of ${sha}`,
    body: "",
    files: [
      { path: "new.py", status: "renamed", from: "old.py" },
      { path: 'odd "\t\\ ü.py', status: "added" },
    ],
    hunks: [
      {
        path: "new.py",
        start: 3,
        lines: 0,
        oldStart: 3,
        oldLines: 2,
        symbols: ["Shop.open", 'quoted "name"'],
        textHash: "0123456789abcdef",
      },
    ],
    lanes: "AAAA",
    ...more,
  };
}

describeStores("history", (on) => {
  let history: HistoryStore;

  beforeEach(async () => {
    await on.store.drop(INDEX.name);
    ({ history } = await on.store.open(INDEX));
    await history.open();
  });

  async function lanes(): Promise<string[]> {
    const shas: string[] = [];
    for await (const page of history.laneRows()) shas.push(...page.map(({ sha }) => sha));
    return shas;
  }

  it("gives commits back as they were stored, in the order that is asked for", async () => {
    const [a, b] = [row("a"), row("b", { body: "Two\n\nparagraphs", hunks: [], place: 3 })];
    await history.commit([a, b], []);
    const withoutLanes = [b, a].map((each) => ({ ...each, lanes: "" }));
    expect(await history.commits(["b", "missing", "a"])).toEqual(withoutLanes);
    expect((await history.shas()).toSorted()).toEqual(["a", "b"]);
  });

  it("knows the oldest commit that git could read", async () => {
    expect(await history.oldest()).toBeUndefined();
    const unread = row("c", { time: 0, excluded: "git cannot read it", lanes: "" });
    await history.commit([row("a"), row("b", { time: 1_400_000_000, lanes: "" }), unread], []);
    expect(await history.oldest()).toBe(1_400_000_000);
    await history.commit([], ["b"]);
    expect(await history.oldest()).toBe(1_700_000_000);
  });

  it("keeps the hunks of several files in the order of the diff", async () => {
    const [hunk] = row("a").hunks;
    if (hunk === undefined) return;
    const hunks = ["one.py", "one.py", "7", "two.py", "one.py"].map((path, start) => ({
      ...hunk,
      path,
      start,
      symbols: start === 2 ? [] : [`name_${start}`],
    }));
    await history.commit([row("a", { hunks })], []);
    expect((await history.commits(["a"]))[0]?.hunks).toEqual(hunks);
  });

  it("counts towards the size of its index after it was read", async () => {
    const index = await on.store.find(INDEX.name);
    const before = (await index?.counts())?.bytes ?? NaN;
    const body = Array.from({ length: 20_000 }, (_, i) => String(i * 7919)).join(" ");
    const rows = Array.from({ length: 20 }, (_, i) => row(`a${i}`, { body }));
    await index?.history.commit(rows, []);
    await index?.history.setMark({ position: "end", fingerprint: "1" });
    expect((await index?.counts())?.bytes).toBeGreaterThan(before + 500_000);
  });

  it("replaces and removes commits with their hunks", async () => {
    await history.commit([row("a"), row("b")], []);
    await history.commit([row("a", { subject: "Another", hunks: [] })], ["b"]);
    expect(await history.commits(["a", "b"])).toEqual([
      row("a", { subject: "Another", hunks: [], lanes: "" }),
    ]);
  });

  it("stores what Postgres cannot hold in a readable form", async () => {
    await history.commit([row("a", { subject: "nul \0 and half \ud800" })], []);
    expect((await history.commits(["a"]))[0]?.subject).toBe("nul \ufffd and half \ufffd");
  });

  it("returns lane rows in pages, without commits that cannot be found", async () => {
    const rows = Array.from({ length: 1_200 }, (_, i) => row(`c${i}`, { files: [], hunks: [] }));
    await history.commit([...rows, row("x", { excluded: "no file", lanes: "" })], []);
    const shas = await lanes();
    expect(shas).toHaveLength(1_200);
    expect(new Set(shas).size).toBe(1_200);
    expect(shas).not.toContain("x");
    const changed: string[] = [];
    for await (const page of history.changeRows()) changed.push(...page.map(({ sha }) => sha));
    expect(changed).toEqual(shas);
  });

  it("remembers how far it goes", async () => {
    expect(await history.mark()).toBeUndefined();
    await history.setMark({ position: "p", fingerprint: "f" });
    await history.setMark({ position: "q", fingerprint: "f", reason: "it ends early" });
    expect(await history.mark()).toEqual({
      position: "q",
      fingerprint: "f",
      reason: "it ends early",
    });
  });

  it("is empty once it is cleared, or its index dropped", async () => {
    await history.commit([row("a")], []);
    await history.setMark({ position: "p", fingerprint: "f" });
    await history.clear();
    expect([await history.shas(), await history.mark()]).toEqual([[], undefined]);

    await history.commit([row("a")], []);
    await on.store.drop(INDEX.name);
    ({ history } = await on.store.open(INDEX));
    await history.open();
    expect(await history.shas()).toEqual([]);
  });
});

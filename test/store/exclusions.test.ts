/** The table of files that are excluded because of their content, on both databases. */

import { beforeAll, expect, it } from "vitest";
import type { IndexStore } from "../../server/contracts/store.ts";
import { describeStores } from "../support/databases.ts";

const INDEX = { name: "shop", root: "/shop", modelId: "m1", dimension: 3, chunkerVersion: "1" };

describeStores("the store", (on) => {
  let index: IndexStore;

  beforeAll(async () => {
    index = await on.store.open(INDEX);
  });

  it("keeps files that are excluded because of their content until the rules change", async () => {
    const binary = (path: string, statFingerprint: string) => ({
      path,
      rule: "binary\0",
      statFingerprint,
    });
    const excluded = [binary("a.bin", "1"), binary("b.bin", "2"), binary("c.bin", "3")];
    await index.setExclusions("rules", { excluded, forgotten: [] });
    const changed = [binary("a.bin", "4")];
    await index.setExclusions("rules", { excluded: changed, forgotten: ["b.bin", "d.bin"] });
    const kept = (path: string, statFingerprint: string) => ({
      path,
      rule: "binary\ufffd",
      statFingerprint,
    });
    expect(await index.exclusions("rules")).toEqual([kept("a.bin", "4"), kept("c.bin", "3")]);
    expect(await index.exclusions("other rules")).toEqual([]);
    await index.setExclusions("other rules", { excluded: [binary("e", "5")], forgotten: [] });
    expect(await index.exclusions("rules")).toEqual([]);
    await index.truncate();
    expect(await index.exclusions("other rules")).toEqual([]);
  });
});

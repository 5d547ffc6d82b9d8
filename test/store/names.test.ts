/** Names of tables: short enough, and different for different indexes. */

import { expect, it } from "vitest";
import { alternativeName, nameFromFolder, tablesOf } from "../../server/store/names.ts";

const NAMES = ["shop", "Shop", "SHOP", "shop-", "shop.", "shop_", "_", "-", "s".repeat(21)];

it("gives every index tables of its own, also one that is named like another's tables", () => {
  const keys = NAMES.map((name) =>
    tablesOf(name).parseResults.slice('"cocosearch_parse_results_'.length, -1),
  );
  const all = new Set([...NAMES, ...keys]);
  expect(new Set([...all].map((name) => tablesOf(name).chunks)).size).toBe(all.size);
});

it.each([...NAMES, "s".repeat(64)])("keeps the table names of %s within an identifier", (name) => {
  const { lanes, history, kept, borrower, ...tables } = tablesOf(name);
  const all = [tables, lanes, history, kept, borrower];
  for (const table of all.flatMap((each) => Object.values(each))) {
    expect(table).toMatch(/^"[a-z0-9_]{1,63}"$/);
  }
});

it("uses the name as it is where it can", () => {
  expect(tablesOf("shop").vectors).toBe('"codeindex_shop__shop_vectors"');
});

it.each([
  ["/a/shop", "shop"],
  ["/a/My Shop (2)", "My-Shop-2"],
  ["/a/.config", "config"],
  ["/a/日本", "workspace"],
  ["/", "workspace"],
])("names the index of %s %s", (root, name) => expect(nameFromFolder(root)).toBe(name));

it("gives different names to folders of one name", () => {
  expect(alternativeName("shop", "/a/shop")).not.toBe(alternativeName("shop", "/b/shop"));
  expect(alternativeName("s".repeat(64), "/a")).toHaveLength(64);
});

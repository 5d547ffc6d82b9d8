/** The treatment of a stored index, by the key that differs. */

import { expect, it } from "vitest";
import { compatibility, mismatchOf } from "../../server/store/compatibility.ts";

const STORED = {
  name: "shop",
  modelId: "m1",
  dimension: 256,
  chunkerVersion: "1",
  schemaVersion: 1,
};

function check(change: Partial<typeof STORED>, kind: string): void {
  expect(compatibility(STORED, { ...STORED, ...change }).kind).toBe(kind);
}

it("is usable where nothing differs", () => check({}, "usable"));
it("is rebuilt for other tables", () => check({ schemaVersion: 2 }, "rebuild"));
it("is rebuilt for another chunker", () => check({ chunkerVersion: "2" }, "rebuild"));
it("is embedded again for another model", () => check({ modelId: "m2" }, "refresh"));
it("is embedded again for another length of vectors", () => check({ dimension: 768 }, "refresh"));
it("is usable while the length is not known yet", () => check({ dimension: 0 }, "usable"));
it("is rebuilt where both differ", () => check({ modelId: "m2", schemaVersion: 2 }, "rebuild"));

it("says in one sentence what does not fit and what to do", () => {
  const saying = (change: Partial<typeof STORED>) =>
    mismatchOf(compatibility(STORED, { ...STORED, ...change }));
  expect(saying({})).toBeUndefined();
  expect(saying({ modelId: "m2" })).toBe(
    "the index shop was embedded with m1, but the settings name m2, so only keywords are searched: " +
      "run cocosearch-lsp index --full (in an editor cocosearch.reindex), or set the model of the index",
  );
  expect(saying({ schemaVersion: 2 })).toMatch(
    /^the index shop has version 1 of the tables, this program version 2, so/,
  );
});

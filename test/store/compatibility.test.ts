/** What becomes of a stored index, by the key that differs. */

import { expect, it } from "vitest";
import { compatibility } from "../../server/store/compatibility.ts";

const STORED = { modelId: "m1", dimension: 256, chunkerVersion: "1", schemaVersion: 1 };

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

/** Vectors of commits are put beside their words, each with its own commit. */

import { expect, it } from "vitest";
import type { ReadCommit } from "../../server/contracts/history.ts";
import { packEntry, toSmall, unpackEntry } from "../../server/history/lane-entry.ts";
import { withVectors } from "../../server/history/with-vectors.ts";

it("leaves a commit without a vector unchanged", () => {
  const counts = { terms: Int32Array.of(3, 7), counts: Uint8Array.of(4, 8), length: 3 };
  const texts = { subject: counts, body: counts, added: counts, removed: counts, symbols: counts };
  const rows = ["a", "b", "c"].map(
    (sha) => ({ sha, lanes: sha === "c" ? "" : packEntry({ texts }) }) as unknown as ReadCommit,
  );
  const vector = Float32Array.from([0.5, -1, 0.25]);
  const [a, b, c] = withVectors(rows, [undefined, vector, vector]);
  expect(unpackEntry(a?.lanes ?? "").vector).toBeUndefined();
  const { texts: kept, vector: stored } = unpackEntry(b?.lanes ?? "");
  expect(kept.symbols).toEqual(counts);
  expect(Array.from(stored?.values ?? [])).toEqual(Array.from(toSmall(vector).values));
  expect(c).toBe(rows[2]);
});

/** A detached or memoized substring does not keep its text in memory. */

import { memoryUsage } from "node:process";
import { expect, it } from "vitest";
import { collectGarbage } from "../../server/common/collect-garbage.ts";
import { detachString } from "../../server/common/detach-string.ts";
import { wordsOf } from "../../server/common/words.ts";

const TEXTS = 60;
const MEGABYTE = 1 << 20;

/** Megabytes that stay in use after `make` is applied to TEXTS texts of a megabyte each. */
function keptOf(make: (text: string, at: number) => unknown): number {
  collectGarbage();
  const before = memoryUsage().heapUsed;
  const kept: unknown[] = [];
  for (let at = 0; at < TEXTS; at++) kept.push(make("text ".repeat(MEGABYTE / 5), at));
  collectGarbage();
  const after = memoryUsage().heapUsed;
  return kept.length === TEXTS ? (after - before) / MEGABYTE : Number.NaN;
}

it("detachString copies a substring", () => {
  expect(detachString("short")).toBe("short");
  expect(detachString("a part that is longer")).toBe("a part that is longer");
  expect(keptOf((text) => text.slice(5, 40))).toBeGreaterThan(TEXTS / 2);
  expect(keptOf((text) => detachString(text.slice(5, 40)))).toBeLessThan(TEXTS / 4);
});

it("Memoized words do not keep the texts that they come from", () => {
  const kept = keptOf((text, at) => wordsOf(`${text} someLongIdentifierOfNumber${at}x`).length);
  expect(kept).toBeLessThan(TEXTS / 4);
});

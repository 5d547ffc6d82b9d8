/** The overall state of several indexes: the worst state with its reason, and the sums of files. */

import { expect, it } from "vitest";
import type { IndexState } from "../../../server/contracts/session.ts";
import { overall } from "../../../server/engine/answers/status.ts";
import type { OpenIndex } from "../../../server/engine/indexes/open-index.ts";

const WORST_FIRST = ["unavailable", "degraded", "indexing", "paused", "ready"] as const;

function index(state: IndexState, files: number, reason?: string): OpenIndex {
  const workspace = { status: { indexed: files, total: 2 * files } };
  return { state, reason, workspace } as unknown as OpenIndex;
}

it("The overall state is the worst state, in any order", () => {
  WORST_FIRST.forEach((worse, i) => {
    for (const better of WORST_FIRST.slice(i + 1)) {
      const [one, other] = [index(worse, 3, "why"), index(better, 4)];
      const expected = { state: worse, indexed: 7, total: 14, reason: "why" };
      expect(overall([one, other])).toStrictEqual(expected);
      expect(overall([other, one])).toStrictEqual(expected);
    }
  });
});

it("The overall state has no reason if the worst index has none, and is `no-root` without indexes", () => {
  expect(overall([index("ready", 1), index("paused", 2), index("ready", 3, "late")])).toStrictEqual(
    {
      state: "paused",
      indexed: 6,
      total: 12,
    },
  );
  expect(overall([])).toStrictEqual({ state: "no-root", indexed: 0, total: 0 });
});

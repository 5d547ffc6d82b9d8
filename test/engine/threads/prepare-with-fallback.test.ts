/** A file that hangs or crashes its worker does not fail the pass. */

import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { silent } from "../../../server/common/log.ts";
import { withTimeLimit } from "../../../server/common/time-limit.ts";
import type { PrepareJob, PrepareResult } from "../../../server/contracts/preparer.ts";
import { prepareWithFallback } from "../../../server/engine/threads/prepare-with-fallback.ts";
import { workspace } from "../../support/workspace.ts";

const DONE: PrepareResult = { kind: "unchanged" };

/** The outcome of each attempt, first with the parser and then without it. */
type Attempt = "ends" | "hangs" | "breaks";

async function prepared(attempts: readonly Attempt[], job: Partial<PrepareJob> = {}) {
  const asked: (string | undefined)[] = [];
  const prepare = async ({ unparsed }: PrepareJob, signal: AbortSignal | undefined) => {
    const attempt = attempts[asked.length];
    asked.push(unparsed);
    if (attempt === "breaks") throw new Error("it broke");
    if (attempt === "ends") return DONE;
    return await withTimeLimit(5, [signal], (ending) => delay(60_000, DONE, { signal: ending }));
  };
  const whole = { root: workspace("//- a.md\n# Notes\n"), path: "a.md", ...job } as PrepareJob;
  const options = { prepare, limitMs: 5, isClosed: () => false, log: silent };
  return { asked, result: prepareWithFallback(options, whole, undefined) };
}

it("A fast file is prepared once", async () => {
  const { asked, result } = await prepared(["ends"]);
  expect(await result).toBe(DONE);
  expect(asked).toEqual([undefined]);
});

it.each(["hangs", "breaks"] as const)(
  "A file is chunked without its parser that %s",
  async (how) => {
    const { asked, result } = await prepared([how, "ends"]);
    expect(await result).toBe(DONE);
    expect(asked).toEqual([undefined, expect.stringMatching(/0\.005 s|it broke/)]);
  },
);

it.each(["hangs", "breaks"] as const)(
  "A file that %s, and hangs without its parser, is excluded",
  async (how) => {
    const { result } = await prepared([how, "hangs"], { text: "# Notes" });
    expect(await result).toEqual({ kind: "excluded", rule: "cannot be cut within 0.005 s" });
  },
);

it("A file that crashes without its parser rejects: that is a bug", async () => {
  const { result } = await prepared(["hangs", "breaks"]);
  await expect(result).rejects.toThrow("it broke");
});

/** Graph answers report totals beyond their limit. */

import { afterAll, expect, it } from "vitest";
import { engineInProcess, openedIn } from "../support/engine-in-process.ts";
import { workspace } from "../support/workspace.ts";

const CALLERS = 130;
const TESTS = 40;

const made = engineInProcess();
afterAll(() => made.dispose());

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const FILES = [
  "//- src/fn.py\ndef target_fn():\n    return 1\n",
  "//- src/use.py\nfrom src.fn import target_fn\n",
  ...numbers(CALLERS).map((i) => `def use_${i}():\n    return target_fn()\n`),
  ...numbers(TESTS).map(
    (i) =>
      `//- tests/test_${i}.py\nfrom src.fn import target_fn\n\ndef test_${i}():\n    assert target_fn()\n`,
  ),
  "//- src/many.py\nfrom src.fn import target_fn\n\ndef many():\n",
  ...numbers(CALLERS).map(() => "    target_fn()\n"),
].join("");

it("`callers` and `callees` report the total beyond the limit", async () => {
  const session = await openedIn(made, workspace(FILES));
  const callers = await session.callers({ name: "target_fn" });
  expect([callers.calls.length, callers.total]).toEqual([100, 2 * CALLERS + TESTS]);
  const callees = await session.callees({ name: "many", limit: 3 });
  expect([callees.calls.length, callees.total]).toEqual([3, CALLERS]);
});

it("`impact` reports the total of tests beyond the limit", async () => {
  const session = await openedIn(made, workspace(FILES));
  const { tests, testsTotal } = await session.impact({ paths: ["src/fn.py"], limit: 5 });
  expect([tests.length, testsTotal]).toEqual([5, TESTS]);
});

/** A history that is halted: nothing of it counts until it is read again. */

import { expect, it } from "vitest";
import { repositoryOf } from "../support/git.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";
import { historyOf } from "./support.ts";

it("stops after a halt, and is read again after a refresh", async () => {
  const root = repositoryOf("//- a.py\none\n");
  const { history, read } = historyOf(root);
  expect(await read()).toMatchObject({ state: "ready", commits: 1, total: 1 });
  await history.halt();
  expect(history.status).toEqual({ state: "waiting", commits: 0, total: 0 });
  expect(await read()).toMatchObject({ state: "ready", commits: 1, total: 1 });
});

leaveNothingBehind();

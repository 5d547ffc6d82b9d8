/** How long is waited before an engine is asked for again that could not be had. */

import { expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import { WorkspaceSession } from "../../server/lsp/workspace-session.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";

const deps = {
  log: silent,
  listen: () => {},
  settings: async () => ({}),
  roots: () => [],
  follow: () => false,
  opened: () => {},
  whenIdle: () => {},
  failed: () => {},
};

it("close resolves even if connecting fails at the same time", async () => {
  let fail = (_error: Error) => {};
  const session = new WorkspaceSession({
    ...deps,
    makeSession: () => new Promise((_resolve, reject) => (fail = reject)),
  });
  session.start();
  await new Promise((resolve) => setImmediate(resolve));
  const closed = session.close();
  fail(new Unavailable("no engine", "start one"));
  await expect(closed).resolves.toBeUndefined();
});

it("retries use exponential backoff from 250 ms", async () => {
  const at: number[] = [];
  let enough = () => {};
  const three = new Promise<void>((resolve) => (enough = resolve));
  const session = new WorkspaceSession({
    ...deps,
    makeSession: async () => {
      at.push(performance.now());
      throw new Unavailable("no engine", "start one");
    },
    failed: () => {
      if (at.length === 3) enough();
    },
  });
  session.start();
  await three;
  await session.close();
  const [first = 0, second = 0, third = 0] = at;
  // A timer may be a moment early by this clock.
  expect(second - first).toBeGreaterThan(245);
  expect(third - second).toBeGreaterThan(495);
});

leaveNothingBehind();

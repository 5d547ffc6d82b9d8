/** How long is waited before an engine is asked for again that could not be had. */

import { expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import { WorkspaceSession } from "../../server/lsp/workspace-session.ts";

it("waits a quarter of a second, and twice as long the next time", async () => {
  const at: number[] = [];
  let enough = () => {};
  const three = new Promise<void>((resolve) => (enough = resolve));
  const session = new WorkspaceSession({
    log: silent,
    makeSession: async () => {
      at.push(performance.now());
      throw new Unavailable("no engine", "start one");
    },
    listen: () => {},
    settings: async () => ({}),
    roots: () => [],
    opened: () => {},
    whenIdle: () => {},
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

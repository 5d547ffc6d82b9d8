/** A folder that cannot be watched because no more files can be opened is polled, and watched once they can. */

import { expect, it, onTestFinished } from "vitest";
import { silent } from "../../../server/common/log.ts";
import { DEFAULTS } from "../../../server/config/settings.ts";
import { createIgnoreRules } from "../../../server/indexing/ignore/ignore-rules.ts";
import { type Change, type Subscribe, watch } from "../../../server/indexing/watching/watch.ts";
import { watchFolders } from "../../../server/indexing/watching/watch-folders.ts";
import { eventually } from "../../support/eventually.ts";
import { workspace, write } from "../../support/workspace.ts";

it.each(["EMFILE", "ENFILE"])("tells of everything once files can be opened: %s", async (code) => {
  const root = workspace("//- a.py\n1\n");
  let isRefused = true;
  let subscriptions = 0;
  const subscribe: Subscribe = async (...args) => {
    if (isRefused) throw Object.assign(new Error(`${code}: too many open files`), { code });
    subscriptions++;
    return await watchFolders(...args);
  };
  const changes: Change[] = [];
  const paths = () => changes.flatMap((change) => (change.kind === "paths" ? change.paths : []));
  const options = { subscribe, pollMs: 20, identityMs: 5, retryMs: 5 };
  const rules = createIgnoreRules(root, DEFAULTS);
  const watching = await watch(root, rules, (change) => changes.push(change), silent, options);
  onTestFinished(() => watching.dispose());
  // What is there at the first look is not told.
  await eventually(() => {
    write(root, `//- b${Math.random()}.py\n1\n`);
    expect(paths().length).toBeGreaterThan(0);
  });
  expect(changes.some(({ kind }) => kind === "all")).toBe(false);
  isRefused = false;
  await eventually(() => expect(changes).toContainEqual({ kind: "all" }));
  write(root, "//- c.py\n1\n");
  await eventually(() => expect(paths()).toContain("c.py"));
  expect(subscriptions).toBe(1);
});

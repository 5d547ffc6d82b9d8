/** Watching a real folder: real events, awaited. */

import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DEFAULTS } from "../../server/config.ts";
import { createIgnoreRules } from "../../server/indexing/ignore-rules.ts";
import { type Change, watch } from "../../server/indexing/watch.ts";
import { silent } from "../../server/log.ts";
import { workspace, write } from "../support/workspace.ts";

/** Watches the root; `expectSoon` resolves when a change like that has arrived. */
async function watched(root: string) {
  const changes: Change[] = [];
  let arrived: () => void = () => undefined;
  const rules = createIgnoreRules(root, DEFAULTS);
  const watching = await watch(
    root,
    rules,
    (change) => {
      changes.push(change);
      arrived();
    },
    silent,
  );
  onTestFinished(() => watching.dispose());
  const expectSoon = async (wanted: (change: Change) => boolean) => {
    while (!changes.some(wanted)) {
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
  };
  const names = (path: string) => (change: Change) =>
    change.kind === "paths" && change.paths.includes(path);
  return { changes, expectSoon, names };
}

it("tells of files that come, change and go", async () => {
  const root = workspace("//- src/a.py\n1\n");
  const { expectSoon, names } = await watched(root);
  write(root, "//- src/b.py\n2\n");
  await expectSoon(names("src/b.py"));
  write(root, "//- src/a.py\n3\n");
  await expectSoon(names("src/a.py"));
  rmSync(join(root, "src/b.py"));
  await expectSoon(names("src/b.py"));
});

it("tells of a folder that is moved away and of what is made in a new one", async () => {
  const root = workspace("//- old/a.py\n1\n");
  const { expectSoon, names } = await watched(root);
  renameSync(join(root, "old"), join(root, "new"));
  await expectSoon(names("new"));
  mkdirSync(join(root, "deep/er"), { recursive: true });
  await expectSoon(names("deep"));
});

it("is silent about what the rules leave out, and tells of everything when they change", async () => {
  const root = workspace("//- .gitignore\nout/\n//- a.py\n1\n");
  const { changes, expectSoon, names } = await watched(root);
  write(root, "//- out/x.py\n1\n//- node_modules/y.js\n1\n//- b.py\n1\n");
  await expectSoon(names("b.py"));
  const paths = changes.flatMap((change) => (change.kind === "paths" ? change.paths : []));
  expect(paths.filter((path) => /^(out\/|node_modules)/.test(path))).toEqual([]);
  write(root, "//- .gitignore\n\n");
  await expectSoon(({ kind }) => kind === "all");
});

it("notices another branch", async () => {
  const root = workspace("//- a.py\n1\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      stdio: "ignore",
    });
  git("init", "-b", "main");
  git("add", ".");
  git("commit", "-m", "first");
  const { expectSoon } = await watched(root);
  git("checkout", "-b", "other");
  await expectSoon(({ kind }) => kind === "all");
});

it("gathers a burst into few batches", async () => {
  const root = workspace();
  const { changes, expectSoon, names } = await watched(root);
  for (let i = 0; i < 500; i++) writeFileSync(join(root, `f${i}.py`), "x");
  await expectSoon(names("f499.py"));
  expect(changes.length).toBeLessThan(10);
});

/** Watching a real folder with real events. */

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isOnLocalDisk } from "../../../server/common/local-disk.ts";
import { silent } from "../../../server/common/log.ts";
import { DEFAULTS } from "../../../server/config/settings.ts";
import { FolderListings } from "../../../server/indexing/discovery/folder-listings.ts";
import { createIgnoreRules } from "../../../server/indexing/ignore/ignore-rules.ts";
import {
  type Subscribe,
  type WatchedChange,
  watch,
} from "../../../server/indexing/watching/watch.ts";
import { type Hear, watchFolders } from "../../../server/indexing/watching/watch-folders.ts";
import { eventually } from "../../support/eventually.ts";
import { commitAll, git, initRepository, repositoryOf } from "../../support/git.ts";
import { leaveNothingBehind } from "../../support/left-behind.ts";
import { workspace, write } from "../../support/workspace.ts";

/** Watches the root; `expectSoon` resolves when a change like that has arrived. */
async function watched(root: string, options: Parameters<typeof watch>[4] = {}) {
  const changes: WatchedChange[] = [];
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
    options,
  );
  onTestFinished(() => watching.dispose());
  const expectSoon = async (wanted: (change: WatchedChange) => boolean) => {
    while (!changes.some(wanted)) {
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
  };
  const names = (path: string) => (change: WatchedChange) =>
    change.kind === "paths" && change.paths.includes(path);
  return { watching, changes, expectSoon, names, rules };
}

it("Created, changed and deleted files are reported", async () => {
  const root = workspace("//- src/a.py\n1\n");
  const { expectSoon, names } = await watched(root);
  write(root, "//- src/b.py\n2\n");
  await expectSoon(names("src/b.py"));
  write(root, "//- src/a.py\n3\n");
  await expectSoon(names("src/a.py"));
  rmSync(join(root, "src/b.py"));
  await expectSoon(names("src/b.py"));
});

it("Folder listings are kept until a change", async () => {
  const root = workspace("//- a.py\n1\n//- src/in/b.py\n1\n//- node_modules/c.js\n1\n");
  const listings = new FolderListings();
  const { expectSoon, names } = await watched(root, { listings });
  const listed = (folder: string) => listings.take(folder)?.map(({ name }) => name);
  expect(listed("")?.toSorted()).toEqual(["a.py", "node_modules", "src"]);
  expect(listed("src")).toEqual(["in"]);
  expect(listed("src")).toBeUndefined();
  expect(listed("node_modules")).toBeUndefined();
  write(root, "//- a.py\n2\n");
  await expectSoon(names("a.py"));
  expect(listed("src/in")).toBeUndefined();
});

it("A moved folder and files in a new folder are reported", async () => {
  const root = workspace("//- old/a.py\n1\n");
  const { expectSoon, names } = await watched(root);
  renameSync(join(root, "old"), join(root, "new"));
  await expectSoon(names("new"));
  mkdirSync(join(root, "deep/er"), { recursive: true });
  await expectSoon(names("deep"));
});

it.each<[string, (root: string) => void, string]>([
  [
    "created right after their parent",
    (root) => mkdirSync(join(root, "p/q/r"), { recursive: true }),
    "p/q/r/a.py",
  ],
  [
    "in a tree that is moved in",
    (root) => renameSync(`${root}/../moved`, join(root, "p")),
    "p/q/a.py",
  ],
  [
    "in a recreated folder",
    (root) => {
      rmSync(join(root, "old"), { recursive: true });
      mkdirSync(join(root, "old/q/r"), { recursive: true });
    },
    "old/q/r/a.py",
  ],
])("Files are reported in folders %s", async (_, make, file) => {
  const top = workspace("//- root/old/q/r/b.py\n1\n//- moved/q/b.py\n1\n");
  const { changes, expectSoon, names } = await watched(join(top, "root"));
  make(join(top, "root"));
  // Its subfolders are watched by then.
  const isHeard = names(file.split("/")[0] ?? "");
  await expectSoon((change) => change.kind === "all" || isHeard(change));
  changes.length = 0;
  write(join(top, "root"), `//- ${file}\n1\n`);
  // Files written while the watches are being set are found by listing.
  await expectSoon((change) => change.kind === "all" || names(file)(change));
});

it("A recreated root is watched", async () => {
  const root = workspace("//- a.py\n1\n");
  const { changes, expectSoon, names } = await watched(root, { identityMs: 20 });
  rmSync(root, { recursive: true });
  await expectSoon(({ kind }) => kind === "all");
  changes.length = 0;
  mkdirSync(root);
  await eventually(() => {
    write(root, "//- b.py\n1\n");
    expect(changes.some(names("b.py"))).toBe(true);
  });
});

it.each<[string, (root: string) => void]>([
  [
    "the root was moved away and back",
    (root) => {
      renameSync(root, `${root}.away`);
      renameSync(`${root}.away`, root);
    },
  ],
  [
    "a folder was moved out and deleted with its subfolders",
    (root) => {
      renameSync(join(root, "old"), `${root}.old`);
      rmSync(`${root}.old`, { recursive: true });
      mkdirSync(join(root, "old/q"), { recursive: true });
    },
  ],
  [
    "a folder was moved inside the root and deleted",
    (root) => {
      renameSync(join(root, "old"), join(root, "new"));
      rmSync(join(root, "new"), { recursive: true });
      mkdirSync(join(root, "old/q"), { recursive: true });
    },
  ],
])("Changes are reported after %s, and after watching again", async (_, happen) => {
  const root = join(workspace("//- root/old/q/r/b.py\n1\n//- root/a.py\n1\n"), "root");
  const { watching, changes, expectSoon, names } = await watched(root);
  for (let round = 0; round < 3; round++) {
    happen(root);
    await watching.renew();
    mkdirSync(join(root, `p${round}/q`), { recursive: true });
    await expectSoon((change) => change.kind === "all" || names(`p${round}`)(change));
    changes.length = 0;
    write(root, `//- p${round}/q/c.py\n1\n//- a.py\n${round}\n`);
    await expectSoon((change) => change.kind === "all" || names("a.py")(change));
    await expectSoon((change) => change.kind === "all" || names(`p${round}/q/c.py`)(change));
    write(root, `//- old/q/r/b.py\n${round}\n`);
    changes.length = 0;
  }
});

it("A root that was missing while watches were renewed is watched when it is back", async () => {
  const root = workspace("//- a.py\n1\n");
  let isAway = false;
  const subscribe: Subscribe = async (...where) => {
    if (!isAway) return await watchFolders(...where);
    isAway = false;
    renameSync(root, `${root}.away`);
    // After the failure, before the next identity check.
    setImmediate(() => renameSync(`${root}.away`, root));
    return await Promise.reject(Object.assign(new Error("no such folder"), { code: "ENOENT" }));
  };
  const { watching, expectSoon, names } = await watched(root, { subscribe, identityMs: 200 });
  isAway = true;
  await watching.renew();
  await expectSoon(({ kind }) => kind === "all");
  write(root, "//- b.py\n1\n");
  await expectSoon(names("b.py"));
});

it("A branch switch is reported in a repository that was missing while watches were renewed", async () => {
  const root = repositoryOf("//- a.py\n1\n", "first");
  const [here, away] = [join(root, ".git"), `${root}.git`];
  let isFirst = true;
  const subscribe: Subscribe = async (...where) => {
    if (isFirst) renameSync(here, away);
    isFirst = false;
    return await watchFolders(...where);
  };
  const { changes, expectSoon } = await watched(root, { subscribe, identityMs: 200 });
  renameSync(away, here);
  await expectSoon(({ kind }) => kind === "all");
  changes.length = 0;
  git(root, "checkout", "-b", "other");
  await expectSoon(({ kind }) => kind === "all");
});

it("Watches are kept while the root has the same identity", async () => {
  const root = workspace("//- a.py\n1\n");
  const { changes, expectSoon, names } = await watched(root, { identityMs: 5 });
  write(root, "//- b.py\n1\n");
  await expectSoon(names("b.py"));
  write(root, "//- c.py\n1\n");
  await expectSoon(names("c.py"));
  expect(changes.filter(({ kind }) => kind === "all")).toEqual([]);
});

it("Excluded files are not reported, and changed rules report everything", async () => {
  const root = workspace("//- .gitignore\nout/\n//- a.py\n1\n");
  const { changes, expectSoon, names } = await watched(root);
  write(root, "//- out/x.py\n1\n//- node_modules/y.js\n1\n//- b.py\n1\n");
  await expectSoon(names("b.py"));
  const paths = changes.flatMap((change) => (change.kind === "paths" ? change.paths : []));
  expect(paths.filter((path) => /^(out\/|node_modules)/.test(path))).toEqual([]);
  write(root, "//- .gitignore\n\n");
  await expectSoon(({ kind }) => kind === "all");
});

it("A moved-in folder is judged by its own ignore files", async () => {
  const top = workspace(`
//- root/lib/.gitignore
old/
//- root/lib/a.py
1
//- moved/.gitignore
gen/
//- moved/old/b.py
1
//- moved/gen/c.py
1
`);
  const root = join(top, "root");
  const { changes, expectSoon, names, rules } = await watched(root);
  const isLeftOut = (path: string) => rules.decide(path, "file") !== undefined;
  expect(["lib/old/b.py", "lib/gen/c.py"].map(isLeftOut)).toEqual([true, false]);
  renameSync(join(root, "lib"), join(top, "away"));
  renameSync(join(top, "moved"), join(root, "lib"));
  await expectSoon(names("lib"));
  expect(["lib/old/b.py", "lib/gen/c.py"].map(isLeftOut)).toEqual([false, true]);
  changes.length = 0;
  write(root, "//- lib/gen/d.py\n1\n//- lib/old/d.py\n1\n");
  await expectSoon(names("lib/old/d.py"));
  expect(changes.some(names("lib/gen/d.py"))).toBe(false);
});

it.each([
  ["the repository's own", "repository/.git/info/exclude"],
  ["those above the root", "repository/.gitignore"],
  ["rules of a folder between them", "repository/src/.ignore"],
])("Changed rules outside the root are reported: %s", async (_, file) => {
  const top = workspace("//- repository/src/root/a.py\n1\n");
  initRepository(join(top, "repository"));
  mkdirSync(join(top, "repository/.git/info"), { recursive: true });
  const { watching, changes, expectSoon, rules } = await watched(join(top, "repository/src/root"));
  for (const text of ["a.py", "b.py"]) {
    changes.length = 0;
    write(top, `//- moved\n${text}\n`);
    renameSync(join(top, "moved"), join(top, file));
    await expectSoon(({ kind }) => kind === "all");
    expect(rules.decide("a.py", "file") !== undefined).toBe(text === "a.py");
    await watching.renew();
  }
  changes.length = 0;
  write(
    top,
    "//- repository/other.py\n1\n//- repository/.git/info/other\n1\n//- repository/src/root/c.py\n1\n",
  );
  await expectSoon(({ kind }) => kind === "paths");
  expect(changes.filter(({ kind }) => kind === "all")).toEqual([]);
});

it("Renewed watches read all rules again", async () => {
  const root = workspace("//- lib/a.py\n1\n");
  const deaf: Subscribe = async () => ({ unsubscribe: async () => undefined });
  const { watching, rules } = await watched(root, { subscribe: deaf });
  expect(rules.decide("lib/a.py", "file")).toBeUndefined();
  write(root, "//- lib/.gitignore\na.py\n");
  await watching.renew();
  expect(rules.decide("lib/a.py", "file")).toBeDefined();
});

it("A re-included built-in folder is watched, also when it is re-included later", async () => {
  const literal = "//- .cocosearchignore\n!dist/\n//- dist/a.py\n1\n//- coverage/a.py\n1\n";
  const root = workspace(literal);
  const { changes, expectSoon, names } = await watched(root);
  write(root, "//- dist/b.py\n1\n//- coverage/b.py\n1\n");
  await expectSoon(names("dist/b.py"));
  expect(changes.some(names("coverage/b.py"))).toBe(false);
  write(root, "//- .cocosearchignore\n!dist/\n!coverage/\n");
  await expectSoon(({ kind }) => kind === "all");
  write(root, "//- coverage/c.py\n1\n");
  await expectSoon(names("coverage/c.py"));
});

it("Files are polled if the system cannot watch", async () => {
  const root = workspace("//- a.py\n1\n//- b.py\n1\n");
  const refused = () => Promise.reject(new Error("inotify_add_watch: No space left on device"));
  const { changes, expectSoon, names } = await watched(root, { subscribe: refused, pollMs: 20 });
  write(root, "//- c.py\n1\n");
  await expectSoon(names("c.py"));
  rmSync(join(root, "a.py"));
  await expectSoon(names("a.py"));
  expect(changes.some(names("b.py"))).toBe(false);
  write(root, "//- .gitignore\n*.js\n");
  await expectSoon(({ kind }) => kind === "all");
});

it("Lost events renew the watches and report that anything may have changed", async () => {
  const root = workspace("//- a.py\n1\n");
  const heard: Hear[] = [];
  const subscribe: Subscribe = async (folder, rules, hear) => {
    heard.push(hear);
    return await watchFolders(folder, rules, hear);
  };
  const { expectSoon, names } = await watched(root, { subscribe });
  heard[0]?.(new Error("Events were dropped"), []);
  await expectSoon(({ kind }) => kind === "all");
  write(root, "//- b.py\n1\n");
  await expectSoon(names("b.py"));
  expect(heard).toHaveLength(2);
});

it("A branch switch is reported in a subfolder of a worktree", async () => {
  const top = workspace("//- main/src/a.py\n1\n");
  initRepository(join(top, "main"));
  commitAll(join(top, "main"), "first");
  git(join(top, "main"), "worktree", "add", "../other");
  const { expectSoon } = await watched(join(top, "other/src"));
  git(join(top, "other"), "checkout", "-b", "third");
  await expectSoon(({ kind }) => kind === "all");
});

it("No change in a worktree below the root is reported once it is one", async () => {
  const root = repositoryOf("//- a.py\n1\n//- .worktrees/b.py\n1\n", "first");
  const { expectSoon, names, rules, changes } = await watched(root);
  mkdirSync(join(root, ".worktrees/fix"));
  await expectSoon(names(".worktrees/fix"));
  git(root, "worktree", "add", "-q", ".worktrees/fix");
  await expectSoon(({ kind }) => kind === "all");
  expect(rules.decide(".worktrees/fix/a.py", "file")).toBeDefined();
  changes.length = 0;
  write(root, "//- .worktrees/fix/b.py\n1\n");
  write(root, "//- b.py\n1\n");
  await expectSoon(names("b.py"));
  expect(changes.some(names(".worktrees/fix/b.py"))).toBe(false);
});

it("A branch switch is reported", async () => {
  const root = repositoryOf("//- a.py\n1\n", "first");
  const { expectSoon } = await watched(root);
  git(root, "checkout", "-b", "other");
  await expectSoon(({ kind }) => kind === "all");
});

it("A commit is reported without file changes", async () => {
  const root = repositoryOf("//- a.py\n1\n", "first");
  const { changes, expectSoon } = await watched(root);
  commitAll(root, "second");
  await expectSoon(({ kind }) => kind === "commit");
  expect(changes.filter(({ kind }) => kind === "all")).toEqual([]);
});

it("A burst is debounced into few batches", async () => {
  const root = workspace();
  const { changes, expectSoon, names } = await watched(root);
  for (let i = 0; i < 500; i++) writeFileSync(join(root, `f${i}.py`), "x");
  await expectSoon(names("f499.py"));
  expect(changes.length).toBeLessThan(10);
});

it("Events of several folders above the kernel limit are reported as lost", async () => {
  const both = ["one", "two"].map((name) => join(workspace(`//- ${name}/a.py\n1\n`), name));
  const all = await Promise.all(both.map(async (root) => ({ root, ...(await watched(root)) })));
  // Two events each: 18,000 before the thread reads any.
  for (const { root } of all) {
    for (let i = 0; i < 2_250; i++) {
      renameSync(join(root, "a.py"), join(root, "b.py"));
      renameSync(join(root, "b.py"), join(root, "a.py"));
    }
  }
  for (const { expectSoon } of all) await expectSoon(({ kind }) => kind === "all");
});

describe.runIf(await isOnLocalDisk(tmpdir()))("on a local disk", () => {
  it("`catchUp` reports pending changes at once", async () => {
    const root = workspace("//- a.py\n1\n//- old/b.py\n1\n");
    const { watching, changes, names } = await watched(root);
    // Changes after the first are debounced longer.
    for (const file of ["c.py", "p/q/r/d.py", "old/b.py"]) {
      write(root, `//- ${file}\n2\n`);
      expect(await watching.catchUp()).toBe(true);
      const top = file.startsWith("p/") ? "p" : file;
      expect(changes.some(names(top))).toBe(true);
    }
    changes.length = 0;
    expect(await watching.catchUp()).toBe(true);
    expect(changes).toEqual([]);
  });

  it("`catchUp` reports rules that have just changed", async () => {
    const root = workspace("//- a.py\n1\n");
    const { watching, changes } = await watched(root);
    write(root, "//- .gitignore\na.py\n");
    await watching.catchUp();
    expect(changes).toContainEqual({ kind: "all" });
  });

  it("`catchUp` reports a root that was just replaced together with its parent", async () => {
    const top = workspace("//- parent/root/a.py\n1\n");
    const { watching, changes } = await watched(join(top, "parent/root"));
    renameSync(join(top, "parent"), join(top, "before"));
    write(top, "//- parent/root/b.py\n1\n");
    await watching.catchUp();
    expect(changes).toContainEqual({ kind: "all" });
  });
});

it("`catchUp` returns false while polling, or without a flush of events", async () => {
  const root = workspace("//- a.py\n1\n");
  const refused = () => Promise.reject(new Error("inotify_add_watch: No space left on device"));
  const late: Subscribe = async () => ({ unsubscribe: async () => undefined });
  for (const subscribe of [refused, late]) {
    const { watching } = await watched(root, { subscribe });
    expect(await watching.catchUp()).toBe(false);
  }
});

leaveNothingBehind();

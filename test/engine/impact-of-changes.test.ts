/** `impact` of a diff or a revision, in the real engine: a repository, its index and its history. */

import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { engineInProcess, openedIn } from "../support/engine-in-process.ts";
import { eventually } from "../support/eventually.ts";
import { commitAll, git, initRepository, repositoryOf } from "../support/git.ts";
import { workspace, write } from "../support/workspace.ts";

const inProcess = engineInProcess();
afterAll(() => inProcess.dispose());

const SHOP = `//- shop/pool.py
def open_pool():
    return 1
//- shop/server.py
from shop.pool import open_pool
def serve():
    return open_pool()
//- tests/test_server.py
from shop.server import serve
def test_serve():
    assert serve() == 1
//- shop/old.py
from shop.server import serve
`;

const opened = (...roots: string[]) => openedIn(inProcess, ...roots);

function repository(): string {
  const root = repositoryOf(SHOP);
  return root;
}

it("`impact` lists the tests of changed and untracked files", async () => {
  const root = repository();
  write(root, "//- shop/pool.py\ndef open_pool():\n    return 2\n//- notes.bin\n\0\n");
  write(root, "//- tests/test_pool.py\nfrom shop.pool import open_pool\n");
  git(root, "rm", "-q", "shop/old.py");
  const session = await opened(root);
  const answer = await session.impact({ revision: "HEAD" });
  expect([...answer.changed].toSorted()).toEqual(["shop/pool.py", "tests/test_pool.py"]);
  expect(answer.notIndexed).toEqual(["shop/old.py"]);
  expect(answer.tests).toContain("tests/test_server.py");
  expect(answer.files.map(({ path }) => path)).toContain("shop/server.py");
});

it("`impact` lists changed tests themselves, but not their data", async () => {
  const root = repository();
  write(root, "//- tests/test_server.py\nfrom shop.server import serve\nserve()\n");
  write(root, '//- tests/orders.json\n{ "first": 1 }\n');
  const session = await opened(root);
  const { changed, tests } = await session.impact({ revision: "HEAD" });
  expect([...changed].toSorted()).toEqual(["tests/orders.json", "tests/test_server.py"]);
  expect(tests).toEqual(["tests/test_server.py"]);
});

it("`impact` counts a file that is named twice once", async () => {
  const root = repository();
  const session = await opened(root);
  const once = await session.impact({ paths: ["shop/pool.py", "shop/gone.py"] });
  const paths = ["shop/pool.py", "./shop/pool.py", join(root, "shop/pool.py"), "shop/pool.py"];
  const twice = await session.impact({ paths: [...paths, "shop/gone.py", "shop/gone.py"] });
  expect(twice).toEqual(once);
  expect(twice.changed).toEqual(["shop/pool.py"]);
});

it("`impact` compares with an earlier commit, and is empty without changes", async () => {
  const root = repository();
  write(root, "//- shop/server.py\ndef serve():\n    return 3\n");
  commitAll(root, "Change the server");
  const session = await opened(root);
  expect(await session.impact({ revision: "HEAD" })).toMatchObject({ changed: [], total: 0 });
  const { changed, tests } = await session.impact({ revision: "HEAD~1" });
  expect([changed, tests]).toEqual([["shop/server.py"], ["tests/test_server.py"]]);
  await expect(session.impact({ revision: "nothing" })).rejects.toThrow(
    "is not a commit, branch or tag",
  );
});

it("`impact` accepts a diff with the folder that it belongs to", async () => {
  const [root, other] = [repository(), workspace("//- a.py\na = 1\n//- b.py\nimport a\n")];
  const session = await opened(root, other);
  const diff = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n";
  const answer = await session.impact({ diff, root: other });
  expect([answer.changed, answer.files.map(({ path }) => path)]).toEqual([["a.py"], ["b.py"]]);
  await expect(session.impact({ diff, root: join(root, "none") })).rejects.toThrow("is not open");
  await expect(session.impact({ revision: "HEAD", root: other })).rejects.toThrow(
    "not in a git work tree",
  );
});

it("`impact` gives the reason of each file: name, graph or commits", async () => {
  const root = workspace("//- pool.py\nx = 1\n//- user.py\nimport pool\n//- notes.py\ny = 2\n");
  write(root, "//- checks/pool_test.py\nprint('no import')\n");
  initRepository(root);
  commitAll(root, "Begin");
  write(root, "//- pool.py\nx = 3\n//- notes.py\ny = 3\n");
  commitAll(root, "Change both");
  write(root, "//- checks/pool_spec_test.py\nprint('in no commit')\n");
  const session = await opened(root);
  await eventually(async () => {
    expect((await session.impact({ paths: ["pool.py"] })).coChanged).not.toEqual([]);
  });
  const { files, coChanged, coChangedTotal } = await session.impact({ paths: ["pool.py"] });
  expect(coChangedTotal).toBe(coChanged.length);
  const limited = await session.impact({ paths: ["pool.py"], limit: 1 });
  expect([limited.coChanged.length, limited.coChangedTotal]).toEqual([1, coChangedTotal]);
  expect(coChangedTotal).toBeGreaterThan(1);
  const reasons = Object.fromEntries(files.map(({ path, reason }) => [path, reason]));
  expect(reasons).toEqual({
    "user.py": "both",
    "notes.py": "co-change",
    "checks/pool_test.py": "co-change",
    "checks/pool_spec_test.py": "name",
  });
});

it("`impact` counts every file that changed together, beyond all limits", async () => {
  const numbers = Array.from({ length: 230 }, (_, i) => i);
  const root = workspace("//- pool.py\nx = 1\n");
  initRepository(root);
  for (const from of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) {
    const own = numbers.filter((i) => i % 12 === from);
    write(root, own.map((i) => `//- f${i}.py\ny = ${i}\n`).join(""));
    write(root, `//- pool.py\nx = ${from + 2}\n`);
    commitAll(root, `Change ${from}`);
  }
  const session = await opened(root);
  await eventually(async () => {
    const { coChanged, coChangedTotal } = await session.impact({ paths: ["pool.py"], limit: 5 });
    expect([coChanged.length, coChangedTotal]).toEqual([5, numbers.length]);
  });
});

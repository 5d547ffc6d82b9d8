/**
 * Searches limited to files that differ from a commit or a time, in the real engine.
 * @module-tag slow
 */

import { afterAll, expect, it } from "vitest";
import { engineInProcess, openedIn } from "../../support/engine-in-process.ts";
import { commitAll, git, repositoryOf } from "../../support/git.ts";
import { workspace, write } from "../../support/workspace.ts";

const inProcess = engineInProcess();
afterAll(() => inProcess.dispose());

const SHOP = `//- shop/pool.py
def open_pool():
    return "the pool of the shop"
//- shop/server.py
def open_server():
    return "the server of the shop"
//- docs/notes.py
def open_notes():
    return "the notes of the shop"
`;

async function opened(...roots: string[]) {
  const session = await openedIn(inProcess, ...roots);
  const pathsOf = async (query: string, changedSince?: string) => {
    const { hits } = await session.search({ query, changedSince });
    return hits.map(({ path }) => path).toSorted();
  };
  return { session, pathsOf };
}

/** A repository with two commits. */
function repository(): string {
  const root = repositoryOf(SHOP);
  write(root, "//- shop/server.py\ndef open_server():\n    return 'another server of the shop'\n");
  commitAll(root, "Change the server");
  return root;
}

it("`changedSince` limits a search to files that differ from a commit, tracked or not", async () => {
  const root = repository();
  git(root, "branch", "begin", "HEAD~1");
  write(root, "//- shop/new.py\ndef open_new():\n    return 'the new part of the shop'\n");
  const { pathsOf } = await opened(root);
  expect(await pathsOf("open shop")).toHaveLength(4);
  expect(await pathsOf("open shop", "HEAD")).toEqual(["shop/new.py"]);
  expect(await pathsOf("open shop", "HEAD~1")).toEqual(["shop/new.py", "shop/server.py"]);
  expect(await pathsOf("open shop", "begin")).toEqual(["shop/new.py", "shop/server.py"]);
});

it("`changedSince` accepts a time, also in the query text", async () => {
  const root = repository();
  const { pathsOf, session } = await opened(root);
  const begin = git(root, "log", "-1", "--format=%ct", "HEAD~1");
  expect(await pathsOf("open shop", begin)).toEqual(["shop/server.py"]);
  expect(await pathsOf(`open shop recent:${begin}`)).toEqual(["shop/server.py"]);
  expect(await pathsOf("open shop", "1s")).toEqual([]);
  // A time before the first commit has no known state.
  expect(await pathsOf("open shop", String(Number(begin) - 1))).toHaveLength(3);
  const { warnings } = await session.search({ query: "open shop recent:soon" });
  expect(warnings).toEqual([expect.stringContaining("such as recent:30d")]);
});

it("A commit after an answer changes the next answer", async () => {
  const root = repository();
  const { pathsOf } = await opened(root);
  expect(await pathsOf("open shop", "HEAD")).toEqual([]);
  git(root, "reset", "-q", "--soft", "HEAD~1");
  expect(await pathsOf("open shop", "HEAD")).toEqual(["shop/server.py"]);
});

it("A search without changed files says why, and an unknown revision is rejected", async () => {
  const { session } = await opened(repository());
  const { hits, warnings } = await session.search({ query: "open shop", changedSince: "HEAD" });
  expect(hits).toEqual([]);
  expect(warnings).toEqual(["no indexed file passes the filter (changed since HEAD)"]);
  await expect(session.search({ query: "shop", changedSince: "nothing" })).rejects.toThrow(
    "changedSince: nothing is not a commit, branch or tag",
  );
});

it("A folder without a repository is not searched, with a warning", async () => {
  const { session } = await opened(
    repository(),
    workspace("//- other.py\ndef open_shop(): pass\n"),
  );
  const { hits, warnings } = await session.search({ query: "open shop", changedSince: "HEAD~1" });
  expect(hits.map(({ path }) => path)).toEqual(["shop/server.py"]);
  expect(warnings).toEqual([expect.stringMatching(/was left out: cannot list changed files/)]);
});

it("`changedSince` considers only the opened part of a repository", async () => {
  const root = repository();
  write(root, "//- docs/notes.py\ndef open_notes():\n    return 'other notes of the shop'\n");
  const { pathsOf } = await opened(`${root}/docs`);
  expect(await pathsOf("open shop", "HEAD~1")).toEqual(["notes.py"]);
});

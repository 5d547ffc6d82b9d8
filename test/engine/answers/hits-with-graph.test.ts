/** Importer counts and related files of hits, in the real engine. */

import { afterAll, expect, it } from "vitest";
import { engineInProcess, openedIn } from "../../support/engine-in-process.ts";
import { eventually } from "../../support/eventually.ts";
import { workspace, write } from "../../support/workspace.ts";

const inProcess = engineInProcess();
afterAll(() => inProcess.dispose());

const SHOP = `//- shop/pool.py
def open_pool():
    return 1
//- shop/server.py
from shop.pool import open_pool
def serve():
    return open_pool()
//- shop/worker.py
from shop.pool import open_pool
//- shop/start.py
from shop.server import serve
serve()
`;

const opened = (...roots: string[]) => openedIn(inProcess, ...roots);

it("Each hit has the number of files that import its file, also after a change", async () => {
  const root = workspace(SHOP);
  const session = await opened(root);
  // Absent if the answer did not wait for the graph.
  const importers = (query: string, path: string) =>
    eventually(async () => {
      const { hits } = await session.search({ query });
      const found = hits.find((hit) => hit.path === path)?.importers;
      expect(found).toBeDefined();
      return found;
    });
  expect(await importers("open_pool", "shop/pool.py")).toBe(2);
  expect(await importers("serve", "shop/start.py")).toBe(0);
  write(root, "//- shop/worker.py\nfrom shop.server import serve\n");
  await session.reindex({});
  expect(await importers("open_pool", "shop/pool.py")).toBe(1);
  await eventually(async () => {
    const { hits } = await session.analyze({ query: "serve" });
    expect(hits.find(({ path }) => path === "shop/server.py")?.importers).toBe(2);
  });
});

it("`expand` adds related files in both directions, nearest first, without hits", async () => {
  const session = await opened(workspace(SHOP));
  const request = { query: "serve", paths: ["shop/server.py"] };
  expect((await session.search(request)).related).toBeUndefined();
  const one = await session.search({ ...request, expand: {} });
  expect(one.hits.map(({ path }) => path)).toEqual(["shop/server.py"]);
  expect(one.related?.map(({ path, dependent }) => [path, dependent]).toSorted()).toEqual([
    ["shop/pool.py", false],
    ["shop/start.py", true],
  ]);
  const two = await session.search({ ...request, expand: { hops: 2 } });
  expect(two.related?.map(({ path, hops }) => [path, hops]).at(-1)).toEqual(["shop/worker.py", 2]);
  const cut = await session.search({ ...request, expand: { hops: 2, limit: 1 } });
  expect(cut.related).toHaveLength(1);
});

it("`search.related` adds files to every search once the graph is resolved", async () => {
  const session = await opened(workspace(SHOP));
  await session.configure({ "search.related": 1 });
  await session.whenIdle();
  const related = await eventually(async () => {
    const answer = await session.search({ query: "serve", paths: ["shop/server.py"] });
    expect(answer.related).toBeDefined();
    return answer.related;
  });
  expect(related).toHaveLength(1);
});

it("A packed context includes the callees of its first place", async () => {
  const session = await opened(workspace(SHOP));
  const request = { query: "what does serve do", paths: ["shop/server.py"] };
  await eventually(async () => {
    const { items } = await session.context(request);
    expect(items.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["shop/server.py", "shop/pool.py"]),
    );
  });
});

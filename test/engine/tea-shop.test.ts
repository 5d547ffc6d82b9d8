/** Requests of a session over a small repository in seven languages, from indexing to the answer. */

import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLog } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { commitAll, initRepository } from "../support/git.ts";
import { filesOf } from "../support/graph.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";
import { temporaryWorkspace } from "../support/workspace.ts";
import { CODE } from "./tea-shop.ts";

/** The log entries of the engine. */
const entries: Readonly<Record<string, unknown>>[] = [];
const log = createLog((line) => void entries.push(JSON.parse(line)), "debug");
const begun = Date.now();
const { engine, dispose } = engineInProcess(log);

let made: ReturnType<typeof temporaryWorkspace>;
let session: Session;

beforeAll(async () => {
  made = temporaryWorkspace(CODE);
  initRepository(made.root);
  commitAll(made.root, "Begin with tea");
  session = engine.session();
  await session.openFolders([made.root]);
  await session.whenIdle();
});

let isEnded = false;
async function endAll(): Promise<void> {
  if (isEnded) return;
  isEnded = true;
  await session.dispose();
  await dispose();
  made.remove();
}
afterAll(endAll);

const inShop = (path: string) => join(made.root, path);

it.each([
  ["web/store.ts", "price(item)", "priceOf", "web/items.ts:4 priceOf"],
  ["web/index.ts", "add({", "shop.add", "web/store.ts:16 Store.add"],
  ["py/main.py", 'connect("ä")', "pools.connect", "py/shop/pool.py:28 connect"],
  ["py/shop/pool.py", "close()\n        return", "self.close", "py/shop/pool.py:8 Base.close"],
  ["go/main.go", "Boil()", "p.Boil", "go/pot/pot.go:7 Pot.Boil"],
  ["rs/src/lib.rs", "steep()", "leaf.steep", "rs/src/tea.rs:4 Leaf.steep"],
  ["rb/app.rb", "fill", "Cup.new.fill", "rb/lib/cup.rb:2 Cup.fill"],
  ["c/main.c", "brew(3)", "brew", "c/tea.c:3 brew"],
  ["java/app/Main.java", "boil()", "boil", "java/app/tea/Pot.java:3 Pot.boil"],
])("A name in %s refers to its definition: %s", async (path, text, chain, expected) => {
  const before = (filesOf(CODE).get(path) ?? "").split(text, 1)[0]?.split("\n") ?? [];
  const position = { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
  const ends = await session.callEnds({ path: inShop(path), ...position, chain });
  expect(ends.map((end) => `${end.path}:${end.line + 1} ${end.qualifiedName}`)).toEqual([expected]);
});

it("`callers` and `callees` return the calls of a name in every language", async () => {
  const sites = async (which: "callers" | "callees", name: string) =>
    (await session[which]({ name })).calls.map(
      ({ path, line, caller, target }) => `${path}:${line + 1} ${caller} ${target.name}`,
    );
  expect(await sites("callers", "fill")).toEqual([
    "go/pot/pot.go:7 Pot.Boil Pot.fill",
    "java/app/tea/Pot.java:3 Pot.boil Pot.fill",
    "rb/app.rb:4 App.run Cup.fill",
  ]);
  expect(await sites("callers", "Store.add")).toEqual([
    "web/index.ts:5  Store.add",
    "web/store.ts:13 Store.open Store.add",
  ]);
  expect(await sites("callees", "Pool.open")).toEqual([
    "py/shop/pool.py:17 Pool.open Closed",
    "py/shop/pool.py:18 Pool.open Base.close",
  ]);
  expect(await sites("callers", "nothing")).toEqual([]);
});

it("`related` returns dependencies and dependents by distance, and filters and limits them", async () => {
  const near = async (path: string, request: Omit<Parameters<Session["related"]>[0], "path">) => {
    const { files, packages, total } = await session.related({ path: inShop(path), ...request });
    const paths = files.map((file) => `${file.hops} ${file.path}`);
    return { paths, packages: packages.map(({ name }) => name), total };
  };
  expect(await near("go/main.go", { direction: "imports", hops: 2 })).toEqual({
    paths: ["1 go/pot/pot.go", "2 go/pot/more.go"],
    packages: ["fmt"],
    total: 2,
  });
  expect(await near("py/shop/errors.py", { direction: "importedBy", hops: 2 })).toMatchObject({
    paths: ["1 py/shop/pool.py", "2 py/main.py", "2 py/shop/__init__.py"],
  });
  const calls = await near("c/main.c", { types: ["call"] });
  expect(calls.paths).toEqual(["1 c/tea.c"]);
  const first = await near("web/store.ts", { limit: 1 });
  expect([first.paths.length, first.total]).toEqual([1, 4]);
});

it("`dependencyPath` returns the files between two files", async () => {
  const between = (from: string, to: string) =>
    session.dependencyPath({ from: inShop(from), to: inShop(to) });
  expect(await between("py/main.py", "py/shop/errors.py")).toEqual([
    "py/main.py",
    "py/shop/pool.py",
    "py/shop/errors.py",
  ]);
  expect(await between("py/shop/errors.py", "py/main.py")).toEqual([]);
});

it("`exportGraph` returns imports and calls of every language", async () => {
  const { edges, files } = await session.exportGraph(made.root, 0);
  expect(files).toEqual(expect.arrayContaining(["go/go.mod", "rs/Cargo.toml", "web/store.ts"]));
  const callers = edges.flatMap((edge) => (edge.kind === "call" ? [edge.at.file] : []));
  const importers = edges.flatMap((edge) => (edge.kind === "import" ? [edge.from] : []));
  for (const paths of [callers, importers])
    expect(new Set(paths.map((path) => path.split("/", 1)[0]))).toEqual(
      new Set(["c", "go", "java", "py", "rb", "rs", "web"]),
    );
});

it("`symbols` finds definitions by their beginning and by a qualified name", async () => {
  const found = async (query: string) =>
    (await session.symbols(query, 3)).map(({ path, symbol }) => `${path} ${symbol?.name}`);
  expect(await found("sto")).toEqual(["web/store.ts Store"]);
  expect(await found("pool.open")).toEqual(["py/shop/pool.py Pool.open"]);
  expect(await found("fil")).toEqual([
    "go/pot/pot.go Pot.fill",
    "java/app/tea/Pot.java Pot.fill",
    "rb/lib/cup.rb Cup.fill",
  ]);
  expect(await found("zzz")).toEqual([]);
});

it("`similar` takes the definition at a line and finds others like it", async () => {
  const { hits, subject } = await session.similar({ path: inShop("go/pot/pot.go"), line: 6 });
  expect(subject.symbol?.name).toBe("Pot.Boil");
  expect(hits[0]?.path).toBe("java/app/tea/Pot.java");
  const similarTo = (path: string) => session.similar({ path: inShop(path), line: 999 });
  await expect(similarTo("web/none.ts")).rejects.toThrow("web/none.ts does not exist");
  await expect(similarTo("web/store.ts")).rejects.toThrow("web/store.ts has no line 1000");
});

it("The engine logs its passes with plausible times", async () => {
  const [first] = entries.filter(({ message }) => message === "indexed");
  const found = filesOf(CODE).size - 1;
  expect(first).toMatchObject({
    files: found,
    read: found,
    changed: found,
    removed: 0,
    secrets: 0,
  });
  const times = entries.flatMap(({ time, ...entry }) =>
    Object.entries(entry).flatMap(([name, ms]) => {
      if (!/^ms$|Ms$/.test(name)) return [];
      // Files are prepared in parallel, so their times are summed.
      const most = (Date.parse(String(time)) - begun + 2) * (name === "prepareMs" ? found : 1);
      return { name, ms: Number(ms), most };
    }),
  );
  expect(times.length).toBeGreaterThan(5);
  expect(times.filter(({ ms, most }) => !(ms >= 0 && ms <= most))).toEqual([]);
});

leaveNothingBehind(endAll);

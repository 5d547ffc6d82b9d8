/** Requests to a session of the real engine over the built-in database, in process. */

import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import type { BestLine } from "../../server/contracts/model.ts";
import type { NamePlace } from "../../server/contracts/navigation.ts";
import type { SearchAnswer, Session, SessionEvent } from "../../server/contracts/session.ts";
import { toLineRange } from "../../server/lsp/convert.ts";
import { embeddingServer } from "../support/embedding-server.ts";
import { engineInProcess, openedIn, sessionOf } from "../support/engine-in-process.ts";
import { eventually } from "../support/eventually.ts";
import { TWO_DOORS as SHOP } from "../support/shops.ts";
import { workspace, write } from "../support/workspace.ts";

const inProcess = engineInProcess();
afterAll(() => inProcess.dispose());

const session = () => sessionOf(inProcess);
const opened = (...roots: string[]) => openedIn(inProcess, ...roots);

const paths = async (asked: Session, query: string, indexes?: string[]) => {
  const { hits } = await asked.search({ query, ...(indexes === undefined ? {} : { indexes }) });
  return hits.map(({ root, path }) => join(root, path));
};
const nameOf = async (asked: Session) => (await asked.status()).indexes[0]?.name ?? "";

it("`openFolders` opens, adds and closes folders", async () => {
  const [a, b] = [workspace(SHOP), workspace("//- other.py\ndef open_other():\n    return 3\n")];
  const asked = await opened(a);
  expect((await asked.status()).indexes.map(({ root }) => root)).toEqual([a]);
  await asked.openFolders([b, a]);
  await asked.whenIdle();
  expect((await asked.status()).indexes.map(({ root }) => root)).toEqual([b, a]);
  expect(await paths(asked, "open_other")).toContain(join(b, "other.py"));
  await asked.openFolders([a]);
  expect(await paths(asked, "open_other")).not.toContain(join(b, "other.py"));
});

it("Closing a folder during a pass ends its progress and reports the state of the others", async () => {
  const [a, b] = [workspace(SHOP), workspace(SHOP)];
  const asked = await opened(a);
  const events: SessionEvent[] = [];
  asked.onEvent((event) => events.push(event));
  await asked.openFolders([a, b]);
  await eventually(async () => expect((await asked.status()).state).toBe("indexing"));
  await asked.openFolders([a]);
  const shown = events.filter((event) => event.kind === "progress" && event.root === b);
  expect(shown.at(-1)).toMatchObject({ phase: "end" });
  expect(events.at(-1)).toStrictEqual({ kind: "status", state: "ready" });
  await asked.openFolders([]);
  expect(events.at(-1)).toStrictEqual({ kind: "status", state: "no-root" });
});

it("The state event is the overall state of all folders, not of the last changed one", async () => {
  const [a, b] = [workspace(SHOP), workspace(SHOP)];
  const asked = await opened(a, b);
  rmSync(a, { recursive: true });
  await eventually(async () => expect((await asked.status()).state).toBe("unavailable"));
  const states: string[] = [];
  asked.onEvent((event) => {
    if (event.kind === "status") states.push(event.state);
  });
  await asked.reindex({ roots: [b], full: true });
  await eventually(() => expect(states.length).toBeGreaterThan(1));
  // The other folder is retried meanwhile.
  expect(states).not.toContain("ready");
});

it("`openFolders` reports folders that it cannot open, and opens the others", async () => {
  const root = workspace(SHOP);
  const file = join(root, "shop.py");
  const asked = session();
  expect(await asked.openFolders([root, join(root, "none"), file, "/", homedir()])).toEqual([
    `${join(root, "none")} does not exist`,
    `${file} is a file; name the folder that holds it`,
    "/ is the whole disk and is not indexed; open a project folder",
    `${realpathSync(homedir())} is your home folder and is not indexed; open a project folder`,
  ]);
  expect((await asked.status()).indexes.map((index) => index.root)).toEqual([root]);
  await expect(asked.openFolders([file])).rejects.toThrow("is a file");
});

it("A folder of a repository is searched in the repository's index, and reopened when that excludes it", async () => {
  const root = workspace(SHOP);
  mkdirSync(join(root, ".git"));
  const part = join(root, "parts");
  const whole = await opened(root);
  const asked = await opened(part);
  expect((await asked.status()).indexes[0]).toMatchObject({ root: part, sharedFrom: root });
  expect(await paths(asked, "open_door")).toEqual([join(part, "door.py")]);
  expect(await paths(asked, "open_shop")).not.toContain(join(root, "shop.py"));
  write(root, "//- .gitignore\nparts/\n");
  await whole.reindex({});
  await eventually(async () => {
    expect((await asked.status()).indexes[0]).not.toHaveProperty("sharedFrom");
  });
  expect(await paths(whole, "open_door")).not.toContain(join(part, "door.py"));
});

it("Constants and variables of Python modules are found by name, at their lines", async () => {
  const limits = "import logging\n\nMAX_RETRIES = 3\nlog = logging.getLogger()\n";
  const asked = await opened(workspace(`${SHOP}\n//- limits.py\n${limits}`));
  const [symbol] = await asked.symbols("MAX_RETRIES", 5);
  expect(symbol).toMatchObject({
    path: "limits.py",
    symbol: { name: "MAX_RETRIES", type: "variable", nameLine: 2 },
  });
  const { hits } = await asked.search({ query: "max_retries", symbolTypes: ["variable"] });
  expect(hits.map(({ path, bestLine }) => [path, bestLine?.line])).toEqual([["limits.py", 2]]);
});

it("Places in notebooks have the columns of the file", async () => {
  const root = workspace("");
  const source = [
    "class Rocket:\n",
    "\tdef lift_off(self): pass\n",
    "s = '\u{1f680}'; Rocket().lift_off()\n",
  ];
  const cells = [{ cell_type: "code", metadata: {}, outputs: [], source }];
  const text = JSON.stringify({ cells, metadata: {} }, undefined, 1);
  writeFileSync(join(root, "launch.ipynb"), text);
  const asked = await opened(root);
  const columnOf = (line: number, name: string) => text.split("\n")[line]?.indexOf(name);

  const [symbol] = await asked.symbols("lift_off", 1);
  const [hit] = (await asked.search({ query: "lift_off" })).hits;
  const [most] = (await asked.analyze({ query: "lift_off" })).hits;
  for (const found of [symbol, hit, most]) {
    const { line = -1, column, lead, text: shown, highlights } = found?.bestLine ?? {};
    expect(shown).toBe("def lift_off(self): pass");
    expect(column).toBe(columnOf(line, "lift_off"));
    expect(lead?.length).toBe(columnOf(line, "def"));
    expect(highlights?.[0]?.[0] ?? column).toBe(column);
  }

  const [end] = await asked.callEnds({
    path: join(root, "launch.ipynb"),
    line: hit?.bestLine?.line ?? 0,
    column: hit?.bestLine?.column ?? 0,
    chain: "lift_off",
  });
  expect(end?.lead.length).toBe(columnOf(end?.line ?? -1, "lift_off"));
  const [call] = await asked.callsOfOne({ direction: "incoming", end: end as NamePlace });
  const [place] = call?.places ?? [];
  expect(place?.lead.length).toBe(columnOf(place?.line ?? -1, "lift_off"));
});

it("A place in a notebook behind an escaped quotation mark has the column of the file", async () => {
  const root = workspace("");
  const source = ['é = "a"; dock_rocket()\n'];
  const cells = [{ cell_type: "code", metadata: {}, outputs: [], source }];
  const text = JSON.stringify({ cells, metadata: {} }, undefined, 1);
  writeFileSync(join(root, "dock.ipynb"), text);
  const asked = await opened(root);
  const [hit] = (await asked.search({ query: "dock_rocket" })).hits;
  const found = hit?.bestLine;
  const written = text.split("\n")[found?.line ?? -1] ?? "";
  expect(found?.text).toBe('é = "a"; dock_rocket()');
  expect(found?.column).toBe(written.indexOf("dock_rocket"));
  const shown = `${found?.lead}${found?.text}`;
  expect(found?.highlights.map(([start, end]) => shown.slice(start, end))).toEqual(["dock_rocket"]);
  const { range, textStart } = toLineRange(found as BestLine, "utf-8");
  const before = written.slice(0, written.indexOf("dock_rocket"));
  expect(range.start.character).toBe(Buffer.byteLength(before));
  expect(range.end.character).toBe(range.start.character + "dock_rocket()".length);
  expect(textStart).toBe(written.indexOf("é"));
});

it("A hit appears once if a folder and its parent are open", async () => {
  const root = workspace(SHOP);
  mkdirSync(join(root, ".git"));
  const asked = await opened(root, join(root, "parts"));
  const found = (await paths(asked, "open_door")).filter((path) => path.endsWith("door.py"));
  expect(found).toEqual([join(root, "parts/door.py")]);
});

it("A hit appears once if a folder and a repository in it are open", async () => {
  const root = workspace(SHOP);
  mkdirSync(join(root, ".git"));
  mkdirSync(join(root, "parts/.git"));
  const asked = await opened(root, join(root, "parts"));
  expect((await asked.status()).indexes[1]).not.toHaveProperty("sharedFrom");
  const found = (await paths(asked, "open_door")).filter((path) => path.endsWith("door.py"));
  expect(found).toEqual([join(root, "parts/door.py")]);
});

it("Unsaved text is found until the buffer is closed", async () => {
  const root = workspace(SHOP);
  const asked = await opened(root);
  const shop = join(root, "shop.py");
  await asked.buffer(shop, "def open_market():\n    return 1\n");
  // The thread for buffers starts with the first one, and no search waits for it.
  await eventually(async () => {
    const [market] = (await asked.search({ query: "open_market", includeText: true })).hits;
    expect(market).toMatchObject({ path: "shop.py", symbol: { name: "open_market" } });
    expect(market?.text).toContain("def open_market");
  });
  const beside = await opened(root);
  expect((await beside.search({ query: "open_market" })).hits[0]?.symbol?.name).not.toBe(
    "open_market",
  );
  await asked.buffer(shop, undefined);
  expect((await asked.search({ query: "open_shop" })).hits[0]?.symbol?.name).toBe("open_shop");
});

/** Waits for the thread for buffers, which starts with the first one. */
async function checkFound(asked: Session, query: string, path: string): Promise<void> {
  await eventually(async () => {
    const { hits } = await asked.search({ query, includeText: true });
    expect(hits.filter(({ text }) => text?.includes(query)).map((hit) => hit.path)).toEqual([path]);
  });
}

const textsOf = async (asked: Session, query: string) =>
  (await asked.search({ query, includeText: true })).hits.map(({ text }) => text).join("\n");

it("Unsaved text of a file that is open through a linked folder is found once", async () => {
  const root = workspace(SHOP);
  symlinkSync("parts", join(root, "current"));
  const asked = await opened(root);
  const [linked, own] = [join(root, "current/door.py"), join(root, "parts/door.py")];
  await asked.buffer(linked, "def open_window():\n    return 2\n");
  await checkFound(asked, "open_window", "current/door.py");
  expect(await textsOf(asked, "open_door")).not.toContain("open_door");
  await asked.buffer(own, "def open_roof():\n    return 2\n");
  await checkFound(asked, "open_roof", "parts/door.py");
  expect(await textsOf(asked, "open_window")).not.toContain("open_window");
  await asked.buffer(own, undefined);
  await checkFound(asked, "open_window", "current/door.py");
  await asked.buffer(linked, undefined);
  await checkFound(asked, "open_door", "parts/door.py");
  expect(await textsOf(asked, "open_window")).not.toContain("open_window");
});

it("A saved file that is open through a link is found once", async () => {
  const root = workspace(SHOP);
  symlinkSync("parts", join(root, "current"));
  const asked = await opened(root);
  const linked = join(root, "current/door.py");
  const text = "def open_window():\n    return 2\n";
  await asked.buffer(linked, text);
  writeFileSync(linked, text);
  await asked.filesChanged([linked]);
  await asked.whenIdle();
  await checkFound(asked, "open_window", "parts/door.py");
});

it("Unsaved text is found in a file that is open through a link from outside or from an excluded folder", async () => {
  const root = workspace(`${SHOP}//- node_modules/other.py\n`);
  const outside = workspace();
  symlinkSync(join(root, "parts"), join(outside, "link"));
  symlinkSync("../parts", join(root, "node_modules/parts"));
  const asked = await opened(root);
  for (const path of [join(outside, "link/door.py"), join(root, "node_modules/parts/door.py")]) {
    await asked.buffer(path, "def open_window():\n    return 2\n");
    await checkFound(asked, "open_window", "parts/door.py");
    await asked.buffer(path, undefined);
    await checkFound(asked, "open_door", "parts/door.py");
  }
});

it("Unsaved text in a link to an excluded file is found under the link's name", async () => {
  const root = workspace(
    `${SHOP}//- .gitignore\nbuild/\n//- build/made.py\ndef make_it():\n    return 1\n`,
  );
  symlinkSync("build/made.py", join(root, "link.py"));
  const asked = await opened(root);
  await checkFound(asked, "make_it", "link.py");
  await asked.buffer(join(root, "link.py"), "def make_more():\n    return 1\n");
  await checkFound(asked, "make_more", "link.py");
  expect(await textsOf(asked, "make_it")).not.toContain("make_it");
});

it("Hits in a file with lone carriage returns show the right lines, saved and unsaved", async () => {
  const log = (name: string) =>
    `# log: 10%\r# log: 20%\r# log: 30%\n\ndef ${name}(x):\n    return x\n`;
  const root = workspace(`${SHOP}//- log.py\n${log("after_returns")}`);
  const asked = await opened(root);
  const checkLines = async (name: string) =>
    await eventually(async () => {
      const { hits } = await asked.search({ query: name, includeText: true, smartContext: false });
      const [{ path, symbol, text } = {}] = hits.slice(0, 1);
      expect([path, symbol?.name, symbol?.nameLine]).toEqual(["log.py", name, 4]);
      expect(text?.split("\n")).toContain(`def ${name}(x):`);
    });
  await checkLines("after_returns");
  await asked.buffer(join(root, "log.py"), log("typed_returns"));
  await checkLines("typed_returns");
});

it("A buffer of a link out of the workspace, or to a secret file, is not searched", async () => {
  const root = workspace(`${SHOP}//- .env\nKEY=1\n`);
  symlinkSync(workspace("//- there.py\n1\n"), join(root, "out"));
  symlinkSync(".env", join(root, "env.py"));
  const asked = await opened(root);
  for (const path of ["out/there.py", "out/new.py", "env.py"])
    await asked.buffer(join(root, path), "def open_secret():\n    return 1\n");
  await asked.buffer(join(root, "shop.py"), "def open_market():\n    return 1\n");
  await checkFound(asked, "open_market", "shop.py");
  expect(await textsOf(asked, "open_secret")).not.toContain("open_secret");
});

it("A buffer of an excluded file is not searched", async () => {
  const root = workspace(`${SHOP}//- .gitignore\nsecret.py\n`);
  const asked = await opened(root);
  await asked.buffer(join(root, "secret.py"), "def open_secret():\n    return 1\n");
  expect(await paths(asked, "open_secret")).not.toContain(join(root, "secret.py"));
});

it("A search covers indexes by name, open or stored, and warns about unknown names", async () => {
  const [a, b] = [workspace(SHOP), workspace("//- other.py\ndef open_other():\n    return 3\n")];
  const [own, other] = [await opened(a), await opened(b)];
  const name = await nameOf(other);
  expect(await paths(own, "open_other", [name])).toEqual([join(b, "other.py")]);
  await other.openFolders([]);
  // With settings of its own, the session does not share the index that is kept for others.
  await own.configure({ "search.limit": 7 });
  await own.whenIdle();
  expect(await paths(own, "open_other", [name])).toEqual([join(b, "other.py")]);
  const { hits, warnings } = await own.search({
    query: "open_other",
    indexes: ["nowhere", name, name],
  });
  expect(warnings).toEqual(['no index is named "nowhere"']);
  expect(hits).toHaveLength(1);
  const misspelt = own.search({ query: "open_other", indexes: ["nowhere"] });
  await expect(misspelt).rejects.toThrow('indexes: no index is named "nowhere"');
});

it("A session's own index is searched by name, and once if it links to itself", async () => {
  const a = workspace(SHOP);
  const own = await opened(a);
  const name = await nameOf(own);
  expect(await paths(own, "open_shop", [name])).toContain(join(a, "shop.py"));
  await own.configure({ linkedIndexes: [name] });
  await own.whenIdle();
  const found = (await paths(own, "open_shop")).filter((path) => path === join(a, "shop.py"));
  expect(found).toHaveLength(1);
});

it("Linked indexes are searched, too", async () => {
  const [a, b] = [workspace(SHOP), workspace("//- other.py\ndef open_other():\n    return 3\n")];
  const other = await opened(b);
  const own = session();
  await own.configure({ linkedIndexes: [await nameOf(other), "nowhere"] });
  await own.openFolders([a]);
  await own.whenIdle();
  expect(await paths(own, "open_other")).toContain(join(b, "other.py"));
  expect(await paths(own, "open_shop")).toContain(join(a, "shop.py"));
  const { warnings } = await own.search({ query: "open_other" });
  expect(warnings).toEqual(['no index is named "nowhere"']);
});

it("`status` reports the progress, the contents and the failures of an index", async () => {
  const empty = await session().status();
  expect(empty).toMatchObject({ state: "no-root", indexed: 0, total: 0, indexes: [] });
  const root = workspace(`${SHOP}//- .gitignore\n*.log\n//- a.log\nx\n//- b.bin.py\n\0\0\0\n`);
  const asked = await opened(root);
  const status = await asked.status();
  expect(status).toMatchObject({ state: "ready", indexed: 3, total: 3 });
  expect(status.indexes[0]).toMatchObject({
    root,
    files: 3,
    pending: 0,
    compatibility: { kind: "usable" },
  });
  expect(status.indexes[0]?.excluded).toMatchObject({ binary: 1 });
  expect(status.engine).toMatchObject({ pid: process.pid, version: "1.0.0" });
  expect(await asked.why(join(root, "shop.py"))).toBe("shop.py is indexed: 1 chunk");
  expect(await asked.why(join(root, "a.log"))).toContain(".gitignore:1");
  await expect(asked.why("/elsewhere.py")).rejects.toThrow("is outside the opened folders");
  expect(await asked.excluded(root, 9)).toContainEqual({ path: "b.bin.py", rule: "binary" });
});

it("The graph has a file with a backslash in its name", async () => {
  const root = workspace("//- a\\b.py\nimport c\n//- c.py\ndef run(): ...\n");
  const asked = await opened(root);
  const { files } = await asked.related({ path: join(root, "a\\b.py") });
  expect(files.map(({ path }) => path)).toEqual(["c.py"]);
});

it("`why` and `related` reject an opened folder as a path", async () => {
  const root = workspace(SHOP);
  const asked = await opened(root);
  const problem = `${root} is a folder; name a file in it`;
  expect(await asked.why(root)).toBe(problem);
  await expect(asked.related({ path: root })).rejects.toThrow(problem);
  const lines = { start: 0, end: 0 };
  await expect(asked.explain({ path: root, lines })).rejects.toThrow(problem);
});

it("`clear` drops an index by name, and `reindex` rebuilds it", async () => {
  const root = workspace(SHOP);
  const asked = await opened(root);
  const name = await nameOf(asked);
  const events: SessionEvent[] = [];
  asked.onEvent((event) => events.push(event));
  expect(await asked.clear("nowhere")).toBe(false);
  expect(await asked.clear(name)).toBe(true);
  const cleared = { state: "paused", reason: expect.stringContaining("cleared") };
  expect(await asked.status()).toMatchObject(cleared);
  expect(events.at(-1)).toStrictEqual({ kind: "status", ...cleared });
  expect((await asked.list()).map((record) => record.name)).not.toContain(name);
  await asked.filesChanged([join(root, "shop.py")]);
  expect(await paths(asked, "open_shop")).toEqual([]);
  await asked.reindex({ roots: [root] });
  expect(await asked.status()).toMatchObject({ state: "ready", indexed: 2 });
  expect(await paths(asked, "open_shop")).toContain(join(root, "shop.py"));
  await expect(asked.reindex({ roots: ["/"] })).rejects.toThrow("is not open");
});

it("`filesChanged` triggers indexing, except while paused", async () => {
  const root = workspace(SHOP);
  const asked = await opened(root);
  await asked.pause();
  expect((await asked.status()).state).toBe("paused");
  write(root, "//- shop.py\ndef open_market():\n    return 1\n");
  await asked.filesChanged([join(root, "shop.py"), "/elsewhere.py"]);
  await asked.whenIdle();
  expect((await asked.search({ query: "open_shop" })).hits[0]?.symbol?.name).toBe("open_shop");
  // Also in a session that opens the folder while it is paused.
  const beside = await opened(root);
  expect(await beside.status()).toMatchObject({ state: "paused", indexes: [{ clients: 2 }] });
  await asked.resume();
  await asked.whenIdle();
  expect((await asked.search({ query: "open_market" })).hits[0]?.symbol?.name).toBe("open_market");
});

it("Progress events run from begin to end, followed by the state", async () => {
  const events: SessionEvent[] = [];
  const asked = session();
  asked.onEvent((event) => events.push(event));
  const root = workspace(SHOP);
  await asked.openFolders([root]);
  await asked.whenIdle();
  const shown = events.map((event) => (event.kind === "progress" ? event.phase : event.kind));
  expect(shown[0]).toBe("begin");
  expect(shown.slice(-2)).toEqual(["end", "status"]);
  expect(events.at(-2)).toMatchObject({ root, indexed: 2, total: 2 });
  expect(events.at(-1)).toStrictEqual({ kind: "status", state: "ready" });
});

it("A symbol search is answered by keyword while the embedding service hangs", async () => {
  const server = await embeddingServer();
  onTestFinished(() => server.close());
  const asked = session();
  await asked.configure({ "embedding.provider": "ollama", "embedding.baseUrl": server.url });
  await asked.openFolders([workspace(SHOP)]);
  await asked.whenIdle();
  expect((await asked.status()).state).toBe("ready");
  server.fail("silence");
  const hits = await asked.symbols("where is the door opened", 9);
  expect(hits[0]?.path).toBe("parts/door.py");
});

it("A search during a pass returns the files that the pass indexed", async () => {
  const server = await embeddingServer();
  onTestFinished(() => server.close());
  const root = workspace(SHOP);
  const asked = session();
  await asked.configure({ "embedding.provider": "ollama", "embedding.baseUrl": server.url });
  await asked.openFolders([root]);
  await asked.whenIdle();
  const release = server.hold(/where is/);
  const answer = new Promise<SearchAnswer>((resolve, reject) => {
    asked.onEvent((event) => {
      if (event.kind !== "status") return;
      if (event.state === "indexing")
        asked.search({ query: "where is a roof" }).then(resolve, reject);
      else release();
    });
  });
  write(root, "//- attic.py\ndef close_attic():\n    return 'roof'\n");
  await asked.reindex({});
  const { state, hits } = await answer;
  expect([state, hits[0]?.path]).toEqual(["ready", "attic.py"]);
});

it("The content of a deleted folder is no longer found", async () => {
  const root = workspace(SHOP);
  const asked = await opened(root);
  rmSync(join(root, "parts"), { recursive: true });
  await asked.filesChanged([join(root, "parts/door.py")]);
  await asked.whenIdle();
  expect(await paths(asked, "open_door")).not.toContain(join(root, "parts/door.py"));
});

it("A folder keeps its own index if its parent is opened later", async () => {
  const root = workspace(SHOP);
  mkdirSync(join(root, ".git"));
  const parts = join(root, "parts");
  const asked = await opened(parts);
  await asked.openFolders([parts, root]);
  await asked.whenIdle();
  const { indexes } = await asked.status();
  expect(indexes.map((index) => [index.root, index.sharedFrom])).toEqual([
    [parts, undefined],
    [root, undefined],
  ]);
});

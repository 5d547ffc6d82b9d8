/** A folder that is opened alone, while the repository above it is indexed: one index for both, as long as that is right. */

import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { sharedEngine } from "../support/engine.ts";
import { type LspClient, startServer, until } from "../support/lsp-client.ts";
import { workspace, write } from "../support/workspace.ts";

const REPOSITORY = `//- .gitignore
out/
//- top.py
def shine_lantern():
    pass
//- packages/a/src/boat.py
def row_boat():
    pass
//- packages/a/src/sail.py
def hoist_sail():
    pass
//- packages/b/train.py
def row_train():
    pass
`;

let root: string;
let part: string;
const engine = sharedEngine();

beforeEach(() => {
  root = realpathSync(workspace(REPOSITORY));
  part = join(root, "packages/a");
  mkdirSync(join(root, ".git"));
});

async function edit(folder: string, more: readonly string[] = []): Promise<LspClient> {
  const client = startServer(engine.env);
  onTestFinished(() => void client.child.kill());
  const folders = [folder, ...more].map((each) => ({ uri: pathToFileURL(each).href, name: each }));
  await client.initialize(folder, { workspaceFolders: folders });
  await until("the index", async () => (await client.status()).state === "ready");
  return client;
}

async function indexesOf(client: LspClient) {
  const { indexes } = await client.status();
  return indexes.map(({ root: folder, sharedFrom }) => [folder, sharedFrom] as const);
}

async function found(client: LspClient, query: string, more: object = {}): Promise<string[]> {
  const { hits } = await client.search(query, more);
  return hits.map(({ location, symbol }) => `${location.uri} ${symbol?.name}`);
}

const at = (path: string, name: string) => `${pathToFileURL(join(root, path)).href} ${name}`;

it("a window on a subfolder searches its part of the parent's index, with paths relative to the subfolder", async () => {
  const whole = await edit(root);
  const client = await edit(part);
  expect(await indexesOf(client)).toEqual([[part, root]]);
  expect(await indexesOf(whole)).toEqual([[root, undefined]]);
  expect(await found(client, "row")).toContain(at("packages/a/src/boat.py", "row_boat"));
  expect(await found(client, "row_train shine_lantern")).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/train|lantern/)]),
  );
  expect(await found(whole, "row_train")).toContain(at("packages/b/train.py", "row_train"));
  expect(await found(client, "row", { paths: ["src/boat.py"] })).toEqual([
    at("packages/a/src/boat.py", "row_boat"),
  ]);
  const listed = (await engine.session().list()).map((index) => index.root);
  expect(listed.filter((each) => each.startsWith(root))).toEqual([root]);
});

it("file names follow the client's path, also through a symbolic link", async () => {
  await edit(root);
  const link = join(realpathSync(workspace()), "link");
  symlinkSync(part, link);
  const client = await edit(link);
  expect(await indexesOf(client)).toEqual([[part, root]]);
  expect(await found(client, "row_boat")).toContain(
    `${pathToFileURL(join(link, "src/boat.py")).href} row_boat`,
  );
});

it("a subfolder stays up to date after the parent's window closes, and its unsaved text is found", async () => {
  const whole = await edit(root);
  const client = await edit(part);
  const uri = pathToFileURL(join(part, "src/sail.py")).href;
  await client.connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "python", version: 1, text: "def furl_sail():\n    pass\n" },
  });
  await client.searchUntil("furl_sail", ({ symbol }) => symbol?.name === "furl_sail");
  expect(await found(whole, "furl_sail")).not.toContain(at("packages/a/src/sail.py", "furl_sail"));
  expect(await whole.shutdown()).toBe(0);
  write(part, "//- src/anchor.py\ndef drop_anchor():\n    pass\n");
  await client.searchUntil("drop_anchor", ({ symbol }) => symbol?.name === "drop_anchor");
  expect(await indexesOf(client)).toEqual([[part, root]]);
});

it("a subfolder uses the stored index of a parent that is not open", async () => {
  const whole = await edit(root);
  expect(await whole.shutdown()).toBe(0);
  await engine.end();
  const client = await edit(part);
  expect(await indexesOf(client)).toEqual([[part, root]]);
  expect(await found(client, "row_boat")).toContain(at("packages/a/src/boat.py", "row_boat"));
});

it("a subfolder gets its own index if the parent's is no longer updated", async () => {
  const whole = await edit(root);
  expect(await whole.shutdown()).toBe(0);
  write(root, "//- cocosearch.yaml\nindexing:\n  enabled: false\n");
  expect(await indexesOf(await edit(part))).toEqual([[part, undefined]]);
});

it("a subfolder gets its own index when the parent's is cleared or starts to exclude it", async () => {
  const whole = await edit(root);
  const client = await edit(part);
  const other = await edit(join(root, "packages/b"));
  write(root, "//- .gitignore\nout/\nb/\n");
  const has = (each: LspClient, folder: string) =>
    until("an index of its own", async () => {
      const { state, indexes } = await each.status();
      const [index] = indexes;
      return state === "ready" && index?.root === folder && index.sharedFrom === undefined;
    });
  await has(other, join(root, "packages/b"));
  await other.searchUntil("row_train", ({ symbol }) => symbol?.name === "row_train");
  expect(await indexesOf(client)).toEqual([[part, root]]);
  const [index] = (await whole.status()).indexes;
  await whole.connection.sendRequest("cocosearch/clear", { name: index?.name });
  await has(client, part);
  await client.searchUntil("row_boat", ({ symbol }) => symbol?.name === "row_boat");
});

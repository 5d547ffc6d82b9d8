/** Unsaved text of open buffers through the protocol. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { sharedEngine } from "../support/engine.ts";
import { eventually } from "../support/eventually.ts";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { SHOP } from "../support/shops.ts";
import { workspace } from "../support/workspace.ts";

const POOL = "src/pool.py";
const TYPED = "def borrow_lawnmower(neighbour):\n    return neighbour.shed.take('lawnmower')\n";

const engine = sharedEngine();
let root: string;
let one: LspClient;

beforeEach(async () => {
  root = workspace(SHOP);
  one = startServer(engine.env);
  onTestFinished(() => void one.child.kill());
  await one.initialize(root);
  await one.progressEnded();
});

const uri = () => pathToFileURL(join(root, POOL)).href;

async function open(client: LspClient, text: string, version = 1): Promise<void> {
  const textDocument = { uri: uri(), languageId: "python", version, text };
  await client.connection.sendNotification("textDocument/didOpen", { textDocument });
}

async function type(client: LspClient, text: string, version: number): Promise<void> {
  await client.connection.sendNotification("textDocument/didChange", {
    textDocument: { uri: uri(), version },
    contentChanges: [{ text }],
  });
}

const namesOf = async (client: LspClient, query: string) =>
  (await client.search(query)).hits.map(({ symbol }) => symbol?.name);

it("falls back to the saved file if the unsaved text is too long to search", async () => {
  await open(one, TYPED);
  await one.searchUntil("borrow_lawnmower", ({ symbol }) => symbol?.name === "borrow_lawnmower");
  await type(one, `x = 1\n${"# grass\n".repeat(130_000)}`, 2);
  await eventually(async () => {
    expect(await namesOf(one, "borrow_lawnmower")).not.toContain("borrow_lawnmower");
    expect(await namesOf(one, "open_connection")).toContain("Pool.open_connection");
  });
});

it("finds and shows unsaved text by name, word and meaning, and hides the saved text", async () => {
  await open(one, readFileSync(join(root, POOL), "utf8"));
  await type(one, TYPED, 2);

  const { location, selectionRange } = await one.searchUntil(
    "borrow_lawnmower",
    ({ symbol }) => symbol?.name === "borrow_lawnmower",
  );
  expect(location.uri).toBe(uri());
  expect(selectionRange.start.line).toBe(0);
  const [hit] = (await one.search("who takes the lawnmower out of the shed", { includeText: true }))
    .hits;
  expect(hit).toMatchObject({ location: { uri: uri() }, text: expect.stringContaining("shed") });
  expect((await one.symbols("borrow_lawnmower"))[0]).toMatchObject({ name: "borrow_lawnmower" });
  expect(await namesOf(one, "open_connection")).not.toContain("Pool.open_connection");
});

/** graph.standardRequests with the real server over stdio: offered for the named languages only, answered, and withdrawn. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type CallHierarchyItem,
  type ClientCapabilities,
  ErrorCodes,
  type Location,
} from "vscode-languageserver/node";
import { type TestEngine, testEngine } from "../support/engine.ts";
import { filesOf } from "../support/graph.ts";
import { type LspClient, startServer, until } from "../support/lsp-client.ts";
import { temporaryWorkspace } from "../support/workspace.ts";

const CODE = `
//- pool.py
class Pool:
    def open(self, url):
        return connect(url)


def connect(url):
    return url
//- shop.py
from pool import Pool, connect


def start(pool: Pool):
    pool.open("a")
    return connect("bä") or connect("c")
`;

const LATE = { dynamicRegistration: true };
const CAPABILITIES: ClientCapabilities = {
  window: { workDoneProgress: true },
  textDocument: { definition: LATE, references: LATE, callHierarchy: LATE, documentLink: LATE },
};

interface Registered {
  readonly id: string;
  readonly method: string;
  readonly registerOptions?: unknown;
}

let engine: TestEngine;
let server: LspClient;
let made: ReturnType<typeof temporaryWorkspace>;
/** As the client holds them. */
const registered = new Map<string, Registered>();

beforeAll(async () => {
  engine = testEngine();
  server = startServer(engine.env);
  made = temporaryWorkspace(CODE);
  const { connection } = server;
  connection.onRequest("client/registerCapability", (params: { registrations: Registered[] }) => {
    for (const one of params.registrations) registered.set(one.id, one);
    return null;
  });
  connection.onRequest(
    "client/unregisterCapability",
    (params: { unregisterations: Registered[] }) => {
      for (const { id } of params.unregisterations) registered.delete(id);
      return null;
    },
  );
  const initializationOptions = { "graph.standardRequests": ["python"] };
  await server.initialize(made.root, { capabilities: CAPABILITIES, initializationOptions });
  await server.progressEnded();
  for (const [path, text] of filesOf(CODE)) {
    const textDocument = { uri: uriOf(path), languageId: "python", version: 1, text };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
  }
});
afterAll(async () => {
  server.child.kill();
  await engine.dispose();
  made.remove();
});

const uriOf = (path: string) => pathToFileURL(join(made.root, path)).href;

/** `path:line:character` of the first character of each, all from 0. */
const places = (found: readonly Location[] | null) =>
  (found ?? []).map(({ uri, range: { start, end } }) => {
    expect(end.line).toBe(start.line);
    return `${uri.slice(uri.lastIndexOf("/") + 1)}:${start.line}:${start.character}-${end.character}`;
  });

async function ask<T>(method: string, path: string, line: number, character: number, more = {}) {
  const textDocument = { uri: uriOf(path) };
  return await server.connection.sendRequest<T>(`textDocument/${method}`, {
    textDocument,
    position: { line, character },
    ...more,
  });
}

it("offers the four requests for the named language and no other", async () => {
  await until("four registrations", () => registered.size === 4);
  expect([...registered.values()].map(({ method }) => method)).toEqual([
    "textDocument/definition",
    "textDocument/references",
    "textDocument/prepareCallHierarchy",
    "textDocument/documentLink",
  ]);
  for (const { registerOptions } of registered.values())
    expect(registerOptions).toEqual({ documentSelector: [{ scheme: "file", language: "python" }] });
});

it.each([
  ["a call on a typed receiver", "shop.py", 4, 11, ["pool.py:1:8-12"]],
  ["the second call behind a letter outside ASCII", "shop.py", 5, 30, ["pool.py:5:4-11"]],
  ["a type annotation", "shop.py", 3, 17, ["pool.py:0:6-10"]],
  ["an imported name", "shop.py", 0, 26, ["pool.py:5:4-11"]],
  ["a parameter", "shop.py", 4, 5, ["shop.py:3:10-14"]],
  ["its own definition", "pool.py", 5, 6, ["pool.py:5:4-11"]],
  ["a word of the language", "shop.py", 5, 6, []],
])("leads from %s to its definition", async (_, path, line, character, expected) => {
  expect(places(await ask<Location[] | null>("definition", path, line, character))).toEqual(
    expected,
  );
});

it("lists calls, imports and types, and the definition where it is asked for", async () => {
  const of = async (line: number, character: number, includeDeclaration: boolean) =>
    places(
      await ask("references", "pool.py", line, character, { context: { includeDeclaration } }),
    );
  const uses = ["pool.py:2:15-22", "shop.py:0:23-30", "shop.py:5:11-18", "shop.py:5:28-35"];
  expect(await of(5, 4, false)).toEqual(uses.map((one) => one));
  expect(await of(5, 4, true)).toEqual(["pool.py:5:4-11", ...uses]);
  expect(await of(0, 7, false)).toEqual(["shop.py:0:17-21", "shop.py:3:16-20"]);
});

it("tells who calls and what is called, and where", async () => {
  const items = await ask<CallHierarchyItem[]>("prepareCallHierarchy", "pool.py", 2, 16);
  expect(items).toMatchObject([{ name: "connect", uri: uriOf("pool.py") }]);
  const [item] = items;
  const incoming = await server.connection.sendRequest("callHierarchy/incomingCalls", { item });
  expect(incoming).toMatchObject([
    { from: { name: "open", detail: "Pool.open" }, fromRanges: [{ start: { line: 2 } }] },
    { from: { name: "start" }, fromRanges: [{ start: { line: 5 } }, { start: { line: 5 } }] },
  ]);
  const [start] = await ask<CallHierarchyItem[]>("prepareCallHierarchy", "shop.py", 3, 5);
  const outgoing = await server.connection.sendRequest("callHierarchy/outgoingCalls", {
    item: start,
  });
  expect(outgoing).toMatchObject([
    { to: { name: "open" }, fromRanges: [{ start: { line: 4, character: 9 } }] },
    { to: { name: "connect" }, fromRanges: [{ start: { line: 5 } }, { start: { line: 5 } }] },
  ]);
});

it("links the module of an import to its file", async () => {
  const links = await server.connection.sendRequest("textDocument/documentLink", {
    textDocument: { uri: uriOf("shop.py") },
  });
  const range = { start: { line: 0, character: 5 }, end: { line: 0, character: 9 } };
  expect(links).toEqual([{ range, target: uriOf("pool.py") }]);
});

it("withdraws what the user does not want any more, and refuses it", async () => {
  const tell = (languages: string[]) =>
    server.connection.sendNotification("workspace/didChangeConfiguration", {
      settings: { cocosearch: { graph: { standardRequests: languages } } },
    });
  await tell(["lua", "ruby"]);
  const selector = ["lua", "ruby"].map((language) => ({ scheme: "file", language }));
  await until("the new offer", () =>
    JSON.stringify([...registered.values()].at(-1)?.registerOptions).includes("lua"),
  );
  expect(registered.get("cocosearch-definition")?.registerOptions).toEqual({
    documentSelector: selector,
  });
  await tell([]);
  await until("the end of the offer", () => registered.size === 0);
  await expect(ask("definition", "shop.py", 4, 11)).rejects.toMatchObject({
    code: ErrorCodes.MethodNotFound,
  });
});

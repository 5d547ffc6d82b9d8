/** graph.standardRequests with the real server over stdio: the call hierarchy is registered, answered and unregistered. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type CallHierarchyItem,
  type ClientCapabilities,
  ErrorCodes,
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
  textDocument: { callHierarchy: LATE },
};

interface Registered {
  readonly id: string;
  readonly method: string;
  readonly registerOptions?: unknown;
}

let engine: TestEngine;
let server: LspClient;
let made: ReturnType<typeof temporaryWorkspace>;
/** The registrations that the client holds. */
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

async function ask<T>(method: string, path: string, line: number, character: number) {
  const textDocument = { uri: uriOf(path) };
  return await server.connection.sendRequest<T>(`textDocument/${method}`, {
    textDocument,
    position: { line, character },
  });
}

it("the server lists incoming and outgoing calls with their ranges", async () => {
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

it("a change of the setting replaces the registration, and an empty list removes it", async () => {
  const configure = (languages: string[]) =>
    server.connection.sendNotification("workspace/didChangeConfiguration", {
      settings: { cocosearch: { graph: { standardRequests: languages } } },
    });
  await configure(["lua", "ruby"]);
  const selector = ["lua", "ruby"].map((language) => ({ scheme: "file", language }));
  await until("the new registration", () =>
    JSON.stringify([...registered.values()].at(-1)?.registerOptions).includes("lua"),
  );
  expect(registered.get("cocosearch-callHierarchy")?.registerOptions).toEqual({
    documentSelector: selector,
  });
  await configure([]);
  await until("the end of the registration", () => registered.size === 0);
  await expect(ask("prepareCallHierarchy", "shop.py", 4, 11)).rejects.toMatchObject({
    code: ErrorCodes.MethodNotFound,
  });
});

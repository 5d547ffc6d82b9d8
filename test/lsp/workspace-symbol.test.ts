/** workspace/symbol, as pickers ask it: at every keystroke, and with short timeouts. */

import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { CancellationTokenSource, LSPErrorCodes } from "vscode-languageserver/node";
import { Unavailable } from "../../server/common/errors.ts";
import type { Hit } from "../../server/contracts/model.ts";
import type { Session } from "../../server/contracts/session.ts";
import { connectClient, fakeSession, hit, METHOD, type TestClient } from "./test-client.ts";

async function started(session: Partial<Session>, name?: string): Promise<TestClient> {
  const client = connectClient(fakeSession(session));
  await client.start(name === undefined ? {} : { clientInfo: { name } });
  return client;
}

const finding = (...hits: Hit[]): Partial<Session> => ({ symbols: async () => hits });
const never = () => new Promise<never>(() => undefined);
const names = (symbols: unknown) => (symbols as { name: string }[]).map(({ name }) => name);

it("workspace/symbol answers with SymbolInformation in ranking order", async () => {
  const second = hit({
    path: "docs/a b.md",
    languageId: "markdown",
    hierarchy: "Setup",
    score: 0.25,
  });
  const { request } = await started(finding(hit({ symbol: METHOD }), second));
  expect(await request("workspace/symbol", { query: "get user" })).toEqual([
    {
      name: "get_user",
      kind: 6,
      containerName: "UserService (by meaning and words)",
      location: {
        uri: "file:///project/src/users.py",
        range: { start: { line: 5, character: 0 }, end: { line: 10, character: 0 } },
      },
      score: 0.5,
    },
    {
      name: "Setup",
      kind: 3,
      containerName: "(by meaning and words)",
      location: {
        uri: "file:///project/docs/a%20b.md",
        range: { start: { line: 4, character: 0 }, end: { line: 10, character: 0 } },
      },
      score: 0.25,
    },
  ]);
});

it("scores never increase along the list", async () => {
  const exact = hit({ symbol: METHOD, score: 0.2 });
  const others = [0.9, 0.1].map((score, i) => hit({ path: `${i}.py`, score }));
  const { request } = await started(finding(exact, ...others));
  const symbols = (await request("workspace/symbol", { query: "get_user" })) as { score: number }[];
  expect(symbols.map(({ score }) => score)).toEqual([0.9, 0.9, 0.1]);
});

it("an incomplete answer during indexing is explained once", async () => {
  const session = fakeSession();
  const client = connectClient(session);
  await client.start();
  session.emit({
    kind: "progress",
    root: "/project",
    phase: "begin",
    indexed: 0,
    read: 0,
    total: 9,
  });
  for (const query of ["a", "ab"]) await client.request("workspace/symbol", { query });
  const shown = client.told.filter(({ method }) => method === "window/showMessage");
  expect(shown.map(({ params }) => params)).toEqual([
    expect.objectContaining({
      message: expect.stringContaining("only indexed files were searched"),
    }),
  ]);
});

it("each place is listed once", async () => {
  const { request } = await started(finding(hit({ symbol: METHOD }), hit({ symbol: METHOD })));
  expect(names(await request("workspace/symbol", { query: "get user" }))).toEqual(["get_user"]);
});

it.each(["", " ", "\n"])("an empty query %j gets an empty list without a search", async (query) => {
  const session = fakeSession();
  const { start, request } = connectClient(session);
  await start();
  expect(await request("workspace/symbol", { query })).toEqual([]);
  expect(session.calls.map(([name]) => name)).not.toContain("symbols");
});

it("a superseded query gets an empty list immediately", async () => {
  let isOldEnded = false;
  const { request } = await started({
    symbols: async (query, _limit, signal) => {
      if (query === "new")
        return [hit({ symbol: METHOD, ...(isOldEnded ? {} : { path: "late" }) })];
      signal?.addEventListener("abort", () => {
        isOldEnded = true;
      });
      return never();
    },
  });
  const old = request("workspace/symbol", { query: "old" });
  expect(await request("workspace/symbol", { query: "new" })).toMatchObject([
    { name: "get_user", location: { uri: "file:///project/src/users.py" } },
  ]);
  expect(await old).toEqual([]);
});

it("unsaved text of the open buffer is searched", async () => {
  const session = fakeSession();
  const { start, notify, request } = connectClient(session);
  await start();
  const textDocument = { uri: "file:///project/a.py", languageId: "python", version: 1 };
  await notify("textDocument/didOpen", { textDocument: { ...textDocument, text: "def new(): 0" } });
  await request("workspace/symbol", { query: "new" });
  const asked = session.calls.filter(([name]) => name === "buffer" || name === "symbols");
  expect(asked.map(([name, , text]) => [name, text])).toEqual([
    ["buffer", "def new(): 0"],
    ["symbols", expect.anything()],
  ]);
});

it("only a request cancelled by the client gets an error", async () => {
  const { connection } = await started({ symbols: never });
  const source = new CancellationTokenSource();
  const asked = connection.sendRequest("workspace/symbol", { query: "x" }, source.token);
  source.cancel();
  await expect(asked).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled });
});

it("a failure or a timeout gets an empty list", async () => {
  const { request } = await started({ symbols: never, search: never });
  expect(await request("workspace/symbol", { query: "slow" })).toEqual([]);
});

/** The engine loads the index and answers after the timeout of Vim's tag jumps. */
async function askWhileOpening(name: string) {
  const session = fakeSession({
    symbols: async () => {
      await delay(1_400);
      return [hit({ symbol: METHOD })];
    },
  });
  const client = connectClient(session);
  await client.start({ clientInfo: { name } });
  const counts = { indexed: 0, read: 0, total: 0 };
  session.emit({ kind: "progress", root: "/project", phase: "begin", ...counts });
  const found = names(await client.request("workspace/symbol", { query: "get user" }));
  const told = client.told.filter(({ method }) => method === "window/showMessage");
  return { found, told: told.map(({ params }) => (params as { message: string }).message) };
}

it("the request waits for a loading index if the client waits", async () => {
  expect((await askWhileOpening("helix")).found).toEqual(["get_user"]);
});

it("the request does not wait if the client times out, and explains the empty list", async () => {
  const { found, told } = await askWhileOpening("Neovim");
  expect(found).toEqual([]);
  expect(told).toEqual([expect.stringContaining("is still loading")]);
});

it("without an engine the list is empty", async () => {
  const { request } = await started({
    symbols: async () => {
      throw new Unavailable("the engine does not start", "see its log");
    },
  });
  expect(await request("workspace/symbol", { query: "x" })).toEqual([]);
});

it("an invalid query parameter is named", async () => {
  const { request } = await started({});
  await expect(request("workspace/symbol", { query: 7 })).rejects.toThrow(
    "query: expected a string",
  );
});

it("names get a rank prefix for Zed if it sorts by name", async () => {
  const asked: string[] = [];
  const { request } = await started(
    {
      symbols: async (query) => {
        asked.push(query);
        return [hit({ symbol: METHOD }), hit({ symbol: { ...METHOD, name: "a" }, path: "a.py" })];
      },
    },
    "Zed Preview",
  );
  expect(names(await request("workspace/symbol", { query: "user::" }))).toEqual([
    "01 get_user",
    "02 a",
  ]);
  expect(names(await request("workspace/symbol", { query: "user" }))).toEqual(["get_user", "a"]);
  expect(asked).toEqual(["user", "user"]);
});

it("queries of other editors are not changed", async () => {
  const asked: string[] = [];
  const { request } = await started({
    symbols: async (query) => {
      asked.push(query);
      return [];
    },
  });
  await request("workspace/symbol", { query: "std::" });
  expect(asked).toEqual(["std::"]);
});

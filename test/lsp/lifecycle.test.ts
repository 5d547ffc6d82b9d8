/** From initialize to exit, with clients that do not keep to the order. */

import { expect, it, vi } from "vitest";
import { ErrorCodes, StreamMessageWriter } from "vscode-languageserver/node";
import { Lifecycle } from "../../server/lsp/lifecycle.ts";
import { eventually } from "../support/eventually.ts";
import { connectClient, type FakeSession, fakeSession } from "./test-client.ts";

/** The error code of a request. */
async function codeOf(answer: Promise<unknown>): Promise<unknown> {
  try {
    return { answered: await answer };
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

const COMMANDS = "search searchLines similar status reindex pause resume"
  .concat(" related impact path callers callees history explain context")
  .split(" ");

it("initialize returns exactly the served capabilities", async () => {
  const { initialize } = connectClient();
  expect(await initialize()).toEqual({
    capabilities: {
      textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      workspaceSymbolProvider: true,
      executeCommandProvider: {
        commands: COMMANDS.map((name) => `cocosearch.${name}`),
      },
    },
    serverInfo: { name: "cocosearch-lsp", version: "1.2.3" },
  });
});

it("initialize is answered before a session is created", async () => {
  const makeSession = vi.fn<() => Promise<FakeSession>>(async () => fakeSession());
  const { initialize } = connectClient(makeSession);
  await initialize();
  expect(makeSession).not.toHaveBeenCalled();
});

it.each([
  [["utf-8", "utf-16"], "utf-8"],
  [["utf-32", "utf-8"], "utf-32"],
  [["ebcdic"], "utf-16"],
])("the first known position encoding of %j is used", async (positionEncodings, expected) => {
  const { initialize } = connectClient();
  const { capabilities } = await initialize({ capabilities: { general: { positionEncodings } } });
  expect(capabilities.positionEncoding).toBe(expected);
});

it.each(["cocosearch/search", "workspace/symbol", "shutdown", "textDocument/hover"])(
  "%s is refused before initialize",
  async (method) => {
    const { request } = connectClient();
    expect(await codeOf(request(method, {}))).toBe(ErrorCodes.ServerNotInitialized);
  },
);

it("a client that never sends initialized is served", async () => {
  const { initialize, request } = connectClient();
  await initialize();
  expect(await request("cocosearch/search", { query: "q" })).toMatchObject({ state: "ready" });
});

it("an invalid initialize is refused, and a valid one follows", async () => {
  const { initialize, request } = connectClient();
  for (const params of [undefined, null, {}, { capabilities: {}, workspaceFolders: 7 }]) {
    expect(await codeOf(request("initialize", params))).toBeLessThan(0);
  }
  expect(await initialize()).toHaveProperty("capabilities");
});

it("a second initialize is refused", async () => {
  const { initialize } = connectClient();
  await initialize();
  expect(await codeOf(initialize())).toBe(ErrorCodes.InvalidRequest);
});

it("unknown requests are refused", async () => {
  const { start, request } = connectClient();
  await start();
  expect(await codeOf(request("textDocument/hover", {}))).toBe(ErrorCodes.MethodNotFound);
});

it("shutdown closes the session, and later requests are refused", async () => {
  const session = fakeSession();
  const { start, request } = connectClient(session);
  await start();
  expect(await request("shutdown")).toBeNull();
  expect(session.calls.at(-1)).toEqual(["dispose"]);
  expect(await codeOf(request("cocosearch/status"))).toBe(ErrorCodes.InvalidRequest);
  expect(await codeOf(request("shutdown"))).toBe(ErrorCodes.InvalidRequest);
});

it.each([
  ["shutdown and exit", true, 0],
  ["exit alone", false, 1],
])("the exit code follows the protocol after %s", async (_, shuts, code) => {
  const { start, request, notify, exits } = connectClient();
  await start();
  if (shuts) await request("shutdown");
  await notify("exit", undefined);
  await eventually(() => expect(exits).toEqual([code]));
});

it("the server exits when its editor is gone", () => {
  vi.useFakeTimers();
  try {
    const exits: number[] = [];
    const lifecycle = new Lifecycle((code) => exits.push(code));
    const processId = 2 ** 30;
    lifecycle.initialize({ processId, rootUri: null, capabilities: {} });
    vi.advanceTimersByTime(5_000);
    expect(exits).toEqual([1]);
  } finally {
    vi.useRealTimers();
  }
});

it("the server continues after malformed messages", async () => {
  const { start, request, input } = connectClient();
  await start();
  const writer = new StreamMessageWriter(input);
  for (const body of [
    "{",
    "null",
    "[]",
    "7",
    '{"id":null,"method":3}',
    '{"jsonrpc":"2.0","id":9}',
  ]) {
    input.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  }
  input.write("Content-Type: nonsense\r\n\r\n");
  await writer.write({ jsonrpc: "2.0" });
  expect(await request("cocosearch/status")).toMatchObject({ state: "ready" });
});

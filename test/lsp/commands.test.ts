/** workspace/executeCommand: what the server shows by itself, to clients of all abilities. */

import { expect, it } from "vitest";
import type { Hit } from "../../server/contracts/model.ts";
import type { Session } from "../../server/contracts/session.ts";
import { eventually } from "../support/eventually.ts";
import {
  ABLE,
  ANSWER,
  connectClient,
  fakeSession,
  hit,
  METHOD,
  type TestClient,
} from "./test-client.ts";

const TWO = [hit({ symbol: METHOD }), hit({ path: "b.py", lines: { start: 0, end: 3 } })];

async function started(
  hits: readonly Hit[],
  capabilities: object = ABLE,
  session: Partial<Session> = {},
): Promise<TestClient> {
  const client = connectClient(
    fakeSession({ search: async () => ({ ...ANSWER, hits }), ...session }),
  );
  await client.start({ capabilities });
  return client;
}

const run = (client: TestClient, command: string, ...args: unknown[]) =>
  client.request("workspace/executeCommand", { command, arguments: args });
const can = () => ({ success: true });

it("offers the hits by rank and goes to the one that was chosen", async () => {
  const client = await started(TWO);
  client.answers["window/showMessageRequest"] = (asked: { actions: unknown[] }) => asked.actions[1];
  client.answers["window/showDocument"] = can;
  expect(await run(client, "cocosearch.search", "get", "user")).toMatchObject({
    hits: [
      { symbol: { name: "UserService.get_user" } },
      { location: { uri: "file:///project/b.py" } },
    ],
  });
  expect(await client.next("window/showMessageRequest")).toMatchObject({
    message: "cocosearch: get user",
    actions: [{ title: "1. UserService.get_user - src/users.py:6" }, { title: "2. b.py:1" }],
  });
  expect(await client.next("window/showDocument")).toEqual({
    uri: "file:///project/b.py",
    takeFocus: true,
    selection: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  });
});

it("answers before it offers", async () => {
  const client = await started(TWO);
  await run(client, "cocosearch.search", "get", "user");
  expect(client.told.map(({ method }) => method)).not.toContain("window/showMessageRequest");
  await client.next("window/showMessageRequest");
});

it("goes to the only hit without asking", async () => {
  const client = await started(TWO.slice(0, 1));
  client.answers["window/showDocument"] = can;
  await run(client, "cocosearch.search", "get user");
  expect(await client.next("window/showDocument")).toMatchObject({
    selection: { start: { line: 5 } },
  });
  expect(client.told.map(({ method }) => method)).not.toContain("window/showMessageRequest");
});

it("goes to the best where the client cannot offer a choice", async () => {
  const client = await started(TWO);
  client.answers["window/showMessageRequest"] = () => {
    throw new Error("not supported");
  };
  client.answers["window/showDocument"] = can;
  await run(client, "cocosearch.search", "q");
  expect(await client.next("window/showDocument")).toMatchObject({
    uri: "file:///project/src/users.py",
  });
});

it.each([
  ["cannot show documents", {}, undefined],
  ["does not show the document", ABLE, () => ({ success: false })],
])("shows the places as text where the client %s", async (_, capabilities, showDocument) => {
  const client = await started(TWO, capabilities);
  client.answers["window/showMessageRequest"] = (asked: { actions: unknown[] }) => asked.actions[0];
  if (showDocument !== undefined) client.answers["window/showDocument"] = showDocument;
  await run(client, "cocosearch.search", "q");
  expect(await client.next("window/showMessage")).toMatchObject({
    message: "cocosearch: q\n1. UserService.get_user - src/users.py:6\n2. b.py:1",
  });
});

it("goes nowhere when the user dismisses the list", async () => {
  const client = await started(TWO);
  await run(client, "cocosearch.search", "q");
  await client.next("window/showMessageRequest");
  await client.request("cocosearch/status");
  expect(client.told.map(({ method }) => method)).not.toContain("window/showDocument");
});

it.each([[[]], [[""]], [[null]]])("explains itself when it is called with %j", async (args) => {
  const client = await started([]);
  expect(await run(client, "cocosearch.search", ...args)).toMatchObject({
    usage: expect.stringContaining("needs a question"),
  });
  expect(await client.next("window/showMessage")).toMatchObject({ type: 3 });
});

it("takes the parameters of a search too, and checks them", async () => {
  const client = await started([]);
  await expect(run(client, "cocosearch.search", { query: "q", limit: 0 })).rejects.toThrow("limit");
});

it("says when nothing is found, and how much was searched", async () => {
  const answer = { ...ANSWER, state: "indexing", indexed: 1, total: 9 } as const;
  const client = await started([], ABLE, { search: async () => answer });
  await run(client, "cocosearch.search", "q");
  expect(await client.next("window/showMessage")).toMatchObject({
    message: 'cocosearch: nothing found for "q" so far, with 1 of 9 files indexed',
  });
});

it.each([
  ["cocosearch.status", "ready; 3 of 3 files"],
  ["cocosearch.reindex", "looking for changes"],
  ["cocosearch.pause", "indexing is paused"],
  ["cocosearch.resume", "indexing continues"],
])("%s tells the user what it did", async (command, sentence) => {
  const client = await started([]);
  await client.request("workspace/executeCommand", { command });
  await eventually(() =>
    expect(
      JSON.stringify(client.told.filter(({ method }) => method === "window/showMessage")),
    ).toContain(sentence),
  );
});

it("names the commands there are when another is asked for", async () => {
  const client = await started([]);
  await expect(run(client, "cocosearch.fly")).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining("cocosearch.search, cocosearch.status"),
  });
});

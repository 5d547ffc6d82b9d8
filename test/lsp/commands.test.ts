/** workspace/executeCommand: what golden/conversations.txt does not have. */

import { expect, it } from "vitest";
import type { Hit } from "../../server/contracts/model.ts";
import type { Session } from "../../server/contracts/session.ts";
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

it("cocosearch.search offers related files after the hits", async () => {
  const file = { path: "src/a.py", hops: 1, via: "src/users.py", line: 6, types: ["import"] };
  const related = [{ ...file, root: "/tmp", dependent: true }];
  const client = await started([], ABLE, {
    search: async () => ({ ...ANSWER, hits: TWO.slice(0, 1), related }),
  });
  client.answers["window/showMessageRequest"] = (asked: { actions: unknown[] }) => asked.actions[1];
  client.answers["window/showDocument"] = can;
  expect(await run(client, "cocosearch.search", "q")).toMatchObject({
    related: [{ uri: "file:///tmp/src/a.py", dependent: true }],
  });
  expect(await client.next("window/showMessageRequest")).toMatchObject({
    actions: [{}, { title: "2. src/a.py - related: uses src/users.py" }],
  });
  expect(await client.next("window/showDocument")).toMatchObject({
    uri: "file:///tmp/src/a.py",
    selection: { start: { line: 6 } },
  });
});

it("the title of the list contains remarks on the answer", async () => {
  const warnings = ["searched without meaning: the service is down: start it"];
  const answer = { ...ANSWER, hits: TWO, state: "indexing", indexed: 1, total: 9 } as const;
  const client = await started([], ABLE, { search: async () => ({ ...answer, warnings }) });
  await run(client, "cocosearch.search", "q");
  expect(await client.next("window/showMessageRequest")).toMatchObject({
    message: `cocosearch: q · 1 of 9 files are indexed so far · ${warnings[0]}`,
  });
});

it("cocosearch.search answers before it offers choices", async () => {
  const client = await started(TWO);
  await run(client, "cocosearch.search", "get", "user");
  expect(client.told.map(({ method }) => method)).not.toContain("window/showMessageRequest");
  await client.next("window/showMessageRequest");
});

it.each([
  ["cannot show documents", {}, undefined],
  ["does not show the document", ABLE, () => ({ success: false })],
])("places are shown as text if the client %s", async (_, capabilities, showDocument) => {
  const client = await started(TWO, capabilities);
  client.answers["window/showMessageRequest"] = (asked: { actions: unknown[] }) => asked.actions[0];
  if (showDocument !== undefined) client.answers["window/showDocument"] = showDocument;
  await run(client, "cocosearch.search", "q");
  expect(await client.next("window/showMessage")).toMatchObject({
    message: "cocosearch: q\n1. UserService.get_user - src/users.py:6\n2. b.py:1",
  });
});

it.each([[[]], [[""]], [[null]]])(
  "cocosearch.search shows its usage when called with %j",
  async (args) => {
    const client = await started([]);
    expect(await run(client, "cocosearch.search", ...args)).toMatchObject({
      usage: expect.stringContaining("needs a question"),
    });
    expect(await client.next("window/showMessage")).toMatchObject({ type: 3 });
  },
);

it("cocosearch.search reports no hits and the indexed share", async () => {
  const answer = { ...ANSWER, state: "indexing", indexed: 1, total: 9 } as const;
  const client = await started([], ABLE, { search: async () => answer });
  await run(client, "cocosearch.search", "q");
  expect(await client.next("window/showMessage")).toMatchObject({
    message: 'cocosearch: nothing found for "q" so far, with 1 of 9 files indexed',
  });
});

it("cocosearch.status shows the state and the number of files", async () => {
  const client = await started([]);
  await client.request("workspace/executeCommand", { command: "cocosearch.status" });
  expect(await client.next("window/showMessage")).toMatchObject({
    message: expect.stringContaining("ready; 3 of 3 files"),
  });
});

it("cocosearch.reindex without options indexes changed files", async () => {
  const asked: unknown[] = [];
  const reindex: Session["reindex"] = async ({ full }) => void asked.push(full);
  const client = await started([], ABLE, { reindex });
  await run(client, "cocosearch.reindex");
  expect(asked).toEqual([false]);
  expect(await client.next("window/showMessage")).toMatchObject({
    message: expect.stringContaining("indexing changed files"),
  });
});

it.each(["\n", "\r", "\r\n"])(
  "cocosearch.searchLines uses the text of the open buffer with line endings %j",
  async (end) => {
    const client = await started([]);
    const uri = "file:///tmp/report.txt";
    await client.notify("textDocument/didOpen", {
      textDocument: {
        uri,
        languageId: "text",
        version: 1,
        text: ["Hello", "TypeError: x", "  at f", "Bye"].join(end),
      },
    });
    await run(client, "cocosearch.searchLines", "/tmp/report.txt:2-3");
    expect(await client.next("window/showMessage")).toMatchObject({
      message: 'cocosearch: nothing found for "TypeError: x"',
    });
  },
);

it("cocosearch.searchLines finds a buffer with a differently encoded URI", async () => {
  const client = await started([]);
  const uri = "file:///tmp/%2Breport.txt";
  await client.notify("textDocument/didOpen", {
    textDocument: { uri, languageId: "text", version: 1, text: "Hello\nTypeError: y" },
  });
  await run(client, "cocosearch.searchLines", "/tmp/+report.txt:2-2");
  expect(await client.next("window/showMessage")).toMatchObject({
    message: 'cocosearch: nothing found for "TypeError: y"',
  });
});

it.each([
  ["cocosearch.explain", ["a.py:9-3"], "expected lines"],
  ["cocosearch.explain", ["a.py", 0], "expected lines"],
  ["cocosearch.related", ["/etc/passwd"], "outside the opened folders"],
  ["cocosearch.related", [3], "the path of a file"],
  ["cocosearch.searchLines", ["nothing.py:1"], "the file does not exist"],
])("%s refuses %j", async (command, args, message) => {
  const client = await started([]);
  await expect(run(client, command, ...args)).rejects.toThrow(message);
});

it.each([
  ..."cocosearch.searchLines cocosearch.similar cocosearch.related".split(" "),
  ..."cocosearch.impact cocosearch.path cocosearch.callers".split(" "),
  ..."cocosearch.callees cocosearch.history cocosearch.explain".split(" "),
  ..."cocosearch.context".split(" "),
])("%s shows its usage when called without arguments", async (command) => {
  const client = await started([]);
  expect(await run(client, command)).toMatchObject({ usage: expect.stringContaining(command) });
});

/** workspace/executeCommand: what the server shows by itself, to clients of all abilities. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import type { CommitHit, HistoryAnswer } from "../../server/contracts/history-request.ts";
import type { Hit } from "../../server/contracts/model.ts";
import type { Session } from "../../server/contracts/session.ts";
import { callsOf } from "../support/calls.ts";
import { eventually } from "../support/eventually.ts";
import { EMPTY_CONTEXT } from "../support/small-answers.ts";
import {
  ABLE,
  ANSWER,
  connectClient,
  fakeSession,
  hit,
  METHOD,
  type TestClient,
} from "./test-client.ts";

const HISTORY: HistoryAnswer = {
  commits: [],
  history: { state: "ready", commits: 1, total: 1 },
  warnings: [],
};

const COMMIT: CommitHit = {
  root: "/tmp",
  sha: "abc",
  subject: "Add retries",
  author: "Ada",
  time: 0,
  age: "2 days ago",
  files: [],
  hunks: [{ path: "src/a.py", lines: { start: 0, end: 0 }, symbols: [], patch: "@@ -1 +1 @@" }],
  same: [],
  score: 1,
  why: [],
};

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

it("cocosearch.search offers hits by rank and opens the chosen one", async () => {
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

it("a single hit is opened without a choice", async () => {
  const client = await started(TWO.slice(0, 1));
  client.answers["window/showDocument"] = can;
  await run(client, "cocosearch.search", "get user");
  expect(await client.next("window/showDocument")).toMatchObject({
    selection: { start: { line: 5 } },
  });
  expect(client.told.map(({ method }) => method)).not.toContain("window/showMessageRequest");
});

it("the best hit is opened if the client cannot show choices", async () => {
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
])("places are shown as text if the client %s", async (_, capabilities, showDocument) => {
  const client = await started(TWO, capabilities);
  client.answers["window/showMessageRequest"] = (asked: { actions: unknown[] }) => asked.actions[0];
  if (showDocument !== undefined) client.answers["window/showDocument"] = showDocument;
  await run(client, "cocosearch.search", "q");
  expect(await client.next("window/showMessage")).toMatchObject({
    message: "cocosearch: q\n1. UserService.get_user - src/users.py:6\n2. b.py:1",
  });
});

it("a dismissed list opens nothing", async () => {
  const client = await started(TWO);
  await run(client, "cocosearch.search", "q");
  await client.next("window/showMessageRequest");
  await client.request("cocosearch/status");
  expect(client.told.map(({ method }) => method)).not.toContain("window/showDocument");
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

it("cocosearch.search accepts and checks the parameters of a search", async () => {
  const client = await started([]);
  await expect(run(client, "cocosearch.search", { query: "q", limit: 0 })).rejects.toThrow("limit");
});

it("cocosearch.search reports no hits and the indexed share", async () => {
  const answer = { ...ANSWER, state: "indexing", indexed: 1, total: 9 } as const;
  const client = await started([], ABLE, { search: async () => answer });
  await run(client, "cocosearch.search", "q");
  expect(await client.next("window/showMessage")).toMatchObject({
    message: 'cocosearch: nothing found for "q" so far, with 1 of 9 files indexed',
  });
});

it.each([
  ["cocosearch.status", "ready; 3 of 3 files"],
  ["cocosearch.reindex", "indexing changed files"],
  ["cocosearch.pause", "indexing is paused"],
  ["cocosearch.resume", "indexing continues"],
])("%s reports its effect", async (command, sentence) => {
  const client = await started([]);
  await client.request("workspace/executeCommand", { command });
  await eventually(() =>
    expect(
      JSON.stringify(client.told.filter(({ method }) => method === "window/showMessage")),
    ).toContain(sentence),
  );
});

it.each([
  [undefined, false, "indexing changed files"],
  [{ full: true }, true, "reindexing all files"],
])("cocosearch.reindex obeys %j", async (options, isFull, sentence) => {
  const asked: unknown[] = [];
  const reindex: Session["reindex"] = async ({ full }) => void asked.push(full);
  const client = await started([], ABLE, { reindex });
  await run(client, "cocosearch.reindex", ...(options === undefined ? [] : [options]));
  expect(asked).toEqual([isFull]);
  expect(await client.next("window/showMessage")).toMatchObject({
    message: expect.stringContaining(sentence),
  });
});

it("an unknown command is refused with the list of commands", async () => {
  const client = await started([]);
  await expect(run(client, "cocosearch.fly")).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(
      "cocosearch.search, cocosearch.searchLines, cocosearch.similar",
    ),
  });
});

const FILES = [
  { path: "src/a.py", hops: 1, via: "src/users.py", line: 6, types: ["import"], dependent: true },
  { path: "src/b.py", hops: 1, via: "src/users.py", line: 2, types: ["call"], dependent: false },
] as const;

it("cocosearch.related opens the line of the edge", async () => {
  const client = await started([], ABLE, {
    related: async () => ({ files: FILES, packages: [], total: 2 }),
  });
  client.answers["window/showMessageRequest"] = (asked: { actions: unknown[] }) => asked.actions[0];
  client.answers["window/showDocument"] = can;
  expect(await run(client, "cocosearch.related", "src/users.py")).toMatchObject({ total: 2 });
  expect(await client.next("window/showMessageRequest")).toMatchObject({
    message: "cocosearch: related to src/users.py",
    actions: [
      { title: "1. src/a.py - uses src/users.py:7" },
      { title: "2. src/b.py - used by src/users.py:3" },
    ],
  });
  expect(await client.next("window/showDocument")).toMatchObject({
    selection: { start: { line: 6 } },
  });
});

const CALL = {
  root: "/tmp",
  path: "src/a.py",
  line: 3,
  caller: "main",
  target: { path: "src/users.py", line: 5, name: "get_user" },
  confidence: 0.9,
  how: "imported name",
} as const;

it.each([
  ["cocosearch.callers", "1. main - src/a.py:4", 3],
  ["cocosearch.callees", "1. get_user - src/users.py:6", 5],
])("%s offers the other end of each call", async (command, title, line) => {
  const sites = async () => callsOf([CALL], 45);
  const client = await started([], ABLE, { callers: sites, callees: sites });
  client.answers["window/showMessageRequest"] = (asked: { actions: unknown[] }) => asked.actions[0];
  client.answers["window/showDocument"] = can;
  await run(client, command, "get_user");
  expect(await client.next("window/showMessageRequest")).toMatchObject({
    actions: [{ title }],
    message: expect.stringContaining("(1 of 45)") as string,
  });
  expect(await client.next("window/showDocument")).toMatchObject({
    selection: { start: { line } },
  });
});

it("cocosearch.context shows its text as a file", async () => {
  const answer = { ...EMPTY_CONTEXT, text: "## src/users.py:1-9\n" };
  const client = await started([], ABLE, { context: async () => answer });
  const shown: string[] = [];
  client.answers["window/showDocument"] = ({ uri }: { uri: string }) => {
    shown.push(readFileSync(fileURLToPath(uri), "utf8"));
    return { success: true };
  };
  await run(client, "cocosearch.context", "how are users read");
  await eventually(() => expect(shown).toEqual(["## src/users.py:1-9\n"]));
});

it("cocosearch.history shows the diff of the chosen commit, as a file or a message", async () => {
  const client = await started(
    [],
    {},
    { history: async () => ({ ...HISTORY, commits: [COMMIT] }) },
  );
  client.answers["window/showMessageRequest"] = (asked: { actions: unknown[] }) => asked.actions[0];
  await run(client, "cocosearch.history", "retries");
  expect(await client.next("window/showMessageRequest")).toMatchObject({
    actions: [{ title: "1. Add retries (2 days ago)" }],
  });
  expect(await client.next("window/showMessage")).toMatchObject({
    message: expect.stringMatching(
      /commit abc[^]*Add retries[^]*\+\+\+ b\/src\/a\.py\n@@ -1 \+1 @@/,
    ),
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

it("cocosearch.similar offers similar code", async () => {
  const subject = { index: "", root: "/tmp", path: "a.py", lines: { start: 0, end: 3 } };
  const { cache: _, ...answer } = ANSWER;
  const similar = vi.fn<Session["similar"]>(async () => ({ ...answer, subject, hits: TWO }));
  const client = await started([], ABLE, { similar });
  await run(client, "cocosearch.similar", "a.py:3");
  expect(await client.next("window/showMessageRequest")).toMatchObject({
    message: "cocosearch: similar to a.py:3",
    actions: [{ title: "1. UserService.get_user - src/users.py:6" }, { title: "2. b.py:1" }],
  });
  expect(similar.mock.calls[0]?.[0]).toMatchObject({ path: "/tmp/a.py", line: 2 });
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
  "cocosearch.searchLines",
  "cocosearch.similar",
  "cocosearch.related",
  "cocosearch.impact",
  "cocosearch.path",
  "cocosearch.callers",
  "cocosearch.callees",
  "cocosearch.history",
  "cocosearch.explain",
  "cocosearch.context",
])("%s shows its usage when called without arguments", async (command) => {
  const client = await started([]);
  expect(await run(client, command)).toMatchObject({ usage: expect.stringContaining(command) });
});

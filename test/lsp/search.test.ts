/** cocosearch/search, /analyze, /status, /reindex and /clear. */

import { expect, it } from "vitest";
import { BadRequest, Unavailable } from "../../server/common/errors.ts";
import type { Session } from "../../server/contracts/session.ts";
import { ANSWER, connectClient, fakeSession, hit, METHOD, type TestClient } from "./test-client.ts";

async function started(session: Partial<Session>): Promise<TestClient> {
  const client = connectClient(fakeSession(session));
  await client.start();
  return client;
}

const lines = (start: number, end: number) => ({
  start: { line: start, character: 0 },
  end: { line: end, character: 0 },
});
const down = async () => {
  throw new Unavailable("the database", "start it");
};

it("cocosearch/search answers with locations", async () => {
  const found = hit({
    symbol: METHOD,
    text: "def",
    why: [{ name: "fusion", contribution: 1 }],
    places: [
      { lines: { start: 20, end: 30 }, symbol: METHOD },
      { lines: { start: 40, end: 44 }, hierarchy: "Users" },
    ],
  });
  const { request } = await started({ search: async () => ({ ...ANSWER, hits: [found] }) });
  expect(await request("cocosearch/search", { query: "q" })).toEqual({
    ...ANSWER,
    hits: [
      {
        location: { uri: "file:///project/src/users.py", range: lines(4, 10) },
        selectionRange: lines(5, 5),
        contextRange: lines(2, 13),
        symbol: { name: METHOD.name, type: "method", signature: METHOD.signature },
        index: "project",
        score: 0.5,
        relevance: "strong",
        matchType: "both",
        languageId: "python",
        text: "def",
        places: [
          {
            location: { uri: "file:///project/src/users.py", range: lines(20, 31) },
            symbol: { name: METHOD.name, type: "method", signature: METHOD.signature },
          },
          {
            location: { uri: "file:///project/src/users.py", range: lines(40, 45) },
            hierarchy: "Users",
          },
        ],
        why: [{ name: "fusion", contribution: 1 }],
      },
    ],
  });
});

it("related files have URIs and the location of their edge", async () => {
  const around = { hops: 1, types: ["import"], confidence: 1, via: "src/users.py", line: 3 };
  const related = [
    { root: "/project", path: "src/app.py", dependent: true, ...around },
    { root: "/project", path: "src/base.py", dependent: false, ...around },
  ];
  const { request } = await started({ search: async () => ({ ...ANSWER, related }) });
  const answer = await request("cocosearch/search", { query: "q", expand: { hops: 1 } });
  const edge = { hops: 1, types: ["import"], confidence: 1, via: "file:///project/src/users.py" };
  const place = (uri: string) => ({ uri, range: lines(3, 3) });
  const [app, base] = ["file:///project/src/app.py", "file:///project/src/base.py"] as const;
  expect(answer).toEqual({
    ...ANSWER,
    related: [
      { uri: app, dependent: true, edge: place(app), ...edge },
      { uri: base, dependent: false, edge: place(edge.via), ...edge },
    ],
  });
});

it("cocosearch/analyze keeps the fields of an analysis", async () => {
  const hits = [{ ...hit(), ranks: { keyword: 1 }, evidence: { share: 1 } }];
  const { request } = await started({
    analyze: async () => ({ ...ANSWER, query: "q", stages: [], hits }),
  });
  expect(await request("cocosearch/analyze", { query: "q" })).toMatchObject({
    stages: [],
    hits: [
      {
        ranks: { keyword: 1 },
        evidence: { share: 1 },
        location: { uri: "file:///project/src/users.py" },
      },
    ],
  });
});

it.each([
  ["cocosearch/search", {}, "query"],
  ["cocosearch/search", { query: 1 }, "query"],
  ["cocosearch/search", { query: "q", limit: 0 }, "limit"],
  ["cocosearch/search", { query: "q", symbolTypes: ["module"] }, "symbolTypes"],
  ["cocosearch/search", { query: "q", color: "red" }, "color"],
  ["cocosearch/search", undefined, "query"],
  ["cocosearch/search", [1, 2], "parameters"],
  ["cocosearch/analyze", { query: "q", minScore: 2 }, "minScore"],
  ["cocosearch/clear", {}, "name"],
  ["cocosearch/reindex", { full: "yes" }, "full"],
])("%s refuses %j and names %s", async (method, params, name) => {
  const { request } = await started({});
  await expect(request(method, params)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(name),
  });
});

it("a search without an engine answers with a warning", async () => {
  const { request } = await started({ search: down });
  expect(await request("cocosearch/search", { query: "q" })).toMatchObject({
    hits: [],
    state: "unavailable",
    warnings: ["the database: start it"],
  });
});

it("a BadRequest of the engine becomes InvalidParams", async () => {
  const { request } = await started({
    search: async () => {
      throw new BadRequest('languages: "klingon" is not known');
    },
  });
  await expect(request("cocosearch/search", { query: "q" })).rejects.toMatchObject({
    code: -32602,
    message: 'languages: "klingon" is not known',
  });
});

it("the log, not the client, gets the stack of a bug", async () => {
  const { request, next } = await started({
    search: async () => {
      throw new TypeError("x is undefined");
    },
  });
  await expect(request("cocosearch/search", { query: "q" })).rejects.toThrow(
    "cocosearch/search failed; see the log",
  );
  expect(await next("window/logMessage")).toMatchObject({
    message: expect.stringContaining("TypeError: x is undefined"),
  });
});

it("cocosearch/status answers without an engine", async () => {
  const { request } = await started({ status: down });
  expect(await request("cocosearch/status")).toMatchObject({
    state: "unavailable",
    reason: "the database: start it",
    indexes: [],
  });
});

it("cocosearch/status answers while the engine starts", async () => {
  const { request } = await started({ status: () => new Promise(() => undefined) });
  expect(await request("cocosearch/status")).toMatchObject({ state: "indexing", indexes: [] });
});

it("cocosearch/reindex does not wait for the end of the pass", async () => {
  const session = fakeSession({ reindex: () => new Promise(() => undefined) });
  const { start, request } = connectClient(session);
  await start();
  expect(await request("cocosearch/reindex", { full: true, folder: "file:///tmp" })).toBeNull();
  expect(session.calls).toContainEqual(["reindex", { full: true, roots: ["/tmp"] }]);
});

it("a pass that fails after the answer is reported", async () => {
  let fail: (error: Error) => void = () => undefined;
  const reindex = () => new Promise<void>((_, reject) => (fail = reject));
  const client = connectClient(fakeSession({ reindex }));
  await client.start();
  await client.request("cocosearch/reindex", {});
  fail(new Error("the disk is full"));
  expect(await client.next("window/showMessage")).toMatchObject({
    message: "cocosearch: indexing failed: the disk is full",
  });
});

it("cocosearch/reindex fails immediately if indexing is impossible, without a message", async () => {
  const reindex = async () => {
    throw new BadRequest("/other is not an opened folder");
  };
  const client = connectClient(fakeSession({ reindex }));
  await client.start();
  const answer = client.request("cocosearch/reindex", { folder: "/other" });
  await expect(answer).rejects.toThrow("/other");
  await client.request("cocosearch/status");
  expect(client.told.map(({ method }) => method)).not.toContain("window/showMessage");
});

it("cocosearch/clear deletes an index by name", async () => {
  const { request } = await started({ clear: async (name) => name === "project" });
  expect(await request("cocosearch/clear", { name: "project" })).toEqual({ cleared: true });
  expect(await request("cocosearch/clear", { name: "other" })).toEqual({ cleared: false });
});

it("cocosearch/occurrences reports progress to the token of the request", async () => {
  const answer = {
    matches: 0,
    matchingFiles: 0,
    isComplete: true,
    missing: [],
    order: "category",
    files: [],
    start: "",
    warnings: [],
    state: "ready",
    indexed: 3,
    total: 3,
  } as const;
  const session = fakeSession({
    occurrences: async ({ reportAs = "" }) => {
      const report = (searched: number) =>
        session.emit({ kind: "searched", reportAs, searched, total: 3_000 });
      report(1_000);
      session.emit({ kind: "searched", reportAs: "another", searched: 7, total: 8 });
      report(2_000);
      return answer;
    },
  });
  const client = connectClient(session);
  await client.start();
  await client.request("cocosearch/occurrences", { exact: "lock" });
  await client.request("cocosearch/occurrences", { exact: "lock", workDoneToken: "mine" });
  const sent = client.told.filter(({ method }) => method === "$/progress");
  expect(sent.map(({ params }) => params)).toEqual([
    {
      token: "mine",
      value: {
        kind: "begin",
        title: "Finding occurrences",
        percentage: 33,
        message: "1,000 of 3,000 files",
        cancellable: true,
      },
    },
    { token: "mine", value: { kind: "report", percentage: 66, message: "2,000 of 3,000 files" } },
    { token: "mine", value: { kind: "end" } },
  ]);
});

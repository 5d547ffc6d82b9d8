/** The context server as a process, with the official client of the Model Context Protocol. */

import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { encode } from "gpt-tokenizer";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { getOrCreate } from "../../server/common/get-or-create.ts";
import { MAIN, type TestEngine, testEngine } from "../support/engine.ts";
import { commitAll, initRepository } from "../support/git.ts";
import { until } from "../support/lsp-client.ts";
import { SHOP } from "../support/shops.ts";
import { temporaryWorkspace, workspace, write } from "../support/workspace.ts";

let engine: TestEngine;
let root: string;
/** A repository of two commits, whose folder `app` has the code. */
let repository: string;
let firstSha: string;
let secondSha: string;
const cleanups: (() => void)[] = [];

beforeAll(() => {
  engine = testEngine();
  const made = temporaryWorkspace(SHOP);
  root = made.root;
  cleanups.push(made.remove);
  makeRepository();
});

function makeRepository(): void {
  const made = temporaryWorkspace(BEFORE);
  repository = made.root;
  cleanups.push(made.remove);
  initRepository(repository);
  firstSha = commitAll(repository, "Open the pool").slice(0, 10);
  write(repository, AFTER);
  const why = "Retry a refused connection\n\nThe database restarts at night.";
  secondSha = commitAll(repository, why).slice(0, 10);
}

afterAll(async () => {
  for (const opened of shared.values()) await (await opened).client.close();
  await engine.dispose();
  for (const cleanup of cleanups) cleanup();
});

const TOOLS = 5;

const BEFORE = `
//- app/pool.ts
export function openPool(url: string) {
  return connect(url);
}

export function connect(url: string) {
  return new WebSocket(url);
}
//- app/server.ts
import { openPool } from "./pool.ts";

export function serve() {
  return openPool("ws://localhost");
}
//- app/server.test.ts
import { serve } from "./server.ts";

serve();
//- outside/secret-plan.ts
export const plan = "retry a refused connection";
`;

/** With a change outside of the folder, too. */
const AFTER = `
//- app/pool.ts
export function openPool(url: string) {
  return retryRefused(() => connect(url));
}

export function connect(url: string) {
  return new WebSocket(url);
}
//- outside/secret-plan.ts
export const plan = "retry a refused connection twice";
`;

type Negotiation = NonNullable<ConstructorParameters<typeof Client>[1]>["versionNegotiation"];

interface Connected {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  text(name: string, input: Record<string, unknown>): Promise<string>;
}

interface ClientOptions {
  readonly roots?: readonly string[];
  readonly negotiation?: Negotiation;
}

/** By folder. */
const shared = new Map<string, Promise<Connected>>();

/** The connection of all tests that need none of their own. */
async function connected(folder = root): Promise<Connected> {
  return await getOrCreate(shared, folder, () => start(["--root", folder], {}));
}

/** A connection that ends with the test. */
async function connect(
  args: readonly string[] = ["--root", root],
  options: ClientOptions = {},
): Promise<Connected> {
  const made = await start(args, options);
  onTestFinished(() => made.client.close());
  return made;
}

async function start(
  args: readonly string[],
  { roots, negotiation }: ClientOptions,
): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, "mcp", ...args],
    env: engine.env as Record<string, string>,
    cwd: root,
    stderr: "ignore",
  });
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      capabilities: roots === undefined ? {} : { roots: {} },
      ...(negotiation === undefined ? {} : { versionNegotiation: negotiation }),
    },
  );
  if (roots !== undefined) {
    const listed = roots.map((each) => ({ uri: pathToFileURL(each).href }));
    client.setRequestHandler("roots/list", () => ({ roots: listed }));
  }
  await client.connect(transport);
  const text = async (name: string, input: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: input });
    return (content as { text?: string }[]).map((each) => each.text ?? "").join("\n");
  };
  return { client, transport, text };
}

const found = (ask: () => Promise<string>, wanted: string) =>
  until(wanted, async () => (await ask()).includes(wanted));

it("search_code finds code and states the condition of the index", async () => {
  const { client, text } = await connected();
  const input = { query: "where is a connection opened" };
  await found(() => text("search_code", input), "src/pool.py:5-7 method Pool.open_connection");
  expect(await text("search_code", input)).toMatch(/\n\[index ready, 3 of 3 files.*\]$/);
  const { structuredContent } = await client.callTool({ name: "search_code", arguments: input });
  expect(structuredContent).toMatchObject({
    state: "ready",
    hits: expect.arrayContaining([expect.objectContaining({ path: "src/pool.py" })]),
  });
  expect(await text("search_code", { ...input, related: true })).toContain(
    "\nRelated files: none\n",
  );
});

it("get_context packs a context", async () => {
  const { text } = await connected();
  const ask = () => text("get_context", { question: "how is the receipt mailed" });
  await found(ask, "## src/mail.go:");
  expect(await ask()).toContain("func SendReceipt(order Order) error");
});

describe("related", () => {
  it.each([
    ["dependents", "app/pool.ts", /^app\/server\.ts:1 uses app\/pool\.ts \(.*import.*; 1 step\)/m],
    [
      "dependencies",
      "app/server.ts",
      /^app\/pool\.ts is used by app\/server\.ts:1 \(.*import.*; 1 step\)/m,
    ],
    ["impact", "app/pool.ts", /^app\/server\.test\.ts:1 test to run/m],
    ["callers", "openPool", /^app\/server\.ts:4 serve calls openPool at app\/pool\.ts:1/m],
    ["callees", "serve", /^app\/pool\.ts:1 openPool is called at app\/server\.ts:4 serve/m],
  ])("follows %s of %s", async (relation, of, wanted) => {
    const { text } = await connected(repository);
    const ask = () => text("related", { relation, of });
    await found(ask, "index ready, 4 of 4 files");
    expect(await ask()).toMatch(wanted);
  });

  it("returns the same as structured content, and counts results over the limit", async () => {
    const { client, text } = await connected(repository);
    const input = { relation: "callers", of: "openPool" };
    await found(() => text("related", input), "index ready");
    const { structuredContent } = await client.callTool({ name: "related", arguments: input });
    const target = { path: "app/pool.ts", line: 1, name: "openPool" };
    expect(structuredContent).toMatchObject({
      relation: "callers",
      results: [{ path: "app/server.ts", line: 4, caller: "serve", target }],
    });
    const impact = { relation: "dependents", of: "app/pool.ts", depth: 2, limit: 1 };
    expect(await text("related", impact)).toMatch(/^1 more: pass cursor "\S+"\.$/m);
  });

  it("shows absolute paths if the client has several roots", async () => {
    const { text } = await connect([], { roots: [root, join(repository, "app")] });
    const wanted = `${join(repository, "app/server.ts")}:4 serve calls openPool`;
    await found(() => text("related", { relation: "callers", of: "openPool" }), wanted);
    const of = join(repository, "app/pool.ts");
    const dependent = `${join(repository, "app/server.ts")}:1 uses ${of}`;
    expect(await text("related", { relation: "dependents", of })).toContain(dependent);
  });
});

describe("the history", () => {
  it("finds commits by their changes, and the current place of their lines", async () => {
    const { client, text } = await connected(repository);
    const input = { query: "retry a refused connection", limit: 1 };
    await found(() => text("find_pattern", input), "history ready, 2 of 2 commits");
    const answer = await text("find_pattern", input);
    expect(answer).toMatch(new RegExp(`^${secondSha} Retry a refused connection \\(Ada, `));
    expect(answer).toMatch(/^ {2}app\/pool\.ts:\d+ openPool -> now app\/pool\.ts:2$/m);
    expect(answer).toContain("+export const plan");
    const { structuredContent } = await client.callTool({ name: "find_pattern", arguments: input });
    expect(structuredContent).toMatchObject({
      state: "ready",
      commits: [{ subject: "Retry a refused connection", author: "Ada" }],
    });
  });

  it("explains lines by the commits that changed them", async () => {
    const { client, text } = await connected(repository);
    const input = { path: "app/pool.ts", startLine: 1, endLine: 3 };
    const answer = await text("explain_change", input);
    expect(answer).toMatch(
      new RegExp(`^app/pool.ts:1 ${firstSha} Open the pool \\(Ada, .*; 2 of 3 lines$`, "m"),
    );
    expect(answer).toMatch(
      new RegExp(`^app/pool.ts:2 ${secondSha} Retry a refused connection .*; 1 of 3 lines$`, "m"),
    );
    expect(answer).toContain("  The database restarts at night.");
    expect(answer).toContain("+  return retryRefused(() => connect(url));");
    expect(answer).toMatch(/\n\[index .*\]$/);
    const { structuredContent } = await client.callTool({
      name: "explain_change",
      arguments: input,
    });
    expect(structuredContent).toMatchObject({
      lines: 3,
      commits: [{ subject: "Open the pool" }, { path: "app/pool.ts", startLine: 2, lines: 1 }],
    });
  });

  it("shows nothing of the repository outside the root", async () => {
    const { client, text } = await connect(["--root", join(repository, "app")]);
    const input = { query: "retry a refused connection" };
    await found(() => text("find_pattern", input), "history ready, 2 of 2 commits");
    const answer = await client.callTool({ name: "find_pattern", arguments: input });
    expect(JSON.stringify(answer)).toContain("pool.ts:");
    expect(JSON.stringify(answer)).not.toContain("plan");
    const explained = await text("explain_change", { path: "pool.ts", startLine: 2 });
    expect(explained).toMatch(new RegExp(`^pool.ts:2 ${secondSha}`));
  });
});

it("keeps answers about calls and commits within their tokens", async () => {
  const { text } = await connect(["--root", manyCommits()]);
  await found(() => text("find_pattern", { query: "x" }), "history ready, 8 of 8 commits");
  const calls = { relation: "callers", of: "fetchConnection", maxTokens: 4_000 };
  await found(() => text("related", calls), "index ready");
  for (const [name, input] of [
    ["related", calls],
    ["find_pattern", { query: "fetch connection" }],
    ["explain_change", { path: "src/part0.ts" }],
  ] as const) {
    for (const maxTokens of [200, 500, 4_000]) {
      const answer = await text(name, { ...input, maxTokens });
      expect([name, answer]).toEqual([
        name,
        expect.stringMatching(/src\/part\d\.ts:\d+|fetch connection/),
      ]);
      expect(encode(answer).length).toBeLessThanOrEqual(maxTokens);
    }
  }
});

/** Each commit adds to the same file. */
function manyCommits(): string {
  const large = workspace();
  initRepository(large);
  let lines = "";
  for (let n = 0; n < 8; n++) {
    for (let i = 0; i < 40; i++) {
      lines += `export function value${n * 100 + i}() { return fetchConnection("${n}", ${i}); }\n`;
    }
    write(large, `//- src/part0.ts\nexport function fetchConnection() {}\n${lines}`);
    commitAll(large, `Part ${n} of the fetch connection\n\n${"A long reason. ".repeat(40)}`);
  }
  return large;
}

it("keeps answers with code within their tokens", async () => {
  const line = (n: number) =>
    `export const value${n} = await fetchConnection("${n}", { retry: ${n} });`;
  const file = (n: number) =>
    `//- src/part${n}.ts\n${Array.from({ length: 60 }, (_, i) => line(n * 100 + i)).join("\n")}\n`;
  const large = workspace(Array.from({ length: 30 }, (_, n) => file(n)).join(""));
  const { text } = await connect(["--root", large]);
  await found(() => text("search_code", { query: "fetch" }), "30 of 30 files");
  for (const maxTokens of [200, 1_000, 4_000]) {
    const code = await text("search_code", { query: "fetch connection", limit: 50, maxTokens });
    expect(encode(code).length).toBeLessThanOrEqual(maxTokens);
    const context = await text("get_context", { question: "fetch connection", maxTokens });
    expect(encode(context).length).toBeLessThanOrEqual(maxTokens);
  }
});

it("the client's roots take precedence over the working directory", async () => {
  const other = workspace("//- src/tax.ts\nexport function computeTax() {}\n");
  const { text } = await connect([], { roots: [other] });
  await found(() => text("search_code", { query: "computeTax" }), "src/tax.ts:1");
  expect(await text("search_code", { query: "open_connection" })).not.toContain("pool.py");
});

it.each([
  ["search_code", { query: "x", languages: ["klingon"] }],
  ["explain_change", { path: "src/pool.py\0" }],
])("refuses %s with %j, and continues", async (name, input) => {
  const { client } = await connected();
  const { isError, content } = await client.callTool({ name, arguments: input });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).not.toContain("this is a bug");
  expect((await client.listTools()).tools).toHaveLength(TOOLS);
});

it("a message of one megabyte is read", async () => {
  const { text } = await connected();
  expect(await text("get_context", { question: "open connection ".repeat(65_000) })).toMatch(/cut/);
});

it("the answer says that a root was deleted", async () => {
  const gone = workspace("//- a.ts\nx\n");
  rmSync(gone, { recursive: true });
  const { client } = await connect(["--root", gone]);
  const answer = await client.callTool({ name: "search_code", arguments: { query: "x" } });
  expect(answer.isError).toBe(true);
  expect(JSON.stringify(answer.content)).toContain(gone);
});

it("a cancelled request ends, and the next one is answered", async () => {
  const { client } = await connected();
  const controller = new AbortController();
  const cancelled = client.callTool(
    { name: "get_context", arguments: { question: "where is a connection opened" } },
    { signal: controller.signal },
  );
  controller.abort();
  await expect(cancelled).rejects.toThrow(/abort|cancel/i);
  expect((await client.listTools()).tools).toHaveLength(TOOLS);
});

it("a running tool sends progress to a client that requests it", async () => {
  const { client } = await connected();
  const told: unknown[] = [];
  await client.callTool(
    { name: "search_code", arguments: { query: "open_connection" } },
    { onprogress: ({ progress, message }) => told.push([progress, message]) },
  );
  expect(told[0]).toEqual([0, "search_code is running"]);
});

it("the server can be killed and restarted", async () => {
  const { transport, client } = await connect();
  const pid = transport.pid ?? 0;
  expect(pid).toBeGreaterThan(0);
  process.kill(pid, "SIGKILL");
  await expect(client.listTools()).rejects.toThrow(/closed|not connected/i);
  const again = await connect();
  expect((await again.client.listTools()).tools).toHaveLength(TOOLS);
});

describe("versions of the protocol", () => {
  it.each([["legacy"], ["auto"]] as const)("speaks with a client of the mode %s", async (mode) => {
    const { client, text } = await connect(undefined, { negotiation: { mode } });
    expect(client.getNegotiatedProtocolVersion()).toMatch(mode === "auto" ? /^2026/ : /^2025/);
    await found(() => text("search_code", { query: "open_connection" }), "src/pool.py");
  });
});

describe("the command line", () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [MAIN, "mcp", ...args], { encoding: "utf8", env: engine.env });

  it.each([
    ["claude-code", "claude mcp add cocosearch -- cocosearch-lsp mcp"],
    ["vscode", '"servers"'],
    ["codex", "[mcp_servers.cocosearch]"],
  ])("prints the configuration of %s", (client, wanted) => {
    const { status, stdout } = run("--config", client);
    expect(status).toBe(0);
    expect(stdout).toContain(wanted);
  });

  it.each([[["--config", "notepad"]], [["--config", "toString"]], [["--nothing"]]])(
    "refuses %j",
    (args) => {
      const { status, stdout, stderr } = run(...args);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(/^error: /);
    },
  );
});

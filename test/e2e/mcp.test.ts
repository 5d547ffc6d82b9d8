/** The context server as a process, with the official client of the Model Context Protocol. */

import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { encode } from "gpt-tokenizer";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { MAIN, type TestEngine, testEngine } from "../support/engine.ts";
import { until } from "../support/lsp-client.ts";
import { SHOP } from "../support/shops.ts";
import { temporaryWorkspace, workspace } from "../support/workspace.ts";

let engine: TestEngine;
let root: string;
const cleanups: (() => void)[] = [];

beforeAll(() => {
  engine = testEngine();
  const made = temporaryWorkspace(SHOP);
  root = made.root;
  cleanups.push(made.remove);
});
afterAll(async () => {
  await engine.dispose();
  for (const cleanup of cleanups) cleanup();
});

type Negotiation = NonNullable<ConstructorParameters<typeof Client>[1]>["versionNegotiation"];

interface Connected {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  text(name: string, input: Record<string, unknown>): Promise<string>;
}

async function connect(
  args: readonly string[] = ["--root", root],
  { roots, negotiation }: { roots?: readonly string[]; negotiation?: Negotiation } = {},
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
  onTestFinished(() => client.close());
  const text = async (name: string, input: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: input });
    return (content as { text?: string }[]).map((each) => each.text ?? "").join("\n");
  };
  return { client, transport, text };
}

const found = (ask: () => Promise<string>, wanted: string) =>
  until(wanted, async () => (await ask()).includes(wanted));

it("lists its tools in few tokens, all of them read-only", async () => {
  const { client } = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["search_code", "get_context"]);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  for (const { description } of tools) expect(description).toMatch(/Use it .*\bNot /s);
  expect(encode(JSON.stringify(tools)).length).toBeLessThan(1_500);
});

it("finds code, and says what the answer is based on", async () => {
  const { client, text } = await connect();
  const input = { query: "where is a connection opened" };
  await found(() => text("search_code", input), "src/pool.py:5 method Pool.open_connection");
  expect(await text("search_code", input)).toMatch(/\n\[index ready, 3 of 3 files.*\]$/);
  const { structuredContent } = await client.callTool({ name: "search_code", arguments: input });
  expect(structuredContent).toMatchObject({
    state: "ready",
    hits: expect.arrayContaining([expect.objectContaining({ path: "src/pool.py" })]),
  });
});

it("packs a context", async () => {
  const { text } = await connect();
  const ask = () => text("get_context", { question: "how is the receipt mailed" });
  await found(ask, "## src/mail.go:");
  expect(await ask()).toContain("func SendReceipt(order Order) error");
});

it.each(["search_code", "get_context"])(
  "keeps the answer of %s within its tokens",
  async (name) => {
    const line = (n: number) =>
      `export const value${n} = await fetchConnection("${n}", { retry: ${n} });`;
    const file = (n: number) =>
      `//- src/part${n}.ts\n${Array.from({ length: 60 }, (_, i) => line(n * 100 + i)).join("\n")}\n`;
    const large = workspace(Array.from({ length: 30 }, (_, n) => file(n)).join(""));
    const { text } = await connect(["--root", large]);
    const ask = (maxTokens: number) =>
      text(
        name,
        name === "search_code"
          ? { query: "fetch connection", limit: 50, maxTokens }
          : { question: "fetch connection", maxTokens },
      );
    await found(() => ask(4_000), "30 of 30 files");
    for (const maxTokens of [200, 1_000, 4_000]) {
      expect(encode(await ask(maxTokens)).length).toBeLessThanOrEqual(maxTokens);
    }
  },
);

it("takes the client's roots before its own folder", async () => {
  const other = workspace("//- src/tax.ts\nexport function computeTax() {}\n");
  const { text } = await connect([], { roots: [other] });
  await found(() => text("search_code", { query: "computeTax" }), "src/tax.ts:1");
  expect(await text("search_code", { query: "open_connection" })).not.toContain("pool.py");
});

it.each([
  ["search_code", {}],
  ["search_code", { query: "x", limit: 1_000 }],
  ["search_code", { query: "x", maxTokens: 1_000_000 }],
  ["search_code", { query: "x", unknown: 1 }],
  ["search_code", { query: "x", languages: ["klingon"] }],
  ["get_context", { question: "" }],
  ["get_context", { question: "x", maxTokens: -1 }],
  ["no_such_tool", {}],
])("refuses %s with %j, and goes on", async (name, input) => {
  const { client } = await connect();
  const refused = await client.callTool({ name, arguments: input }).then(
    ({ isError }) => isError === true,
    () => true,
  );
  expect(refused).toBe(true);
  expect((await client.listTools()).tools).toHaveLength(2);
});

it("reads a message of a megabyte", async () => {
  const { text } = await connect();
  expect(await text("get_context", { question: "open connection ".repeat(65_000) })).toMatch(/cut/);
});

it("says that a root is gone", async () => {
  const gone = workspace("//- a.ts\nx\n");
  rmSync(gone, { recursive: true });
  const { client } = await connect(["--root", gone]);
  const answer = await client.callTool({ name: "search_code", arguments: { query: "x" } });
  expect(answer.isError).toBe(true);
  expect(JSON.stringify(answer.content)).toContain(gone);
});

it("ends a request that the client cancels, and answers the next one", async () => {
  const { client } = await connect();
  const controller = new AbortController();
  const cancelled = client.callTool(
    { name: "get_context", arguments: { question: "where is a connection opened" } },
    { signal: controller.signal },
  );
  controller.abort();
  await expect(cancelled).rejects.toThrow(/abort|cancel/i);
  expect((await client.listTools()).tools).toHaveLength(2);
});

it("can be killed and started again", async () => {
  const { transport, client } = await connect();
  const pid = transport.pid ?? 0;
  expect(pid).toBeGreaterThan(0);
  process.kill(pid, "SIGKILL");
  await expect(client.listTools()).rejects.toThrow(/closed|not connected/i);
  const again = await connect();
  expect((await again.client.listTools()).tools).toHaveLength(2);
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

/** Evaluates the MCP tools: the share of labeled files in an answer, and its size in tokens. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { countTokens } from "gpt-tokenizer";
import { average, percentile } from "./bench/statistics.ts";
import { MAIN } from "./editor.ts";
import { covers, type Task } from "./evaluation/metrics.ts";
import { ended, openSession } from "./evaluation/server.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: npm run evaluate-tools -- TASKS.json --repos DIR [options]

  TASKS.json      questions with labels, as for npm run evaluate
  --repos DIR     checkouts: DIR/<repo>/<benchmark_root> is indexed
  --only REPO,... only these repositories
  --home DIR      keep the indexes there for the next run
  --starts N      how often the list of tools is asked of a new server, beside an engine that is starting; default: 20`;

/** One way to ask a question. */
interface Way {
  readonly name: string;
  readonly tool: string;
  readonly inputOf: (query: string) => Readonly<Record<string, unknown>>;
}

const WAYS: readonly Way[] = [
  { name: "search_code", tool: "search_code", inputOf: (query) => ({ query }) },
  ...[2_000, 1_000, 500].map((maxTokens) => ({
    name: `search_code, maxTokens ${maxTokens}`,
    tool: "search_code",
    inputOf: (query: string) => ({ query, maxTokens }),
  })),
  { name: "get_context", tool: "get_context", inputOf: (question) => ({ question }) },
];

interface Measured {
  readonly repo: string;
  /** The share of the labeled files that are in the answer. */
  readonly recall: number;
  readonly tokens: number;
}

async function main(): Promise<number> {
  const { values, positionals } = scriptOptions(USAGE, {
    allowPositionals: true,
    options: {
      repos: { type: "string" },
      only: { type: "string" },
      home: { type: "string" },
      starts: { type: "string", default: "20" },
    },
  });
  const [file] = positionals;
  if (file === undefined || values.repos === undefined) {
    console.error(USAGE);
    return 2;
  }
  const only = values.only?.split(",");
  const tasks = (JSON.parse(readFileSync(file, "utf8")) as Task[]).filter(
    ({ repo }) => only?.includes(repo) ?? true,
  );
  const home = resolve(values.home ?? mkdtempSync(join(tmpdir(), "cocosearch-tools-")));
  const rows = new Map<string, Measured[]>();
  const session = openSession(home);
  for (const repo of new Set(tasks.map((task) => task.repo))) {
    const own = tasks.filter((task) => task.repo === repo);
    const root = join(resolve(values.repos), repo, own[0]?.benchmark_root ?? "");
    await session.openFolders([root]);
    await session.whenIdle();
    console.error(`${repo}: ${own.length} questions`);
    const client = await startTools(root, home);
    for (const task of own) await measureTask(client, task, rows);
    await client.close();
  }
  const { engine } = await session.status();
  await session.dispose();
  if (values.home === undefined) {
    await ended(engine.pid);
    rmSync(home, { recursive: true });
  }
  print(rows);
  console.log(await coldStarts(Number(values.starts)));
  return 0;
}

async function startTools(root: string, home: string, idleSeconds = 60): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, "mcp", "--root", root],
    env: {
      ...(process.env as Record<string, string>),
      COCOSEARCH_HOME: home,
      COCOSEARCH_ENGINE_IDLE_SECONDS: String(idleSeconds),
    },
    cwd: root,
    stderr: "inherit",
  });
  const client = new Client({ name: "evaluation", version: "1.0.0" });
  await client.connect(transport);
  return client;
}

async function measureTask(client: Client, task: Task, rows: Map<string, Measured[]>) {
  for (const { name, tool, inputOf } of WAYS) {
    const answer = await client.callTool({ name: tool, arguments: inputOf(task.query) });
    const text = (answer.content as { text?: string }[]).map((each) => each.text ?? "").join("\n");
    const { hits, items } = (answer.structuredContent ?? {}) as {
      hits?: { path: string }[];
      items?: { path: string }[];
    };
    const found = hits ?? items ?? [];
    const covered = task.relevant.filter(({ path, raw = path }) =>
      found.some((each) => covers({ path: each.path }, { path, raw }, task)),
    );
    const recall = covered.length / task.relevant.length;
    const all = rows.get(name) ?? [];
    rows.set(name, [...all, { repo: task.repo, recall, tokens: countTokens(text) }]);
  }
}

function print(rows: ReadonlyMap<string, readonly Measured[]>): void {
  console.log(
    "| asked | questions | recall of files | tokens, mean | median | highest | recall per 1,000 tokens |",
  );
  console.log("|---|---:|---:|---:|---:|---:|---:|");
  for (const [name, all] of rows) {
    const repos = [...new Set(all.map(({ repo }) => repo))];
    const mean = (what: "recall" | "tokens") =>
      average(
        repos.map((repo) =>
          average(all.filter((each) => each.repo === repo).map((each) => each[what])),
        ),
      );
    const tokens = all.map((each) => each.tokens);
    const perThousand = (1_000 * mean("recall")) / mean("tokens");
    const cells = [
      all.length,
      mean("recall").toFixed(3),
      mean("tokens").toFixed(0),
      percentile(tokens, 0.5),
      percentile(tokens, 1),
      perThousand.toFixed(3),
    ];
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
}

/** From the start of the process until the list is there; no engine runs before. */
async function coldStarts(count: number): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const folder = mkdtempSync(join(tmpdir(), "cocosearch-start-"));
    const start = performance.now();
    const client = await startTools(folder, folder, 1);
    const { tools } = await client.listTools();
    times.push(performance.now() - start);
    if (tools.length === 0) throw new Error("no tools");
    await client.close();
    await leave(folder);
  }
  const at = (share: number) => `${percentile(times, share).toFixed(0)} ms`;
  return `tools/list of ${count} new servers: median ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}`;
}

/** Ends the engine that the server began to start. */
async function leave(home: string): Promise<void> {
  const session = openSession(home);
  const { engine } = await session.status();
  await session.dispose();
  await ended(engine.pid);
  rmSync(home, { recursive: true });
}

process.exitCode = await main();

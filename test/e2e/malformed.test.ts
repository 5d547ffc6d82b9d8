/** Thousands of messages that no client should send, to the real server: each gets the right error, and the next search its answer. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { ErrorCodes } from "vscode-languageserver/node";
import { sharedEngine } from "../support/engine.ts";
import { until } from "../support/lsp-client.ts";
import { malformed, type Order } from "../support/malformed.ts";
import type { Malformed } from "../support/malformed-requests.ts";
import { random } from "../support/random.ts";
import { type Answer, type RawClient, startRaw } from "../support/raw-client.ts";
import { SHOP } from "../support/shops.ts";
import { workspace } from "../support/workspace.ts";

/** Messages of the longest part; 10,000 take some minutes. */
const ROUNDS = Number(process.env["COCOSEARCH_TEST_MESSAGES"] ?? 400);
const SEED = Number(process.env["COCOSEARCH_TEST_SEED"] ?? 1);
/** After this many a sound request follows, whose answer comes after theirs. */
const BATCH = 20;
/** Requests that do not need the engine are answered immediately. */
const LATEST_MS = 10_000;
/** The server keeps nothing of a refused message. A fresh server has about 90 MB, and a message of megabytes leaves garbage. */
const MAX_MEMORY = 400_000_000;

const engine = sharedEngine();

function start(): { server: RawClient; root: string; uri: string } {
  const root = workspace(SHOP);
  const server = startRaw(engine.env);
  onTestFinished(() => void server.child.kill());
  return { server, root, uri: pathToFileURL(join(root, "src/pool.py")).href };
}

async function initialize(server: RawClient, root: string): Promise<void> {
  const uri = pathToFileURL(root).href;
  const params = {
    processId: process.pid,
    capabilities: {},
    workspaceFolders: [{ uri, name: "" }],
  };
  expect(await server.ask("initialize", params)).toHaveProperty("result.capabilities");
  server.tell("initialized", {});
}

/** Sends a series and compares what came back with what should. */
async function send(server: RawClient, uri: string, rounds: number, order: Order = {}) {
  const chance = random(SEED);
  let most = 0;
  for (let round = 0; round < rounds; ) {
    const from = server.answers.length;
    const batch: Malformed[] = [];
    for (let i = 0; i < BATCH && round < rounds; i++) {
      const made = malformed(chance, ++round, uri, order);
      batch.push(made);
      server.write(made.bytes);
    }
    await server.ask("$/sentinel");
    await answersTo(server, from, batch, round);
    most = Math.max(most, memoryOf(server.child.pid ?? 0));
  }
  return most;
}

async function answersTo(
  server: RawClient,
  from: number,
  batch: readonly Malformed[],
  round: number,
) {
  const expected = batch.filter(({ code }) => code !== undefined);
  const came = () => server.answers.slice(from).filter(isAnswer);
  const deadline = Date.now() + LATEST_MS;
  while (came().length <= expected.length && Date.now() < deadline) await delay(5);
  const left = came().filter(({ id }) => !String(id).startsWith("ask-"));
  for (const { kind, id, code } of expected) {
    const fits = (answer: Answer) => (answer.id ?? null) === id && hasCode(answer, code);
    const at = left.findIndex(fits);
    const same = left.filter((answer) => (answer.id ?? null) === id);
    if (at < 0) expect({ kind, round, id, came: same }).toEqual({ kind, round, id, code });
    left.splice(at, 1);
  }
  expect(left, `before round ${round}, after ${batch.map(({ kind }) => kind).join("; ")}`).toEqual(
    [],
  );
}

const isAnswer = ({ method }: Answer) => method === undefined;

function hasCode({ error }: Answer, code: Malformed["code"]): boolean {
  if (code === "served") return error === undefined;
  return Array.isArray(code) ? code.includes(error?.code ?? 0) : error?.code === code;
}

function memoryOf(pid: number): number {
  if (process.platform !== "linux") return 0;
  const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/** The lines by which a server and its engine report a bug of their own. */
function bugs({ answers }: RawClient): string[] {
  const lines = answers
    .filter(({ method }) => method === "window/logMessage")
    .map(({ params }) => (params as { message: string }).message);
  const log = readFileSync(engine.home.log, "utf8").split("\n");
  return [...lines, ...log].filter((line) => /\bbug\b/.test(line));
}

it.each(["Content-Length: x", "Content-Type: application/json", "GET / HTTP/1.1"])(
  "The server answers the header %j with a parse error",
  async (header) => {
    const { server } = start();
    server.write(Buffer.from(`${header}\r\n\r\n`));
    const isParseError = ({ id, error }: Answer) =>
      id === null && error?.code === ErrorCodes.ParseError;
    const answer = await until("a parse error", async () => server.answers.find(isParseError));
    expect(answer.error?.message).toBeTruthy();
  },
);

describe("malformed messages", () => {
  it("a running server survives malformed messages", async ({ annotate }) => {
    const { server, root, uri } = start();
    await initialize(server, root);
    const search = async () => {
      const { result } = await server.ask("cocosearch/search", { query: "SendReceipt" });
      return (result as { hits: { symbol?: { name: string } }[] } | undefined)?.hits[0]?.symbol
        ?.name;
    };
    await until("the index", async () => (await search()) === "SendReceipt");
    const memory = await send(server, uri, ROUNDS);
    expect(await search()).toBe("SendReceipt");
    expect(memory).toBeLessThan(MAX_MEMORY);
    expect(bugs(server)).toEqual([]);
    expect(await server.ask("shutdown")).toMatchObject({ result: null });
    server.tell("exit");
    expect(await server.exited).toBe(0);
    await annotate(`${ROUNDS} messages, at most ${Math.round(memory / 1e6)} MB`);
  }, 1_200_000);

  it("a server survives malformed messages before initialize", async () => {
    const { server, root, uri } = start();
    await send(server, uri, ROUNDS / 5, { refusal: ErrorCodes.ServerNotInitialized });
    await initialize(server, root);
    expect(await server.ask("cocosearch/status")).toHaveProperty("result.state");
    expect(bugs(server)).toEqual([]);
    server.tell("exit");
    expect(await server.exited).toBe(1);
  }, 600_000);

  it("a server survives malformed messages after shutdown", async () => {
    const { server, root, uri } = start();
    await initialize(server, root);
    await server.ask("shutdown");
    await send(server, uri, ROUNDS / 5, { refusal: ErrorCodes.InvalidRequest });
    expect(bugs(server)).toEqual([]);
    server.tell("exit");
    expect(await server.exited).toBe(0);
  }, 600_000);
});

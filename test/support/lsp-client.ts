/** The real server as an editor runs it: a process of its own, spoken to over stdin and stdout. */

import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  type InitializeParams,
  type InitializeResult,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type SymbolInformation,
} from "vscode-languageserver/node";
import { isErrorCode } from "../../server/common/errors.ts";
import type { FoundHit } from "../../server/lsp/found-hit.ts";
import type { SearchResponse } from "../../server/lsp/search.ts";
import type { StatusResponse } from "../../server/lsp/status.ts";
import { MAIN } from "./engine.ts";

/** Indexing a fixture takes a second; a busy machine may take thirty times as long. */
const TIMEOUT_MS = 120_000;
const POLL_MS = 100;

interface ProgressMessage {
  readonly token: string;
  readonly value: { readonly kind: "begin" | "report" | "end"; readonly percentage?: number };
}

export interface LspClient {
  readonly connection: MessageConnection;
  readonly child: ChildProcess;
  /** The exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  readonly progress: readonly ProgressMessage[];
  /** initialize and initialized, with what the editors that matter can do. */
  initialize(root: string, changes?: Partial<InitializeParams>): Promise<InitializeResult>;
  /** Resolves at the end of the first progress. */
  progressEnded(): Promise<void>;
  search(query: string, more?: object): Promise<SearchResponse>;
  /** Searches again until a hit is as wanted. */
  searchUntil(query: string, isWanted: (hit: FoundHit) => boolean): Promise<FoundHit>;
  symbols(query: string): Promise<(SymbolInformation & { score: number })[]>;
  status(): Promise<StatusResponse>;
  /** shutdown and exit; resolves to the exit code. */
  shutdown(): Promise<number | null>;
}

export function startServer(
  env: NodeJS.ProcessEnv,
  args: readonly string[] = ["--stdio"],
): LspClient {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const progress: ProgressMessage[] = [];
  connection.onUnhandledProgress((message) => progress.push(message as ProgressMessage));
  connection.onRequest(() => null);
  connection.listen();

  const search: LspClient["search"] = (query, more = {}) =>
    connection.sendRequest("cocosearch/search", { query, ...more });
  return {
    connection,
    child,
    exited,
    progress,
    initialize: async (root, changes = {}) => {
      const result = await connection.sendRequest<InitializeResult>(
        "initialize",
        initializeParams(root, changes),
      );
      await connection.sendNotification("initialized", {});
      return result;
    },
    progressEnded: () =>
      until("the end of progress", () => progress.find(({ value }) => value.kind === "end")).then(
        () => undefined,
      ),
    search,
    searchUntil: (query, isWanted) =>
      until(`a hit for ${query}`, async () => (await search(query)).hits.find(isWanted)),
    symbols: (query) => connection.sendRequest("workspace/symbol", { query }),
    status: () => connection.sendRequest("cocosearch/status"),
    shutdown: async () => {
      await connection.sendRequest("shutdown");
      await connection.sendNotification("exit");
      return await exited;
    },
  };
}

function initializeParams(root: string, changes: Partial<InitializeParams>): InitializeParams {
  const uri = pathToFileURL(root).href;
  return {
    processId: process.pid,
    clientInfo: { name: "test" },
    rootUri: uri,
    workspaceFolders: [{ uri, name: "test" }],
    capabilities: { window: { workDoneProgress: true } },
    ...changes,
  };
}

/** Asks again and again until there is something. */
export async function until<T>(what: string, ask: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = await ask();
    if (found !== undefined && found !== null && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await delay(POLL_MS);
  }
}

/** Whether a process is there. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (isErrorCode(error, "ESRCH")) return false;
    throw error;
  }
}

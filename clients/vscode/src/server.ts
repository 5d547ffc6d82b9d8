/** The server process and its connection. A server that ended is restarted; a failure to start is explained. */

import { type ChildProcess, spawn } from "node:child_process";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  ErrorCodes,
  LanguageClient,
  type LanguageClientOptions,
  ResponseError,
  State,
} from "vscode-languageclient/node";
import type { Status } from "./protocol.js";

/** Length of the kept end of stderr. */
const MAX_SAID_LENGTH = 2_000;

/** Wait for the rest of stderr after a failure: the closed pipe is noticed earlier. */
const MAX_LAST_WORDS_MS = 2_000;

const PROGRAM_SETTING = "program";

/** One run of the program. */
interface Run {
  child?: ChildProcess;
  /** Its output on stderr, to explain an unexpected end. */
  said: string;
}

export class Server {
  readonly #output = vscode.window.createOutputChannel("cocosearch", { log: true });
  readonly #changed = new vscode.EventEmitter<Status>();
  /** Fires at each change of the state of the index. */
  readonly onStatus = this.#changed.event;
  #client: LanguageClient | undefined;
  #starting: Promise<LanguageClient> | undefined;
  #run: Run | undefined;
  #isClosing = false;

  /** The running server, started if needed. Rejects with a message for the user. */
  ready(): Promise<LanguageClient> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Sends a request. If the server dies meanwhile, restarts it and sends the request once more. */
  async ask<T>(method: string, params: object, token?: vscode.CancellationToken): Promise<T> {
    const first = await this.ready();
    try {
      return await first.sendRequest<T>(method, params, token);
    } catch (error) {
      if (token?.isCancellationRequested === true || !isLost(error)) throw error;
      // A failed write reveals the end before the connection is closed.
      if (this.#client === first) this.#forget();
      return await (await this.ready()).sendRequest<T>(method, params, token);
    }
  }

  showLog(): void {
    this.#output.show();
  }

  async stop(): Promise<void> {
    this.#isClosing = true;
    await this.#client?.stop();
  }

  async #start(): Promise<LanguageClient> {
    const run: Run = { said: "" };
    this.#run = run;
    const client = new QuietClient(
      "cocosearch",
      "cocosearch",
      () => this.#spawn(run),
      this.#options(run),
    );
    client.onNotification("cocosearch/statusChanged", (status: Status) =>
      this.#changed.fire(status),
    );
    try {
      await client.start();
      // The client library treats an end before the first answer as a successful start.
      if (client.state !== State.Running) throw new Error("the server ended");
    } catch (error) {
      const reason = await reasonOf(run, error);
      if (this.#run === run) this.#forget();
      throw new Error(reason, { cause: error });
    }
    this.#client = client;
    // Without an answer, the state of the last notification stays.
    client.sendRequest<Status>("cocosearch/status", {}).then(
      (status) => this.#changed.fire(status),
      () => undefined,
    );
    return client;
  }

  #forget(): void {
    this.#starting = undefined;
    this.#client = undefined;
  }

  /** Only the user may set the program, not a workspace: the setting has machine scope. */
  async #spawn(run: Run): Promise<ChildProcess> {
    const program = vscode.workspace
      .getConfiguration("cocosearch")
      .get(PROGRAM_SETTING, "cocosearch-lsp");
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const child = spawn(program, ["--stdio"], folder === undefined ? {} : { cwd: folder });
    child.stderr.on("data", (piece: Buffer) => {
      run.said = (run.said + piece.toString()).slice(0, MAX_SAID_LENGTH);
      this.#output.info(piece.toString().trimEnd());
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(missing(program, error)));
    });
    run.child = child;
    return child;
  }

  #options(run: Run): LanguageClientOptions {
    return {
      documentSelector: [{ scheme: "file" }],
      synchronize: { configurationSection: "cocosearch" },
      outputChannel: this.#output,
      middleware: {
        workspace: {
          // The setting of the extension is not sent to the server.
          configuration: async (params, token, next) => {
            const answer = await next(params, token);
            return Array.isArray(answer) ? answer.map(withoutProgram) : answer;
          },
        },
      },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          void this.#ended(run);
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    };
  }

  /** The next request starts a new server. */
  async #ended(run: Run): Promise<void> {
    if (this.#run !== run) return;
    this.#forget();
    if (this.#isClosing) return;
    const reason = `${await reasonOf(run)}; the next question starts it again`;
    if (this.#run !== run) return;
    this.#changed.fire({ state: "unavailable", reason, indexed: 0, total: 0 });
  }
}

/** Logs a failed start only: the library would show a stack, and the failed request shows the reason. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown, show?: boolean | "force"): void {
    super.error(message, data, show === "force" ? false : show);
  }
}

/** Whether a request failed because the connection is closed. */
function isLost(error: unknown): boolean {
  return (
    error instanceof ResponseError &&
    [
      ErrorCodes.ConnectionInactive,
      ErrorCodes.MessageWriteError,
      ErrorCodes.PendingResponseRejected,
    ].some((code) => code === error.code)
  );
}

async function reasonOf(run: Run, error?: unknown): Promise<string> {
  await lastWords(run.child);
  const [line] = run.said.trim().split("\n");
  if (line !== undefined && line !== "") return `the server ended: ${line}`;
  return error instanceof Error ? error.message : "the server ended";
}

/** Waits until the stderr of the process is read completely. */
async function lastWords(child: ChildProcess | undefined): Promise<void> {
  if (child?.stderr?.readableEnded !== false) return;
  await new Promise<void>((resolve) => {
    const waiting = setTimeout(resolve, MAX_LAST_WORDS_MS);
    child.once("close", () => {
      clearTimeout(waiting);
      resolve();
    });
  });
}

function missing(program: string, error: Error): Error {
  const remedy = "install it, or name its path in the setting cocosearch.program";
  return new Error(`${program} cannot be started: ${remedy}`, { cause: error });
}

function withoutProgram(settings: unknown): unknown {
  if (typeof settings !== "object" || settings === null) return settings;
  const { [PROGRAM_SETTING]: _, ...rest } = settings as Record<string, unknown>;
  return rest;
}

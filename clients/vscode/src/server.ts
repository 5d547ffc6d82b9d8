/** The server's process and the connection to it: started once, again after its end, and able to say why it is not there. */

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

/** How much of what a program says before it ends is kept. */
const MAX_SAID_LENGTH = 2_000;

/** How long a program that failed is waited for: a closed pipe is noticed before the program's last words are read. */
const MAX_LAST_WORDS_MS = 2_000;

const PROGRAM_SETTING = "program";

/** One run of the program. */
interface Run {
  child?: ChildProcess;
  /** What it said on its standard error, for when it ends. */
  said: string;
}

export class Server {
  readonly #output = vscode.window.createOutputChannel("cocosearch", { log: true });
  readonly #changed = new vscode.EventEmitter<Status>();
  /** The state of the index, whenever it changes. */
  readonly onStatus = this.#changed.event;
  #client: LanguageClient | undefined;
  #starting: Promise<LanguageClient> | undefined;
  #run: Run | undefined;
  #isClosing = false;

  /** The running server; it is started where none runs. Rejects with a sentence for the user. */
  ready(): Promise<LanguageClient> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Asks; a server that dies meanwhile is started again and asked once more. */
  async ask<T>(method: string, params: object, token?: vscode.CancellationToken): Promise<T> {
    const first = await this.ready();
    try {
      return await first.sendRequest<T>(method, params, token);
    } catch (error) {
      if (token?.isCancellationRequested === true || !isLost(error)) throw error;
      // A message that cannot be written tells of the end before the connection does.
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
      // The client library takes an end before the server's first answer for a start.
      if (client.state !== State.Running) throw new Error("the server ended");
    } catch (error) {
      const reason = await reasonOf(run, error);
      if (this.#run === run) this.#forget();
      throw new Error(reason, { cause: error });
    }
    this.#client = client;
    // Without an answer the state stays what the notifications say.
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

  /** The program is the user's to choose, and never a workspace's: the setting's scope is the machine. */
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
          // The extension's own setting is none of the server's.
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

  /** The next question starts another one. */
  async #ended(run: Run): Promise<void> {
    if (this.#run !== run) return;
    this.#forget();
    if (this.#isClosing) return;
    const reason = `${await reasonOf(run)}; the next question starts it again`;
    if (this.#run !== run) return;
    this.#changed.fire({ state: "unavailable", reason, indexed: 0, total: 0 });
  }
}

/** Writes a failed start to the log alone: the library would show its stack, and the user is told the reason by whoever asked. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown, show?: boolean | "force"): void {
    super.error(message, data, show === "force" ? false : show);
  }
}

/** Whether a request failed because there is no connection any more. */
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

/** Waits until what a process said is read to its end. */
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

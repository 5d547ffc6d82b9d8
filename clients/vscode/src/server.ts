/** The server's process and the connection to it: started once, again after its end, and able to say why it is not there. */

import { type ChildProcess, spawn } from "node:child_process";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
} from "vscode-languageclient/node";
import type { Status } from "./protocol.js";

/** How much of what a program says before it ends is kept. */
const MAX_SAID_LENGTH = 2_000;

const PROGRAM_SETTING = "program";

export class Server {
  readonly #output = vscode.window.createOutputChannel("cocosearch", { log: true });
  readonly #changed = new vscode.EventEmitter<Status>();
  /** The state of the index, whenever it changes. */
  readonly onStatus = this.#changed.event;
  #client: LanguageClient | undefined;
  #starting: Promise<LanguageClient> | undefined;
  /** What the process said on its standard error, for when it ends. */
  #said = "";
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
      if (token?.isCancellationRequested === true || this.#client === first) throw error;
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
    this.#said = "";
    const client = new LanguageClient(
      "cocosearch",
      "cocosearch",
      () => this.#spawn(),
      this.#options(),
    );
    client.onNotification("cocosearch/statusChanged", (status: Status) =>
      this.#changed.fire(status),
    );
    try {
      await client.start();
    } catch (error) {
      this.#starting = undefined;
      throw new Error(this.#reason(error), { cause: error });
    }
    this.#client = client;
    this.#changed.fire(await client.sendRequest<Status>("cocosearch/status", {}));
    return client;
  }

  /** The program is the user's to choose, and never a workspace's: the setting's scope is the machine. */
  async #spawn(): Promise<ChildProcess> {
    const program = vscode.workspace
      .getConfiguration("cocosearch")
      .get(PROGRAM_SETTING, "cocosearch-lsp");
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const child = spawn(program, ["--stdio"], folder === undefined ? {} : { cwd: folder });
    child.stderr.on("data", (piece: Buffer) => {
      this.#said = (this.#said + piece.toString()).slice(0, MAX_SAID_LENGTH);
      this.#output.info(piece.toString().trimEnd());
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(missing(program, error)));
    });
    return child;
  }

  #options(): LanguageClientOptions {
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
          this.#ended();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    };
  }

  /** The next question starts another one. */
  #ended(): void {
    this.#starting = undefined;
    this.#client = undefined;
    if (this.#isClosing) return;
    const reason = `${this.#reason(undefined)}; the next question starts it again`;
    this.#changed.fire({ state: "unavailable", reason, indexed: 0, total: 0 });
  }

  #reason(error: unknown): string {
    const [line] = this.#said.trim().split("\n");
    if (line !== undefined && line !== "") return `the server ended: ${line}`;
    return error instanceof Error ? error.message : "the server ended";
  }
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

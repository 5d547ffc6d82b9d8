/** What the user is told: each sentence once, as window/showMessage and in the log. */

import { type Connection, MessageType, ShowMessageNotification } from "vscode-languageserver";
import type { Log } from "../common/log.ts";
import { runDetached } from "./handle-request.ts";

export class Notices {
  readonly #connection: Connection;
  readonly #log: Log;
  readonly #told = new Set<string>();

  constructor(connection: Connection, log: Log) {
    this.#connection = connection;
    this.#log = log;
  }

  /** For states and settings: a sentence that was shown before is not shown again. */
  once(level: "info" | "warning", text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#log.info("told the user", { text });
    this.show(level, text);
  }

  /** For answers: shown as often as it is asked for. */
  show(level: "info" | "warning", text: string): void {
    const type = level === "info" ? MessageType.Info : MessageType.Warning;
    const message = `cocosearch: ${text}`;
    runDetached("message not shown", this.#log, () =>
      this.#connection.sendNotification(ShowMessageNotification.type, { type, message }),
    );
  }
}

/** What the user is told: each sentence once, as window/showMessage and in the log. */

import { type Connection, MessageType, ShowMessageNotification } from "vscode-languageserver";
import type { Log } from "../common/log.ts";
import { runDetached } from "./handle-request.ts";

/** A service that is down again after this long is told of again. */
const TELL_AGAIN_MS = 10 * 60_000;

export class Notices {
  readonly #connection: Connection;
  readonly #log: Log;
  /** When each sentence was shown. */
  readonly #told = new Map<string, number>();
  readonly #warnings = new Set<string>();

  constructor(connection: Connection, log: Log) {
    this.#connection = connection;
    this.#log = log;
  }

  /** What the user was warned of for good; a state is told by the state. */
  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  /** For settings: a sentence that was shown before is not shown again. */
  once(level: "info" | "warning", text: string): void {
    if (level === "warning") this.#warnings.add(text);
    this.#tell(level, text, Number.POSITIVE_INFINITY);
  }

  /** For states, which come and go. */
  now(level: "info" | "warning", text: string): void {
    this.#tell(level, text, TELL_AGAIN_MS);
  }

  #tell(level: "info" | "warning", text: string, againAfterMs: number): void {
    const now = performance.now();
    const before = this.#told.get(text);
    if (before !== undefined && now - before < againAfterMs) return;
    this.#told.set(text, now);
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

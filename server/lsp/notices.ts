/** Shows messages to the user with window/showMessage, without repeats, and logs them. */

import { type Connection, MessageType, ShowMessageNotification } from "vscode-languageserver";
import type { Log } from "../common/log.ts";
import { runDetached } from "./handle-request.ts";

/** A state message is repeated after this time. */
const REPEAT_AFTER_MS = 10 * 60_000;

export class Notices {
  readonly #connection: Connection;
  readonly #log: Log;
  /** When each message was shown. */
  readonly #shownAt = new Map<string, number>();
  readonly #warnings = new Set<string>();

  constructor(connection: Connection, log: Log) {
    this.#connection = connection;
    this.#log = log;
  }

  /** Permanent warnings, such as about settings; states are reported by the status. */
  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  /** Shows a message once per connection. */
  once(level: "info" | "warning", text: string): void {
    if (level === "warning") this.#warnings.add(text);
    this.#showUnlessRecent(level, text, Number.POSITIVE_INFINITY);
  }

  /** Shows a message about a state, at most once per REPEAT_AFTER_MS. */
  now(level: "info" | "warning", text: string): void {
    this.#showUnlessRecent(level, text, REPEAT_AFTER_MS);
  }

  #showUnlessRecent(level: "info" | "warning", text: string, repeatAfterMs: number): void {
    const now = performance.now();
    const before = this.#shownAt.get(text);
    if (before !== undefined && now - before < repeatAfterMs) return;
    this.#shownAt.set(text, now);
    this.#log.info("shown to the user", { text });
    this.show(level, text);
  }

  /** Shows a message each time. */
  show(level: "info" | "warning", text: string): void {
    const type = level === "info" ? MessageType.Info : MessageType.Warning;
    const message = `cocosearch: ${text}`;
    runDetached("message not shown", this.#log, () =>
      this.#connection.sendNotification(ShowMessageNotification.type, { type, message }),
    );
  }
}

/** Sends $/progress about a request with a `workDoneToken`, as soon as there is something to report. */

import {
  type Connection,
  ProgressToken,
  WorkDoneProgress,
  type WorkDoneProgressBegin,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from "vscode-languageserver";
import { count } from "../common/count.ts";
import type { Log } from "../common/log.ts";
import type { SearchedEvent } from "../contracts/with-reports.ts";
import { runDetached } from "./handle-request.ts";

export class RequestProgress {
  readonly #deps: { readonly connection: Connection; readonly log: Log };
  readonly #token: ProgressToken | undefined;
  readonly #title: string;
  #isBegun = false;

  /** Without a token of the protocol nothing is sent. */
  constructor(
    deps: { readonly connection: Connection; readonly log: Log },
    title: string,
    token: unknown,
  ) {
    this.#deps = deps;
    this.#title = title;
    this.#token = ProgressToken.is(token) ? token : undefined;
  }

  report({ searched, total }: SearchedEvent): void {
    const percentage = Math.floor((100 * searched) / total);
    const message = `${searched.toLocaleString("en")} of ${count(total, "file")}`;
    if (this.#isBegun) return this.#send({ kind: "report", percentage, message });
    this.#isBegun = true;
    this.#send({ kind: "begin", title: this.#title, percentage, message, cancellable: true });
  }

  end(): void {
    if (this.#isBegun) this.#send({ kind: "end" });
  }

  #send(value: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd): void {
    const token = this.#token;
    if (token === undefined) return;
    const { connection, log } = this.#deps;
    runDetached("progress not sent", log, () =>
      connection.sendProgress(WorkDoneProgress.type, token, value),
    );
  }
}

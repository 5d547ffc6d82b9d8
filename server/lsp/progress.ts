/** Sends $/progress during indexing: about two reports per second, with a percentage that never decreases. */

import {
  type Connection,
  WorkDoneProgress,
  type WorkDoneProgressBegin,
  WorkDoneProgressCreateRequest,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from "vscode-languageserver";
import { formatTokens } from "../common/format-tokens.ts";
import type { Log } from "../common/log.ts";
import { formatRemainingTime } from "../common/remaining-time.ts";
import type { EmbeddingProgress, SessionEvent } from "../contracts/session.ts";
import type { Client } from "./client-quirks.ts";
import { runDetached } from "./handle-request.ts";

/** Shorter work, such as after saving a file, shows no progress. */
const SHOW_AFTER_MS = 500;

/** Minimum interval of reports. Editors store every report; a longer interval looks stuck. */
const REPORT_EVERY_MS = 450;

const TITLE = "Indexing";

type ProgressEvent = Extract<SessionEvent, { kind: "progress" }>;
interface Counts {
  readonly indexed: number;
  readonly read: number;
  readonly total: number;
  readonly leftMs?: number;
  readonly embedding?: EmbeddingProgress;
}

const NO_FILES: Counts = { indexed: 0, read: 0, total: 0 };

interface ProgressDeps {
  readonly connection: Connection;
  readonly log: Log;
  client(): Client;
}

/** One bar for all folders. */
export class Progress {
  readonly #deps: ProgressDeps;
  readonly #active = new Map<string, Counts>();
  readonly #done = new Map<string, Counts>();
  #bar: Bar | undefined;
  #begun = 0;
  /** The first pass is always shown, because users and scripts wait for its end. */
  #isFirst = true;

  constructor(deps: ProgressDeps) {
    this.#deps = deps;
  }

  /** Whether answers are still incomplete. */
  get isIndexing(): boolean {
    return this.#active.size > 0;
  }

  /** Whether a stored index may still be loading: its number of files is unknown. */
  get isOpening(): boolean {
    return [...this.#active.values()].some(({ total }) => total === 0);
  }

  on({ root, phase, kind: _kind, ...counts }: ProgressEvent): void {
    const { indexed, read, total } = counts;
    if (phase !== "end") {
      this.#active.set(root, counts);
    } else {
      this.#active.delete(root);
      this.#done.set(root, { indexed, read, total });
    }
    const all = sum([...this.#active.values(), ...this.#done.values()]);
    if (this.#active.size === 0) return this.#finish(all);
    this.#bar ??= this.#begin(this.#isFirst ? 0 : SHOW_AFTER_MS);
    this.#bar?.update(all);
  }

  /** All folders are indexed. If the first pass had no work, an empty progress is shown once. */
  whenIdle(): void {
    if (!this.#isFirst || this.#bar !== undefined) return;
    this.#bar = this.#begin(0);
    this.#finish(NO_FILES);
  }

  /** Ends all progress, because indexing cannot continue. */
  stop(): void {
    this.#active.clear();
    if (this.#bar !== undefined) this.#finish(sum([...this.#done.values()]));
  }

  /** The token is short, because some clients show it, and unique per connection. */
  #begin(delayMs: number): Bar | undefined {
    if (!this.#deps.client().showsProgress) return undefined;
    this.#begun++;
    return new Bar(this.#deps, `cocosearch-${this.#begun}`, delayMs);
  }

  #finish(counts: Counts): void {
    this.#bar?.end(counts);
    this.#bar = undefined;
    this.#isFirst = false;
    this.#done.clear();
  }
}

/** The progress of one token, from `create` to `end`. */
class Bar {
  readonly #deps: ProgressDeps;
  readonly #token: string;
  /** Delays the creation, then the next report. */
  #timer: NodeJS.Timeout | undefined;
  #counts: Counts = NO_FILES;
  #state: "waiting" | "creating" | "shown" | "ended" = "waiting";
  #percentage = 0;
  #message = "";
  #reportedAt = 0;

  constructor(deps: ProgressDeps, token: string, delayMs: number) {
    this.#deps = deps;
    this.#token = token;
    if (delayMs > 0) this.#timer = setTimeout(() => this.#create(), delayMs);
    else this.#create();
  }

  update(counts: Counts): void {
    this.#counts = counts;
    if (this.#state !== "shown" || this.#timer !== undefined) return;
    const waitMs = this.#reportedAt + REPORT_EVERY_MS - performance.now();
    if (waitMs <= 0) this.#report();
    else this.#timer = setTimeout(() => this.#report(), waitMs);
  }

  /** Sends a report if the percentage or the message changed. */
  #report(): void {
    this.#timer = undefined;
    if (this.#state !== "shown") return;
    const percentage = Math.max(this.#percentage, percentageOf(this.#counts));
    const message = messageFor(this.#counts);
    if (percentage === this.#percentage && message === this.#message) return;
    [this.#percentage, this.#message] = [percentage, message];
    this.#send({ kind: "report", percentage, message });
  }

  end(counts: Counts): void {
    clearTimeout(this.#timer);
    this.#counts = counts;
    const before = this.#state;
    this.#state = "ended";
    if (before === "shown") this.#sendEnd();
  }

  /** The token may be used only after the client has answered `create`. */
  #create(): void {
    this.#timer = undefined;
    this.#state = "creating";
    const { connection, log } = this.#deps;
    runDetached("progress is not shown", log, async () => {
      await connection.sendRequest(WorkDoneProgressCreateRequest.type, { token: this.#token });
      this.#begin();
    });
  }

  #begin(): void {
    const percentage = percentageOf(this.#counts);
    this.#percentage = percentage;
    const message = messageFor(this.#counts);
    this.#message = message;
    this.#send({ kind: "begin", title: TITLE, percentage, message, cancellable: false });
    // Some clients show a token from its creation on, so it needs an end even if the work has ended.
    if (this.#state === "ended") this.#sendEnd();
    else this.#state = "shown";
  }

  #sendEnd(): void {
    this.#send({ kind: "end", message: messageFor(this.#counts) });
  }

  #send(value: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd): void {
    this.#reportedAt = performance.now();
    const { connection, log } = this.#deps;
    runDetached("progress not sent", log, () =>
      connection.sendProgress(WorkDoneProgress.type, this.#token, value),
    );
  }
}

/** Sums the counts. The remaining time is that of the slowest folder. */
function sum(all: readonly Counts[]): Counts {
  const left = all.flatMap(({ leftMs }) => leftMs ?? []);
  const embedding = all.flatMap((each) => each.embedding ?? []);
  return {
    ...(left.length === 0 ? {} : { leftMs: Math.max(...left) }),
    ...(embedding.length === 0 ? {} : { embedding: embedding.reduce(bothEmbeddings) }),
    indexed: all.reduce((total, each) => total + each.indexed, 0),
    read: all.reduce((total, each) => total + each.read, 0),
    total: all.reduce((total, each) => total + each.total, 0),
  };
}

function bothEmbeddings(a: EmbeddingProgress, b: EmbeddingProgress): EmbeddingProgress {
  return {
    tokens: a.tokens + b.tokens,
    tokensPerSecond: a.tokensPerSecond + b.tokensPerSecond,
    remainingTokens: a.remainingTokens + b.remainingTokens,
  };
}

/** Reading a file and storing it each count as half of its work. */
function percentageOf({ indexed, read, total }: Counts): number {
  return total === 0 ? 0 : Math.min(100, Math.floor((50 * (indexed + read)) / total));
}

/** Empty without files: discovery is running, or nothing is to be done. */
function messageFor({ read, total, leftMs, embedding }: Counts): string {
  if (total === 0) return "";
  const left = leftMs === undefined ? "" : `, ${formatRemainingTime(leftMs)}`;
  // The remaining time covers files only, and those are done once chunks are embedded.
  const more = embedding === undefined ? left : `, ${formatTokens(embedding)}`;
  return `${read.toLocaleString("en")} of ${total.toLocaleString("en")} files${more}`;
}

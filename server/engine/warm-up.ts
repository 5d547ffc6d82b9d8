/** Asks an index some questions as soon as there is something to find, so that a user's first one is answered like the hundredth. */

import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { IndexingThrottle } from "./indexing-throttle.ts";
import type { OpenIndex } from "./open-index.ts";

/** Of the kinds that people ask; what they find does not matter. The code that they run is compiled then. */
const SENTENCES = [
  "where is the configuration read",
  "how are errors handled",
  "open a file and read its lines",
  "what happens when a connection is closed",
  "parse the arguments of a command",
  '"return the result" of a request',
];
/** Names of files, which are asked as names. */
const MAX_NAMES = 6;
/**
 * A first index of that many chunks is asked while it is made: the engine's own thread has time then, and who waited for
 * the index asks at once.
 */
const MIN_CHUNKS = 300;
/** A pass that ends sooner is one over what is stored already, and the thread is what it waits for. */
const MIN_LEFT_MS = 1_000;
/** Between two questions, for a user who asks meanwhile. */
const PAUSE_MS = 20;

export interface WarmUpOptions {
  readonly throttle: Pick<IndexingThrottle, "yieldToForeground">;
  readonly log: Log;
  /** Searches an index and leaves nothing behind. */
  ask(index: OpenIndex, query: string): Promise<void>;
}

export class WarmUp {
  readonly #options: WarmUpOptions;
  readonly #warmed = new WeakSet<OpenIndex>();
  readonly #ending = new AbortController();

  constructor(options: WarmUpOptions) {
    this.#options = options;
  }

  /** Once for each index that is opened; never rejects. */
  async indexChanged(index: OpenIndex): Promise<void> {
    if (!isWorthAsking(index) || this.#warmed.has(index) || !isOurs(index)) return;
    this.#warmed.add(index);
    try {
      await this.#warm(index);
    } catch (error) {
      this.#options.log.debug("an index is not warmed up", { why: messageOf(error) });
    }
  }

  async #warm(index: OpenIndex): Promise<void> {
    const { throttle, ask } = this.#options;
    const { signal } = this.#ending;
    for (const query of [...SENTENCES, ...namesIn(index)]) {
      await delay(PAUSE_MS, undefined, { ref: false });
      await throttle.yieldToForeground(signal);
      if (signal.aborted || !isWorthAsking(index)) return;
      await ask(index, query);
    }
    // Hits say how many files import theirs: the first answer would begin to count them, beside the next ones.
    if (index.state === "ready") await index.graph?.whenImportersCounted();
  }

  close(): void {
    this.#ending.abort();
  }
}

function isWorthAsking({ state, lanes, workspace }: OpenIndex): boolean {
  if (state !== "indexing") return state === "ready";
  const { leftMs = 0 } = workspace;
  return leftMs >= MIN_LEFT_MS && (lanes?.size ?? 0) >= MIN_CHUNKS;
}

/** A question costs nothing there and is sent nowhere. */
function isOurs({ settings, embedder, compatibility }: OpenIndex): boolean {
  const isUsable = compatibility.kind === "usable";
  return isUsable && embedder.isLocal && settings["database.url"] === "";
}

function namesIn({ lanes }: OpenIndex): string[] {
  const names: string[] = [];
  for (const name of lanes?.stems() ?? []) {
    if (names.length === MAX_NAMES) break;
    names.push(name);
  }
  return names;
}

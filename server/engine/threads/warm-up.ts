/** Asks an index some questions as soon as there is something to find, so that a user's first one is answered like the hundredth. */

import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { OpenIndex } from "../indexes/open-index.ts";
import type { IndexingThrottle } from "./indexing-throttle.ts";

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
/**
 * Once in a process, while nobody asks: V8 has compiled most of what a search runs by then, for half a second of processor
 * time. First ten questions of a session, p50: flask 9.7 -> 8.9 ms, caddy 11.5 -> 8.7. In a folder of 27 files, all 90
 * instead of the 21 that have a file of their own: first hundred 3.8 -> 3.4 ms, 95 of 100 within 6.8 instead of 9.5.
 */
const MAX_MORE_QUESTIONS = 90;

export interface WarmUpOptions {
  readonly throttle: Pick<IndexingThrottle, "yieldToForeground" | "isForegroundBusy">;
  readonly log: Log;
  /** Searches an index and leaves nothing behind. */
  ask(index: OpenIndex, query: string): Promise<void>;
}

export class WarmUp {
  readonly #options: WarmUpOptions;
  readonly #warmed = new WeakSet<OpenIndex>();
  /** Whether one index was asked so much that another makes no difference to the code. */
  #isCompiled = false;
  readonly #ending = new AbortController();

  constructor(options: WarmUpOptions) {
    this.#options = options;
  }

  /** Once for each index that is opened, and once more for the first that is ready; never rejects. */
  async indexChanged(index: OpenIndex): Promise<void> {
    if (!isWorthAsking(index) || !isOurs(index)) return;
    // There is nothing to compile, and the thread has something to do.
    if (this.#isCompiled && index.state !== "ready") return;
    try {
      if (!this.#warmed.has(index)) {
        this.#warmed.add(index);
        await this.#warm(index);
      }
      if (!this.#isCompiled && index.state === "ready") {
        this.#isCompiled = true;
        await this.#askMore(index);
      }
    } catch (error) {
      this.#options.log.debug("an index is not warmed up", { why: messageOf(error) });
    }
  }

  async #warm(index: OpenIndex): Promise<void> {
    const { throttle, ask } = this.#options;
    const { signal } = this.#ending;
    for (const query of this.#isCompiled ? oneOfEachKind(index) : firstQuestions(index)) {
      await delay(PAUSE_MS, undefined, { ref: false });
      await throttle.yieldToForeground(signal);
      if (signal.aborted || !isWorthAsking(index)) return;
      await ask(index, query);
    }
    // Hits say how many files import theirs: the first answer would begin to count them, beside the next ones.
    if (index.state === "ready") await index.graph?.whenImportersCounted();
  }

  /** Ends where a user asks, whose questions do the same. */
  async #askMore(index: OpenIndex): Promise<void> {
    const { throttle, ask } = this.#options;
    for (const query of moreQuestions(index)) {
      await delay(PAUSE_MS, undefined, { ref: false });
      if (this.#ending.signal.aborted || throttle.isForegroundBusy || !isWorthAsking(index)) return;
      await ask(index, query);
    }
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

function firstQuestions(index: OpenIndex): string[] {
  return [...SENTENCES, ...namesIn(index)];
}

/** Enough where the code is compiled: what an index makes of itself for its first question is made then. */
function oneOfEachKind(index: OpenIndex): string[] {
  return [...SENTENCES.slice(0, 1), ...namesIn(index, 1)];
}

function namesIn({ lanes }: OpenIndex, max = MAX_NAMES): string[] {
  const names: string[] = [];
  for (const name of lanes?.stems() ?? []) {
    if (names.length === max) break;
    names.push(name);
  }
  return names;
}

/** Sentences, each about another file, and then each about every file; every third is the name alone. */
function moreQuestions(index: OpenIndex): string[] {
  const names = namesIn(index, MAX_NAMES + MAX_MORE_QUESTIONS);
  const unasked = names.slice(MAX_NAMES).map((name, i) => (i % 3 === 0 ? name : about(name, i)));
  // A small index has few files, and its code would be compiled while the user asks.
  const again = SENTENCES.flatMap((_, turn) => names.map((name, i) => about(name, i + turn)));
  return [...new Set([...unasked, ...again])].slice(0, MAX_MORE_QUESTIONS);
}

function about(name: string, turn: number): string {
  return `${SENTENCES[turn % SENTENCES.length] ?? ""} ${name}`;
}

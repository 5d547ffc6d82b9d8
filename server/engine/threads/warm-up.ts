/** Asks an index some questions between searches, so that V8 has compiled the search before a user asks the first one. */

import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { OpenIndex } from "../indexes/open-index.ts";
import type { IndexingThrottle } from "./indexing-throttle.ts";

/** Forms of questions; their answers do not matter. */
const FORMS = [
  (name: string) => `where is ${name} read and written`,
  (name: string) => `how are errors of ${name} handled`,
  (name: string) => `what happens when the ${name} of a user is closed or removed again`,
  (name: string) => name,
];
/** The figures are in server/docs/costs.md, "The first questions". */
const MAX_QUESTIONS = 60;
/**
 * V8's default for the budget that programs/engine.ts raises for the first index. From the warm-up on, most functions that run
 * belong to searches, which stay hot.
 */
const INTERRUPT_BUDGET = 67_584;
/** A smaller index answers its first question soon enough. */
const MIN_CHUNKS = 500;
/** Between two questions: a user's question waits for at most one. */
const PAUSE_MS = 20;
/** While a user searches or an index is made. */
const WAIT_MS = 500;

interface WarmUpOptions {
  readonly throttle: Pick<IndexingThrottle, "isForegroundBusy">;
  readonly log: Log;
  /** Searches an index, with no model that the user runs, and remembers no answer. */
  ask(index: OpenIndex, query: string): Promise<void>;
}

/** Once per process, for the first index that is ready and has something to find. */
export class WarmUp {
  readonly #options: WarmUpOptions;
  readonly #ending = new AbortController();
  #hasBegun = false;

  constructor(options: WarmUpOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async indexChanged(index: OpenIndex): Promise<void> {
    if (this.#hasBegun || !isWorthAsking(index)) return;
    this.#hasBegun = true;
    setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
    const { ask, throttle, log } = this.#options;
    const { signal } = this.#ending;
    try {
      for (const query of questionsFor(index)) {
        await delay(PAUSE_MS, undefined, { ref: false });
        while (!signal.aborted && (throttle.isForegroundBusy || index.state === "indexing"))
          await delay(WAIT_MS, undefined, { ref: false });
        if (signal.aborted || !isWorthAsking(index)) return;
        await ask(index, query);
      }
    } catch (error) {
      log.debug("the search was not warmed up", { why: messageOf(error) });
    }
  }

  close(): void {
    this.#ending.abort();
  }
}

/** A question costs nothing there, and no text leaves the process. */
function isWorthAsking({ state, lanes, settings, compatibility }: OpenIndex): boolean {
  const isOurs = settings["embedding.provider"] === "builtin" && settings["database.url"] === "";
  const isUsable = state === "ready" && compatibility.kind === "usable";
  return isOurs && isUsable && (lanes?.size ?? 0) >= MIN_CHUNKS;
}

/** Names of files in turn with the forms. */
function questionsFor({ lanes }: OpenIndex): string[] {
  const names = [...(lanes?.stems() ?? [])].slice(0, MAX_QUESTIONS);
  return names.flatMap((name, i) => FORMS[i % FORMS.length]?.(name) ?? []);
}

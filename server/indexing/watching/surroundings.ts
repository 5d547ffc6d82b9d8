/** What is watched of a workspace besides its own files: HEAD, and the ignore rules around the root. */

import { isSystemError, messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { gitFolder } from "./git-head.ts";
import type { Subscription } from "./watch-folders.ts";
import { type HeadListener, watchHead } from "./watch-head.ts";
import { watchRulesAround } from "./watch-rules-around.ts";

export class Surroundings {
  readonly #root: string;
  readonly #log: Log;
  #rules: Subscription | undefined;
  #head: Subscription | undefined;

  constructor(root: string, log: Log) {
    this.#root = root;
    this.#log = log;
  }

  /** Whether there is a HEAD that is not watched. */
  async isHeadLost(): Promise<boolean> {
    return this.#head === undefined && (await gitFolder(this.#root)) !== undefined;
  }

  async watchRules(changed: () => void): Promise<void> {
    this.#rules = await this.#watch(() => watchRulesAround(this.#root, changed, this.#log));
  }

  async watchHead(listener: HeadListener): Promise<void> {
    this.#head = await this.#watch(() => watchHead(this.#root, listener, this.#log));
  }

  async unsubscribe(): Promise<void> {
    const both = [this.#head, this.#rules];
    await Promise.all(both.map((each) => unsubscribe(each, this.#root, this.#log)));
    [this.#head, this.#rules] = [undefined, undefined];
  }

  async #watch(
    subscribe: () => Subscription | undefined | Promise<Subscription | undefined>,
  ): Promise<Subscription | undefined> {
    try {
      return await subscribe();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      const fields = { root: this.#root, error: messageOf(error) };
      this.#log.warn("HEAD and rules are not watched yet", fields);
      return undefined;
    }
  }
}

/** The system forgets the watches of a folder that is deleted; that they are gone already is no failure. */
export async function unsubscribe(
  subscription: Subscription | undefined,
  root: string,
  log: Log,
): Promise<void> {
  try {
    await subscription?.unsubscribe();
  } catch (error) {
    log.debug("a watch was gone before it was removed", { root, reason: messageOf(error) });
  }
}

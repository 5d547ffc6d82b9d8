/** Watches HEAD and the ignore files outside the root of a workspace. */

import { isSystemError, messageOf } from "../../common/errors.ts";
import { gitFolder } from "../../common/git-head.ts";
import type { Log } from "../../common/log.ts";
import type { Subscription } from "./watch-folders.ts";
import { type HeadListener, watchHead } from "./watch-head.ts";
import { watchOuterRules } from "./watch-outer-rules.ts";

export class Surroundings {
  readonly #root: string;
  readonly #log: Log;
  #rules: Subscription | undefined;
  #head: Subscription | undefined;

  constructor(root: string, log: Log) {
    this.#root = root;
    this.#log = log;
  }

  /** Whether HEAD exists and is not watched. */
  async isHeadLost(): Promise<boolean> {
    return this.#head === undefined && (await gitFolder(this.#root)) !== undefined;
  }

  async watchRules(changed: () => void): Promise<void> {
    this.#rules = await this.#watch(() => watchOuterRules(this.#root, changed, this.#log));
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

/** Ignores errors: the system has already removed the watches of a deleted folder. */
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

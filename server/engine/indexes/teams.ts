/** The team's databases in use. They are only read. */

import { messageOf, Unavailable } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { orAborted } from "../../common/or-aborted.ts";
import { TimeLimitExceeded, withTimeLimit } from "../../common/time-limit.ts";
import { waitAtMost } from "../../common/wait-at-most.ts";
import type { PublishedIndex, TeamDatabase } from "../../contracts/published.ts";

/** Connecting and listing take a tenth of a second; an indexing pass and a search wait no longer than this. */
const ANSWER_TIMEOUT_MS = 5_000;

const CLOSE_TIMEOUT_MS = 1_000;

export interface TeamContents {
  readonly database: TeamDatabase;
  readonly published: readonly PublishedIndex[];
}

export class Teams {
  readonly #log: Log;
  readonly #open = new Map<string, Promise<TeamDatabase>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** The database at a URL with its published indexes, as of now, or why it does not answer; the next call tries again. */
  async read(
    url: string,
    signal?: AbortSignal,
  ): Promise<TeamContents | { readonly failure: string }> {
    try {
      return await withTimeLimit(ANSWER_TIMEOUT_MS, [signal], (limit) =>
        orAborted(this.#read(url), limit),
      );
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Unavailable || error instanceof TimeLimitExceeded)) throw error;
      return { failure: messageOf(error) };
    }
  }

  async close(): Promise<void> {
    const closing = [...this.#open.values()].map(async (opening) => (await opening).close());
    this.#open.clear();
    // A statement that is never answered holds its connection for two minutes; nothing is written there.
    await waitAtMost(CLOSE_TIMEOUT_MS, Promise.allSettled(closing), undefined);
  }

  async #read(url: string): Promise<TeamContents> {
    const database = await this.#get(url);
    return { database, published: await database.listPublished() };
  }

  #get(url: string): Promise<TeamDatabase> {
    const known = this.#open.get(url);
    if (known !== undefined) return known;
    const opening = openDatabase(url, this.#log);
    this.#open.set(url, opening);
    opening.catch(() => this.#open.delete(url));
    return opening;
  }
}

/** Loaded on demand: the driver takes 39 ms to load, and most engines never use it. */
async function openDatabase(url: string, log: Log): Promise<TeamDatabase> {
  const { openTeam } = await import("../../store/team.ts");
  return await openTeam({ url, log });
}

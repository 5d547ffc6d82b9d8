/** Reads the diffs of commits to show, from a cache or from git. */

import { LRUCache } from "lru-cache";
import { waitAtMost } from "../common/wait-at-most.ts";
import type { GitDirectory } from "../contracts/history.ts";
import { DiffPool, type DiffPoolOptions } from "./diff-pool.ts";
import { type DiffHunk, parseDiff } from "./parse-diff.ts";

/** After this time, a query is answered without the diffs that are missing. */
const READ_TIMEOUT_MS = 12_000;
/** A commit that took too long is not tried again within this time. */
const RETRY_AFTER_MS = 300_000;
/** Characters in the cache; a diff longer than `MAX_CACHED_DIFF` is not cached. */
const MAX_CACHE_LENGTH = 4_000_000;
const MAX_CACHED_DIFF = 400_000;

export interface PatchSource {
  readonly directory: GitDirectory;
  /** The shallow boundary decides what its commits changed, as they have no parents. */
  readonly repository: { readonly shallow: string };
}

type Hunks = readonly DiffHunk[];

/** `hunks` is undefined for a commit that took too long. */
interface CachedDiff {
  readonly hunks: Hunks | undefined;
  readonly length: number;
}

/** A diff that is being read, and the number of queries that wait for it. */
interface PendingDiff {
  readonly hunks: Promise<Hunks | undefined>;
  waiters: number;
}

export class PatchReader {
  readonly #limits: Omit<DiffPoolOptions, "directory">;
  readonly #cache = new LRUCache<string, CachedDiff>({
    maxSize: MAX_CACHE_LENGTH,
    sizeCalculation: ({ length }) => length + 1,
  });
  readonly #pending = new Map<string, PendingDiff>();
  #pool: DiffPool | undefined;
  #source = "";

  constructor(limits: Omit<DiffPoolOptions, "directory"> = {}) {
    this.#limits = limits;
  }

  /** Starts git processes ahead of a query. */
  prepare(source: PatchSource): void {
    this.#poolOf(source).prepare();
  }

  /** Hunks by commit hash, with paths relative to the repository. Omits commits that git cannot show in time. */
  async read(
    source: PatchSource,
    shas: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, Hunks>> {
    signal?.throwIfAborted();
    const pool = this.#poolOf(source);
    const found = new Map<string, Hunks>();
    const awaited: PendingDiff[] = [];
    const reads = [...new Set(shas)].map(async (sha) => {
      const cached = this.#cache.get(sha);
      const pending = cached === undefined ? this.#request(pool, sha) : undefined;
      if (pending !== undefined) awaited.push(pending);
      const hunks = pending === undefined ? cached?.hunks : await pending.hunks;
      if (hunks !== undefined) found.set(sha, hunks);
    });
    try {
      await waitAtMost(READ_TIMEOUT_MS, Promise.all(reads), signal);
    } finally {
      for (const pending of awaited) pending.waiters--;
    }
    return found;
  }

  /** Kills the git processes and empties the cache; waiting queries are answered without the missing diffs. */
  close(): void {
    this.#pool?.close();
    this.#pool = undefined;
    this.#source = "";
    this.#pending.clear();
    this.#cache.clear();
  }

  #poolOf({ directory, repository }: PatchSource): DiffPool {
    const source = [directory.git, directory.folder, repository.shallow].join("\n");
    if (this.#pool === undefined || source !== this.#source) {
      this.close();
      this.#source = source;
      this.#pool = new DiffPool({ ...this.#limits, directory });
    }
    return this.#pool;
  }

  /** Joins a pending read of the commit, or starts one. */
  #request(pool: DiffPool, sha: string): PendingDiff {
    const known = this.#pending.get(sha);
    if (known !== undefined) {
      known.waiters++;
      return known;
    }
    const counter = { waiters: 1 };
    const forget = () => {
      if (this.#pending.get(sha) === pending) this.#pending.delete(sha);
    };
    const isWanted = () => {
      if (counter.waiters === 0) forget();
      return counter.waiters > 0;
    };
    const pending: PendingDiff = Object.assign(counter, { hunks: this.#show(pool, sha, isWanted) });
    this.#pending.set(sha, pending);
    void pending.hunks.then(forget);
    return pending;
  }

  async #show(pool: DiffPool, sha: string, isWanted: () => boolean): Promise<Hunks | undefined> {
    const { output, isLate } = await pool.show(sha, isWanted);
    if (pool !== this.#pool) return undefined;
    if (isLate) this.#cache.set(sha, { hunks: undefined, length: 0 }, { ttl: RETRY_AFTER_MS });
    if (output === undefined) return undefined;
    const hunks = parseDiff(output);
    if (output.length <= MAX_CACHED_DIFF) this.#cache.set(sha, { hunks, length: output.length });
    return hunks;
  }
}

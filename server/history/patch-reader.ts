/** Lends what commits changed, as people read it: from memory, else from git. */

import { LRUCache } from "lru-cache";
import { TimeLimitExceeded, withTimeLimit } from "../common/time-limit.ts";
import type { GitDirectory } from "../contracts/history.ts";
import { DiffPool, type DiffPoolOptions } from "./diff-pool.ts";
import { type DiffHunk, parseDiff } from "./parse-diff.ts";

/** A question is then answered without the changes that are missing. */
const QUESTION_MS = 12_000;
/** A commit that took too long is not tried again before. */
const GIVEN_UP_MS = 300_000;
/** In characters; a longer diff is read again each time. */
const MAX_KEPT_LENGTH = 4_000_000;
const MAX_KEPT_DIFF = 400_000;

/** Where the commits are. */
export interface PatchSource {
  readonly directory: GitDirectory;
  /** Where parents are missing decides what a commit changed. */
  readonly repository: { readonly shallow: string };
}

type Hunks = readonly DiffHunk[];

interface Kept {
  readonly hunks: Hunks | undefined;
  readonly length: number;
}

/** A commit that questions wait for. */
interface Wanted {
  readonly hunks: Promise<Hunks | undefined>;
  questions: number;
}

export class PatchReader {
  readonly #limits: Omit<DiffPoolOptions, "directory">;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: MAX_KEPT_LENGTH,
    sizeCalculation: ({ length }) => length + 1,
  });
  readonly #wanted = new Map<string, Wanted>();
  #pool: DiffPool | undefined;
  #source = "";

  constructor(limits: Omit<DiffPoolOptions, "directory"> = {}) {
    this.#limits = limits;
  }

  /** For a question that comes soon. */
  prepare(source: PatchSource): void {
    this.#poolOf(source).prepare();
  }

  /** By hash, paths as the repository has them. A commit that git cannot show, or not in time, is missing. */
  async read(
    source: PatchSource,
    shas: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, Hunks>> {
    signal?.throwIfAborted();
    const pool = this.#poolOf(source);
    const found = new Map<string, Hunks>();
    const waiting: Wanted[] = [];
    const arriving = [...new Set(shas)].map(async (sha) => {
      const kept = this.#kept.get(sha);
      const wanted = kept === undefined ? this.#want(pool, sha) : undefined;
      if (wanted !== undefined) waiting.push(wanted);
      const hunks = wanted === undefined ? kept?.hunks : await wanted.hunks;
      if (hunks !== undefined) found.set(sha, hunks);
    });
    try {
      await inTime(Promise.all(arriving), signal);
    } finally {
      for (const wanted of waiting) wanted.questions--;
    }
    return found;
  }

  /** Ends git and forgets what it showed; questions that wait are answered without it. */
  close(): void {
    this.#pool?.close();
    this.#pool = undefined;
    this.#source = "";
    this.#wanted.clear();
    this.#kept.clear();
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

  #want(pool: DiffPool, sha: string): Wanted {
    const known = this.#wanted.get(sha);
    if (known !== undefined) {
      known.questions++;
      return known;
    }
    const waiting = { questions: 1 };
    const forget = () => {
      if (this.#wanted.get(sha) === wanted) this.#wanted.delete(sha);
    };
    const isWanted = () => {
      if (waiting.questions === 0) forget();
      return waiting.questions > 0;
    };
    const wanted: Wanted = Object.assign(waiting, { hunks: this.#show(pool, sha, isWanted) });
    this.#wanted.set(sha, wanted);
    void wanted.hunks.then(forget);
    return wanted;
  }

  async #show(pool: DiffPool, sha: string, isWanted: () => boolean): Promise<Hunks | undefined> {
    const { output, isLate } = await pool.show(sha, isWanted);
    if (pool !== this.#pool) return undefined;
    if (isLate) this.#kept.set(sha, { hunks: undefined, length: 0 }, { ttl: GIVEN_UP_MS });
    if (output === undefined) return undefined;
    const hunks = parseDiff(output);
    if (output.length <= MAX_KEPT_DIFF) this.#kept.set(sha, { hunks, length: output.length });
    return hunks;
  }
}

/** What has not come when the time is up is left out. */
async function inTime(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  try {
    await withTimeLimit(QUESTION_MS, [signal], (limit) => untilAborted(work, limit));
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
  }
}

async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(() => resolve(), reject);
  });
}

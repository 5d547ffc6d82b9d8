/**
 * Reads the rows of published files while the files are prepared: the next batch is read while one is used, and a database that is
 * slow or fails is asked no more.
 */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, trySystemCall } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { orAborted } from "../common/or-aborted.ts";
import { TimeLimitExceeded, withTimeLimit } from "../common/time-limit.ts";
import type { PublishedFile, PublishedFiles, PublishedSize } from "../contracts/published-file.ts";
import { forEachLimited } from "./concurrency.ts";
import { STATS_AT_ONCE } from "./watching/stat-fingerprint.ts";

/** About 1 MB of rows. Batches start small, so that the first files are searchable soon. */
const BATCH_CHUNKS = 500;
const FIRST_BATCH_CHUNKS = 60;
/** The limit in files, for trees of tiny files. */
const BATCH_FILES = 200;
/** In this time two threads index a few batches from their files. */
const BATCH_TIMEOUT_MS = 5_000;
/** In a row: one late batch may be an accident. */
const MAX_LATE_BATCHES = 2;
/** For the list of all files, about 100 bytes each. */
const LIST_TIMEOUT_MS = 10_000;
/** A wrong index has thousands of wrong files. */
const MAX_LOGGED_REFUSALS = 5;

interface Batch {
  readonly paths: string[];
  /** Files whose rows were not asked for yet. */
  left: number;
  reading?: Promise<Map<string, PublishedFile>>;
}

export class PublishedRows {
  readonly origin: PublishedFiles["origin"];
  readonly #files: PublishedFiles;
  readonly #log: Log;
  readonly #batches: Batch[] = [];
  readonly #batchOf = new Map<string, number>();
  #late = 0;
  #taken = 0;
  #refused = 0;
  #failure: string | undefined;

  constructor(files: PublishedFiles, log: Log) {
    this.#files = files;
    this.#log = log;
    this.origin = files.origin;
  }

  /** The number of files whose rows were used. */
  get taken(): number {
    return this.#taken;
  }

  /** The number of files whose rows differ from the local file. */
  get refused(): number {
    return this.#refused;
  }

  /** Why the database is asked no more, for the user. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /**
   * Plans the reading of rows: of each file that has the size of the published one. The worker thread that reads a file
   * compares its hash, so that a file is read once. `paths` is the order of the later calls.
   */
  async compare(root: string, paths: readonly string[], signal: AbortSignal): Promise<void> {
    const sizes = await this.#ask(LIST_TIMEOUT_MS, () => this.#files.sizes(), signal);
    if (sizes === undefined) {
      this.#failure ??= `it sent no list of files within ${LIST_TIMEOUT_MS / 1000} s`;
      return;
    }
    const equal = new Set<string>();
    const known = paths.filter((path) => sizes.has(path));
    await forEachLimited(known, STATS_AT_ONCE, async (path) => {
      signal.throwIfAborted();
      const found = await trySystemCall(() => stat(join(root, path)));
      if (found?.size === sizes.get(path)?.size) equal.add(path);
    });
    this.#plan(
      known.filter((path) => equal.has(path)),
      sizes,
    );
  }

  #plan(paths: readonly string[], sizes: ReadonlyMap<string, PublishedSize>): void {
    let [batch, chunks, limit]: [Batch | undefined, number, number] = [
      undefined,
      0,
      FIRST_BATCH_CHUNKS,
    ];
    for (const path of paths) {
      const size = sizes.get(path)?.chunks ?? 0;
      if (batch === undefined || chunks + size > limit || batch.paths.length === BATCH_FILES) {
        if (batch !== undefined) limit = Math.min(BATCH_CHUNKS, 2 * limit);
        [batch, chunks] = [{ paths: [], left: 0 }, 0];
        this.#batches.push(batch);
      }
      batch.paths.push(path);
      batch.left++;
      chunks += size;
      this.#batchOf.set(path, this.#batches.length - 1);
    }
  }

  /** The rows of a file; undefined if it is not published with its size, or its rows did not come in time. */
  async of(path: string, signal: AbortSignal): Promise<PublishedFile | undefined> {
    const number = this.#batchOf.get(path);
    const batch = number === undefined ? undefined : this.#batches[number];
    if (number === undefined || batch === undefined) return undefined;
    this.#batchOf.delete(path);
    const rows = await this.#read(batch, signal);
    // Not before this batch is here: both would share the connection, and this one would be late.
    const next = this.#batches[number + 1];
    if (next !== undefined) void this.#read(next, signal);
    const file = rows.get(path);
    rows.delete(path);
    batch.left--;
    if (batch.left === 0) delete batch.reading;
    return file;
  }

  /** Notes what became of the rows of a file. */
  note(path: string, refusal: string | undefined): void {
    if (refusal === undefined) {
      this.#taken++;
      return;
    }
    this.#refused++;
    if (this.#refused > MAX_LOGGED_REFUSALS) return;
    const { repository } = this.origin;
    this.#log.warn("rows of a published file are refused", { repository, path, reason: refusal });
  }

  /** Empty after a failure; rows that were read before it are used. */
  async #read(batch: Batch, signal: AbortSignal): Promise<Map<string, PublishedFile>> {
    if (batch.reading === undefined && this.#failure !== undefined) return new Map();
    batch.reading ??= this.#ask(BATCH_TIMEOUT_MS, () => this.#files.read(batch.paths), signal).then(
      (files = []) => new Map(files.map((file) => [file.path, file])),
      // The pass ends with the reason of the signal.
      () => new Map(),
    );
    return await batch.reading;
  }

  /** Undefined after a failure. */
  async #ask<T>(ms: number, run: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    try {
      const answer = await withTimeLimit(ms, [signal], (limit) => orAborted(run(), limit));
      this.#late = 0;
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TimeLimitExceeded && ++this.#late < MAX_LATE_BATCHES) return undefined;
      this.#failure ??= messageOf(error);
      return undefined;
    }
  }
}

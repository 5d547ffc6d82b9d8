/**
 * Reads the rows of published files and has them compared with the files, a batch at a time: the next batch is read while one is used,
 * and a database that is slow or fails is asked no more.
 */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, trySystemCall } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { orAborted } from "../common/or-aborted.ts";
import { SerialQueue } from "../common/serial-queue.ts";
import { TimeLimitExceeded, withTimeLimit } from "../common/time-limit.ts";
import type { PreparedFile } from "../contracts/model.ts";
import type {
  ComparedFile,
  PublishedFile,
  PublishedFiles,
  PublishedSize,
  TakeResult,
} from "../contracts/published-file.ts";
import { forEachLimited } from "./concurrency.ts";
import { areVectors, fileOf } from "./published-file.ts";
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
  reading?: Promise<Map<string, PreparedFile>>;
}

/** Compares rows with their files, on a thread. A result per file. */
export type Take = (
  files: readonly ComparedFile[],
  signal: AbortSignal,
) => Promise<readonly TakeResult[]>;

export class PublishedRows {
  readonly origin: PublishedFiles["origin"];
  readonly #files: PublishedFiles;
  readonly #log: Log;
  readonly #batches: Batch[] = [];
  readonly #batchOf = new Map<string, number>();
  /** One batch at a time: a second thread takes longer to start than to compare all rows of a small repository. */
  readonly #turns = new SerialQueue();
  #take: Take | undefined;
  #areTermsNoted = false;
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
   * Plans the reading of rows: of each file that has the size of the published one. The worker thread that compares the rows
   * also compares the hash, so that a file is read once. `paths` is the order of the later calls.
   */
  async compare(
    root: string,
    paths: readonly string[],
    take: Take,
    signal: AbortSignal,
  ): Promise<void> {
    this.#take = take;
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

  /**
   * The prepared file of sound rows. Undefined if the file has another content than the published one or its rows are wrong or
   * did not come in time: it is to be prepared here.
   */
  async of(path: string, signal: AbortSignal): Promise<PreparedFile | undefined> {
    const number = this.#batchOf.get(path);
    const batch = number === undefined ? undefined : this.#batches[number];
    if (number === undefined || batch === undefined) return undefined;
    this.#batchOf.delete(path);
    const files = await this.#read(batch, signal);
    // Not before this batch is here: both would share the connection, and this one would be late.
    const next = this.#batches[number + 1];
    if (next !== undefined && next.left > 0) void this.#read(next, signal);
    const file = files.get(path);
    files.delete(path);
    batch.left--;
    if (batch.left === 0) delete batch.reading;
    return file;
  }

  #refuse(path: string, reason: string): void {
    this.#refused++;
    if (this.#refused > MAX_LOGGED_REFUSALS) return;
    const { repository } = this.origin;
    this.#log.warn("rows of a published file are refused", { repository, path, reason });
  }

  /** Empty after a failure; rows that were read before it are used. */
  async #read(batch: Batch, signal: AbortSignal): Promise<Map<string, PreparedFile>> {
    if (batch.reading === undefined && this.#failure !== undefined) return new Map();
    batch.reading ??= this.#ask(BATCH_TIMEOUT_MS, () => this.#files.read(batch.paths), signal)
      .then((files = []) => this.#compared(files, signal))
      // The pass ends with the reason of the signal.
      .catch(() => new Map());
    return await batch.reading;
  }

  async #compared(
    files: readonly PublishedFile[],
    signal: AbortSignal,
  ): Promise<Map<string, PreparedFile>> {
    const results = await this.#takeAll(files, signal);
    const taken = new Map<string, PreparedFile>();
    for (const [i, file] of files.entries()) {
      const result = results[i];
      if (result?.kind === "refused") this.#refuse(file.path, result.reason);
      if (result?.kind !== "taken") continue;
      const { texts, areTermsRefused } = result.found;
      const { vectors } = file;
      if (vectors !== undefined && !areVectors(vectors, texts.length, this.#files.dimension)) {
        this.#refuse(file.path, "its vectors");
        continue;
      }
      if (areTermsRefused) this.#noteTerms(file.path);
      this.#taken++;
      taken.set(file.path, fileOf(file, result.found));
    }
    return taken;
  }

  /** No result after a failure of the thread. */
  async #takeAll(
    files: readonly PublishedFile[],
    signal: AbortSignal,
  ): Promise<readonly TakeResult[]> {
    const take = this.#take;
    if (files.length === 0 || take === undefined) return [];
    const compared = files.map(({ vectors, ...file }) => ({
      ...file,
      hasVectors: vectors !== undefined,
    }));
    try {
      return await this.#turns.run(() => take(compared, signal));
    } catch (error) {
      signal.throwIfAborted();
      const { repository } = this.origin;
      this.#log.warn("published rows cannot be compared", { repository, error: messageOf(error) });
      return [];
    }
  }

  /** Counts of words decide only where a file comes among the hits, so its other rows are used. */
  #noteTerms(path: string): void {
    if (this.#areTermsNoted) return;
    this.#areTermsNoted = true;
    const { repository } = this.origin;
    this.#log.warn("words of a published file are counted again", { repository, path });
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

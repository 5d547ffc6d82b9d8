/** The interface of the worker threads for the indexer. A job reads, chunks and describes a file, and embeds it with the built-in model. */

import type { ChunkStrategy, PreparedFile, UserGrammar } from "./model.ts";
import type { TakeJob, TakeResult } from "./published-file.ts";

export interface PrepareJob {
  readonly root: string;
  readonly path: string;
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  readonly chunkStrategy?: ChunkStrategy;
  /** The grammars of the user, which take precedence. */
  readonly grammars?: readonly UserGrammar[];
  readonly maxFileBytes: number;
  /** The stored hash. A file with the same hash is not processed further. */
  readonly knownSha256?: string;
  /** Whether the built-in model embeds in the worker. */
  readonly embed: boolean;
  /** The unsaved text of an open buffer, used instead of the file on disk. */
  readonly text?: string;
  /** The reason to chunk the file without parsing it, because its parser hung or crashed before. Stored as the parse error. */
  readonly unparsed?: string;
}

/** A job with the shared memory that measures its processor time (`JobMeter`). */
export type Metered<Job> = Job & { readonly meter?: SharedArrayBuffer };

/** The result of a job. */
export type PrepareResult =
  | { readonly kind: "prepared"; readonly file: PreparedFile }
  | { readonly kind: "unchanged"; readonly statFingerprint?: string }
  /** With a fingerprint if the rule depends on the content only. */
  | { readonly kind: "excluded"; readonly rule: string; readonly statFingerprint?: string }
  | { readonly kind: "gone" }
  /** The file exists and could not be read. Its stored chunks are kept. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** The pool of worker threads. */
export interface Preparer {
  /** The number of concurrent jobs that keeps all workers busy. */
  readonly concurrency: number;
  /** Whether workers have jobs, so that another job may wait. */
  readonly isBusy: boolean;
  prepare(job: PrepareJob, signal?: AbortSignal): Promise<PrepareResult>;
  /** Compares published rows with their files. A result per file, in the same order. */
  take(job: TakeJob, signal?: AbortSignal): Promise<readonly TakeResult[]>;
}

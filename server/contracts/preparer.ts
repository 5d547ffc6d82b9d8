/** What the worker threads offer the indexer: one file read, cut, described and, with the built-in model, embedded. */

import type { ChunkStrategy, PreparedFile, UserGrammar } from "./model.ts";

export interface PrepareJob {
  readonly root: string;
  readonly path: string;
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  readonly chunkStrategy?: ChunkStrategy;
  /** Grammars of the user; they come before ours. */
  readonly grammars?: readonly UserGrammar[];
  readonly maxFileBytes: number;
  /** The stored hash: a file that still has it is not read further. */
  readonly knownSha256?: string;
  /** Whether the built-in model embeds in the worker. */
  readonly embed: boolean;
  /** What an editor has not saved, in place of what is on disk. */
  readonly text?: string;
  /** Cut the file without parsing it: its parser hung or broke before. The reason is kept as the parse error. */
  readonly unparsed?: string;
}

/** A job as it is sent to a thread: with the memory by which its processor time is counted (`JobMeter`). */
export type Metered<Job> = Job & { readonly meter?: SharedArrayBuffer };

/** What a worker thread answers about one file. */
export type PrepareResult =
  | { readonly kind: "prepared"; readonly file: PreparedFile }
  | { readonly kind: "unchanged"; readonly statFingerprint?: string }
  /** With a fingerprint where the rule depends on nothing but what was read. */
  | { readonly kind: "excluded"; readonly rule: string; readonly statFingerprint?: string }
  | { readonly kind: "gone" }
  /** It is there and could not be read this time; what is stored of it is kept. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** The worker threads, as the indexer sees them. */
export interface Preparer {
  /** How many jobs keep the workers busy while one waits for each. */
  readonly concurrency: number;
  /** Whether workers have jobs now, so that another one may wait. */
  readonly isBusy: boolean;
  prepare(job: PrepareJob, signal?: AbortSignal): Promise<PrepareResult>;
}

/** Prepares a file with fallbacks: without its parser if that hangs or crashes, and excluded if chunking hangs, too. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, trySystemCall, Unavailable } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { TimeLimitExceeded } from "../../common/time-limit.ts";
import { CUT_TIMEOUT, PARSE_TIMEOUT } from "../../contracts/model.ts";
import type { PrepareJob, PrepareResult } from "../../contracts/preparer.ts";
import { statFingerprint } from "../../indexing/watching/stat-fingerprint.ts";

interface Options {
  /** Rejects with `TimeLimitExceeded` after `limitMs` of processor time, and with Unavailable if no thread can start. */
  readonly prepare: (job: PrepareJob, signal: AbortSignal | undefined) => Promise<PrepareResult>;
  readonly limitMs: number;
  /** Whether the threads have ended; a failure then says nothing about the file. */
  readonly isClosed: () => boolean;
  readonly log: Log;
}

export async function prepareWithFallback(
  { prepare, limitMs, isClosed, log }: Options,
  job: PrepareJob,
  signal: AbortSignal | undefined,
): Promise<PrepareResult> {
  const { path } = job;
  const limit = `${limitMs / 1000} s`;
  let failure: unknown;
  try {
    return await prepare(job, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (isClosed() || error instanceof Unavailable) throw error;
    failure = error;
  }
  log.warn("a file is chunked without its parser", { path, error: messageOf(failure) });
  // After a timeout, a later pass tries the file again.
  const unparsed =
    failure instanceof TimeLimitExceeded ? `${PARSE_TIMEOUT} ${limit}` : messageOf(failure);
  // Taken before the file is read, so that a later write changes the fingerprint.
  const recognized = await recognizedBy(job);
  try {
    return await prepare({ ...job, unparsed }, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (isClosed() || !(error instanceof TimeLimitExceeded)) throw error;
    log.warn("a file is excluded", { path, error: messageOf(error) });
    return { kind: "excluded", rule: `${CUT_TIMEOUT} ${limit}`, ...recognized };
  }
}

/** The fingerprint of the excluded file, so that the next passes skip it; some later passes try it again (`StoredFiles`). */
async function recognizedBy({
  root,
  path,
  text,
}: PrepareJob): Promise<{ readonly statFingerprint?: string }> {
  if (text !== undefined) return {};
  const found = await trySystemCall(() => stat(join(root, path), { bigint: true }));
  const fingerprint = found && statFingerprint(found, Date.now());
  return fingerprint === undefined ? {} : { statFingerprint: fingerprint };
}

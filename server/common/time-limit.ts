/** Runs work with a time limit, in addition to other abort signals. */

export class TimeLimitExceeded extends Error {}

export interface TimeLimit {
  readonly ms: number;
  /**
   * Called when the time is up. Returns the remaining time by another measure, such as processor time; 0 ends the work.
   */
  readonly leftMs?: () => number;
}

/**
 * Calls `run` with a signal that aborts with any of the given signals, or when the time limit is exceeded. The limit
 * starts when `begins` resolves. Rejects with `TimeLimitExceeded` after the limit.
 *
 * Used in place of `AbortSignal.any([signal, AbortSignal.timeout(ms)])`: Node 20 garbage-collects a timeout signal that
 * only a combined signal refers to, and then it never fires.
 */
export async function withTimeLimit<T>(
  limit: number | TimeLimit,
  others: readonly (AbortSignal | undefined)[],
  run: (signal: AbortSignal) => Promise<T>,
  begins: Promise<void> = Promise.resolve(),
): Promise<T> {
  const ending = new AbortController();
  let late: TimeLimitExceeded | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const { ms, leftMs = () => 0 }: TimeLimit = typeof limit === "number" ? { ms: limit } : limit;
  const wait = (forMs: number) => {
    timer = setTimeout(() => {
      const left = leftMs();
      if (left > 0) return wait(left);
      late = new TimeLimitExceeded(`it took longer than ${ms / 1000} s`);
      ending.abort(late);
    }, forMs);
  };
  void begins.then(() => {
    if (!hasEnded) wait(ms);
  });
  const signals = others.filter((each) => each !== undefined);
  const end = () => ending.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener("abort", end);
  if (signals.some(({ aborted }) => aborted)) end();
  try {
    return await run(ending.signal);
  } catch (error) {
    throw late !== undefined && ending.signal.reason === late ? late : error;
  } finally {
    hasEnded = true;
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", end);
  }
}

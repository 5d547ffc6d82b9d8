/** Work with a time limit, beside other reasons to end it. */

export class TimeLimitExceeded extends Error {}

export interface TimeLimit {
  readonly ms: number;
  /** Asked when the time is up: how much is left by another measure than the clock; nothing where it is not positive. */
  readonly leftMs?: () => number;
}

/**
 * The signal aborts with any of the others, or when the time is up, which begins with `begins`; then it rejects with an
 * error that says so.
 *
 * In place of `AbortSignal.any([signal, AbortSignal.timeout(ms)])`: Node 20 collects a timeout that only such a
 * signal refers to, and then it never comes.
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

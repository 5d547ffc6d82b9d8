/** Estimates the remaining time of work from its recent pace, with exponential smoothing. */

interface Sample {
  readonly done: number;
  readonly atMs: number;
}

/** The progress of one piece of work in a sliding window. */
export interface Pace {
  /** Samples within the window, oldest first. */
  readonly samples: readonly Sample[];
  /** The estimate. Undefined until enough samples exist. */
  readonly leftMs?: number;
}

/** The window: long enough to average over files of different sizes, short enough to follow changes. */
const WINDOW_MS = 20_000;
/** The first estimate comes after this time. Before it, caches fill and threads start. */
const KNOWN_AFTER_MS = 3_000;
const SAMPLE_EVERY_MS = 250;
/** The time constant of the exponential smoothing, so that the displayed time does not jump. */
const SMOOTH_MS = 8_000;
/** A larger share of the total within one sample is not work: unchanged files were skipped. */
const MAX_SHARE_PER_SAMPLE = 0.1;

/** Adds a sample: `done` of `total` at a time of a monotonic clock. `before` is undefined at the start. */
export function advance(before: Pace | undefined, done: number, total: number, atMs: number): Pace {
  const last = before?.samples.at(-1);
  // Exclude the time before the first file, which was spent on discovery and on starting threads.
  if (before === undefined || last === undefined || last.done === 0 || done < last.done) {
    return { samples: [{ done, atMs }] };
  }
  const sinceMs = atMs - last.atMs;
  if (sinceMs < SAMPLE_EVERY_MS && done - last.done <= MAX_SHARE_PER_SAMPLE * total) return before;
  if (sinceMs < SAMPLE_EVERY_MS * 4 && done - last.done > MAX_SHARE_PER_SAMPLE * total) {
    return { ...before, samples: [{ done, atMs }] };
  }
  const samples = [...before.samples, { done, atMs }].filter(
    (sample) => atMs - sample.atMs <= WINDOW_MS,
  );
  const [first = last] = samples;
  const knownMs = atMs - first.atMs;
  if (knownMs < KNOWN_AFTER_MS || done === first.done) return { ...before, samples };
  const measuredMs = ((total - done) * knownMs) / (done - first.done);
  if (before.leftMs === undefined) return { samples, leftMs: measuredMs };
  const expectedMs = Math.max(0, before.leftMs - sinceMs);
  const share = 1 - Math.exp(-sinceMs / SMOOTH_MS);
  return { samples, leftMs: expectedMs + (measuredMs - expectedMs) * share };
}

/** Formats as `about 40 s left`, rounded to the precision of the estimate. */
export function formatRemainingTime(leftMs: number): string {
  const seconds = leftMs / 1000;
  if (seconds < 5) return "a few seconds left";
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`;
}

/** Estimates the remaining time of work from its recent pace. */

interface Sample {
  readonly done: number;
  readonly atMs: number;
}

/** What is known of the pace of one piece of work. */
export interface Pace {
  /** Of the last seconds, oldest first. */
  readonly samples: readonly Sample[];
  /** Undefined until it is known well enough. */
  readonly leftMs?: number;
}

/** Files differ in size and language: a window of this length averages over them and still follows changes. */
const WINDOW_MS = 20_000;
/** Less says little: caches fill and threads start. */
const KNOWN_AFTER_MS = 3_000;
const SAMPLE_EVERY_MS = 250;
/** What is shown follows what was measured this slowly, so that it does not jump. */
const SMOOTH_MS = 8_000;
/** A leap of so large a share within one sample is no work: what had not changed was passed over. */
const LEAP = 0.1;

/** `done` of `total` at a moment of a clock that only goes forward; `before` is undefined at the start. */
export function advance(before: Pace | undefined, done: number, total: number, atMs: number): Pace {
  const last = before?.samples.at(-1);
  // The time before the first file went into finding the files and starting threads.
  if (before === undefined || last === undefined || last.done === 0 || done < last.done) {
    return { samples: [{ done, atMs }] };
  }
  const sinceMs = atMs - last.atMs;
  if (sinceMs < SAMPLE_EVERY_MS && done - last.done <= LEAP * total) return before;
  if (sinceMs < SAMPLE_EVERY_MS * 4 && done - last.done > LEAP * total) {
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

/** `about 40 s left`, as exactly as it is known. */
export function formatRemainingTime(leftMs: number): string {
  const seconds = leftMs / 1000;
  if (seconds < 5) return "a few seconds left";
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`;
}

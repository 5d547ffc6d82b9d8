/** Limits repeated warnings in a log, so that one message does not hide the others. */

import type { Fields, Level, Log } from "./log.ts";

/** The maximum number of warnings and errors with the same message per period. */
export const MAX_REPEATS = 50;
const PERIOD_MS = 60_000;

interface Repeats {
  readonly since: number;
  count: number;
}

/** Wraps a log: at most `MAX_REPEATS` warnings and errors per message and minute, then their number. */
export function limitRepeats(log: Log, now: () => number = () => performance.now()): Log {
  return { ...log, warn: limited("warn", log, now), error: limited("error", log, now) };
}

function limited(level: Level, log: Log, now: () => number) {
  const seen = new Map<string, Repeats>();
  return (message: string, fields?: Fields): void => {
    const known = seen.get(message);
    if (known !== undefined && now() - known.since < PERIOD_MS) {
      known.count++;
      if (known.count === MAX_REPEATS + 1) {
        log[level]("further entries with this message are dropped for a minute", {
          entry: message,
        });
      }
      if (known.count > MAX_REPEATS) return;
    } else {
      const dropped = (known?.count ?? 0) - MAX_REPEATS;
      if (dropped > 0) log[level]("entries were dropped", { entry: message, dropped });
      seen.set(message, { since: now(), count: 1 });
    }
    log[level](message, fields);
  };
}

/** Collects what changed until nothing was added for a moment, or the oldest has waited long enough. */

/** Long enough for an editor's save (write, rename, chmod) to be one batch, short enough not to be noticed. */
const QUIET_MS = 50;
/** A stream of changes without a pause is reported at least this often. */
const LATEST_MS = 500;

export interface Batch {
  add(path: string): void;
  dispose(): void;
}

export function createBatch(send: (paths: readonly string[]) => void): Batch {
  let paths = new Set<string>();
  let quiet: NodeJS.Timeout | undefined;
  let latest: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(quiet);
    clearTimeout(latest);
    latest = undefined;
  };
  const flush = () => {
    stop();
    const sent = [...paths];
    paths = new Set();
    send(sent);
  };
  return {
    add: (path) => {
      paths.add(path);
      clearTimeout(quiet);
      quiet = setTimeout(flush, QUIET_MS);
      latest ??= setTimeout(flush, LATEST_MS);
    },
    dispose: stop,
  };
}

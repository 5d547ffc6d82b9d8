/** Polls a workspace for changes if the system cannot watch it. */

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stackOf, trySystemCall } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { discover } from "../discovery/discover.ts";
import type { IgnoreRules } from "../ignore/ignore-rules.ts";

/** Polls until the signal aborts. Reports paths that were created, changed or deleted since the previous poll. */
export async function poll(
  root: string,
  rules: IgnoreRules,
  report: (paths: readonly string[]) => void,
  { everyMs, signal, log }: { everyMs: number; signal: AbortSignal; log: Log },
): Promise<void> {
  let before: ReadonlyMap<string, string> | undefined;
  while (!signal.aborted) {
    try {
      const now = await statFingerprints(root, rules, signal);
      const changed = before === undefined ? [] : differences(before, now);
      before = now;
      if (changed.length > 0) report(changed);
      await delay(everyMs, undefined, { signal, ref: false });
    } catch (error) {
      if (signal.aborted) return;
      log.warn("polling failed", { root, error: stackOf(error) });
      await delay(everyMs, undefined, { ref: false });
    }
  }
}

/** A fingerprint by path that changes when the file is written or replaced. */
async function statFingerprints(
  root: string,
  rules: IgnoreRules,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const { path } of discover(root, rules, { signal })) {
    const file = await trySystemCall(() => lstat(join(root, path)));
    // Undefined if it was deleted since it was listed.
    if (file !== undefined) found.set(path, `${file.mtimeMs} ${file.size} ${file.ino}`);
  }
  return found;
}

function differences(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): string[] {
  const changed = [...now].filter(
    ([path, statFingerprint]) => before.get(path) !== statFingerprint,
  );
  const gone = [...before.keys()].filter((path) => !now.has(path));
  return [...changed.map(([path]) => path), ...gone];
}

/** The last line of defense against lost events: from time to time what is stored is compared with what is on disk. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stackOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { discover } from "../discovery/discover.ts";
import type { IgnoreRules } from "../ignore/ignore-rules.ts";
import type { StoredFiles } from "../stored-files.ts";
import { fingerprintOf } from "./stat-fingerprint.ts";

/** The next look comes after this many times the processor time of the last one: .04 % of one core. */
const REST_PER_LOOK = 2_500;
const MIN_REST_MS = 60_000;
/** A look costs no more than this for each file; what the process has used besides is other work. */
const MAX_MS_PER_FILE = 0.1;
/** What changed a moment ago is about to be told by an event; what still differs after this was missed. */
const CONFIRM_MS = 3_000;

export interface ReconcilerOptions {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly log: Log;
  /** What is stored, while nothing is being indexed; undefined at other times. */
  idleFiles(): StoredFiles | undefined;
  /** Whether a rule about its content keeps the file out. */
  isExcluded(path: string): boolean;
  /** Files of which no event told that they came, changed or went. */
  missed(paths: readonly string[]): void;
  readonly confirmMs?: number;
}

export class Reconciler {
  readonly #options: ReconcilerOptions;
  /** Of files that are not stored, or stored without a fingerprint: what they were at the last look. */
  #seen = new Map<string, string>();
  /** How many there were at the last look. */
  #files = 0;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /** Looks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { root, log } = this.#options;
    let restMs = MIN_REST_MS;
    while (!signal.aborted) {
      try {
        await delay(restMs, undefined, { signal, ref: false });
        const before = process.cpuUsage();
        await this.look(signal);
        const { user, system } = process.cpuUsage(before);
        const costMs = Math.min((user + system) / 1000, this.#files * MAX_MS_PER_FILE);
        restMs = Math.max(MIN_REST_MS, costMs * REST_PER_LOOK);
      } catch (error) {
        if (signal.aborted) return;
        log.debug("looking for missed changes failed", { root, error: stackOf(error) });
      }
    }
  }

  /** One look. What differs twice, some seconds apart, was missed. */
  async look(signal: AbortSignal): Promise<void> {
    const { idleFiles, missed, confirmMs = CONFIRM_MS } = this.#options;
    let { different, seen } = await this.#compare(signal);
    if (different.size > 0) {
      await delay(confirmMs, undefined, { signal, ref: false });
      const first = different;
      ({ different, seen } = await this.#compare(signal));
      const paths = [...different].filter((path) => first.has(path));
      if (paths.length > 0 && idleFiles() !== undefined) missed(paths);
    }
    this.#seen = seen;
  }

  async #compare(
    signal: AbortSignal,
  ): Promise<{ different: Set<string>; seen: Map<string, string> }> {
    const { root, rules, idleFiles, isExcluded } = this.#options;
    const different = new Set<string>();
    const seen = new Map<string, string>();
    const files = idleFiles();
    if (files === undefined) return { different, seen: this.#seen };
    // What a pass has read since then may rightly be another file.
    for (const path of files.takeRead()) this.#seen.delete(path);
    const found = new Set<string>();
    for await (const { path } of discover(root, rules, { signal })) {
      found.add(path);
      const now = await currentFingerprint(join(root, path));
      const stored = files.fingerprint(path);
      if (now === undefined || stored === now) continue;
      seen.set(path, now);
      const isRemembered = stored === undefined && (files.has(path) || isExcluded(path));
      const before = this.#seen.get(path) ?? now;
      if (!isRemembered || before !== now) different.add(path);
    }
    for (const path of files.paths()) if (!found.has(path)) different.add(path);
    this.#files = found.size;
    return { different, seen };
  }
}

async function currentFingerprint(file: string): Promise<string | undefined> {
  try {
    return fingerprintOf(await stat(file, { bigint: true }));
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

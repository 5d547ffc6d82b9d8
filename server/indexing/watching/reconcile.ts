/** Reconciles the index with the disk from time to time, in case the watcher lost events. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stackOf, trySystemCall } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { discover } from "../discovery/discover.ts";
import type { IgnoreRules } from "../ignore/ignore-rules.ts";
import type { StoredFiles } from "../stored-files.ts";
import { fingerprintOf } from "./stat-fingerprint.ts";

/** The delay is this many times the CPU time of the last scan: 0.04 % of one core. */
const DELAY_PER_SCAN = 2_500;
const MIN_DELAY_MS = 60_000;
/** Upper bound of a scan's CPU time per file; the process does other work at the same time. */
const MAX_MS_PER_FILE = 0.1;
/** A difference must persist this long, because the event of a recent change may still arrive. */
const CONFIRM_MS = 3_000;

interface ReconcilerOptions {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly log: Log;
  /** The stored files; undefined while files are being indexed. */
  idleFiles(): StoredFiles | undefined;
  /** Whether the file is excluded for its content. */
  isExcluded(path: string): boolean;
  /** Called with files that were created, changed or deleted without an event. */
  missed(paths: readonly string[]): void;
  /** Called with files that have no stored fingerprint, because they were read right after a change; they are read again. */
  unproven(paths: readonly string[]): void;
  readonly confirmMs?: number;
}

interface Comparison {
  readonly different: ReadonlySet<string>;
  /** Files without a stored fingerprint, with their current one. */
  readonly unproven: ReadonlyMap<string, string>;
}

export class Reconciler {
  readonly #options: ReconcilerOptions;
  /** The fingerprints at the last report of unproven files. */
  #unproven: ReadonlyMap<string, string> = new Map();
  /** The number of files at the last scan. */
  #files = 0;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /** Scans repeatedly until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { root, log } = this.#options;
    let delayMs = MIN_DELAY_MS;
    while (!signal.aborted) {
      try {
        await delay(delayMs, undefined, { signal, ref: false });
        const before = process.cpuUsage();
        await this.scan(signal);
        const { user, system } = process.cpuUsage(before);
        const costMs = Math.min((user + system) / 1000, this.#files * MAX_MS_PER_FILE);
        delayMs = Math.max(MIN_DELAY_MS, costMs * DELAY_PER_SCAN);
      } catch (error) {
        if (signal.aborted) return;
        log.debug("reconciliation failed", { root, error: stackOf(error) });
      }
    }
  }

  /** Scans once. A file that differs in two comparisons, some seconds apart, was missed. */
  async scan(signal: AbortSignal): Promise<void> {
    const { rules, idleFiles, missed, unproven, confirmMs = CONFIRM_MS } = this.#options;
    if (idleFiles() !== undefined) rules.refresh();
    const first = await this.#compare(signal);
    const reported = this.#unproven;
    this.#unproven = first.unproven;
    const isNew = ([path, now]: readonly [string, string]) => reported.get(path) !== now;
    const toRead = [...first.unproven].filter(isNew).map(([path]) => path);
    if (toRead.length > 0) unproven(toRead);
    if (first.different.size === 0) return;
    await delay(confirmMs, undefined, { signal, ref: false });
    const { different } = await this.#compare(signal);
    const paths = [...different].filter((path) => first.different.has(path));
    if (paths.length > 0 && idleFiles() !== undefined) missed(paths);
  }

  async #compare(signal: AbortSignal): Promise<Comparison> {
    const { root, rules, idleFiles, isExcluded } = this.#options;
    const different = new Set<string>();
    const unproven = new Map<string, string>();
    const files = idleFiles();
    if (files === undefined) return { different, unproven: this.#unproven };
    const found = new Set<string>();
    for await (const { path } of discover(root, rules, { signal })) {
      found.add(path);
      const now = await currentFingerprint(join(root, path));
      const stored = files.fingerprint(path);
      if (now === undefined || stored === now) continue;
      if (stored === undefined && (files.has(path) || isExcluded(path))) unproven.set(path, now);
      else different.add(path);
    }
    for (const path of files.paths()) if (!found.has(path)) different.add(path);
    this.#files = found.size;
    return { different, unproven };
  }
}

async function currentFingerprint(file: string): Promise<string | undefined> {
  const found = await trySystemCall(() => stat(file, { bigint: true }));
  return found && fingerprintOf(found);
}

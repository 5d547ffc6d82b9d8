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
  /** Files that were read when they were too young to be recognized: they may have changed since, and are to be read. */
  unproven(paths: readonly string[]): void;
  readonly confirmMs?: number;
}

interface Comparison {
  readonly different: ReadonlySet<string>;
  /** With what they are now. */
  readonly unproven: ReadonlyMap<string, string>;
}

export class Reconciler {
  readonly #options: ReconcilerOptions;
  /** What files without a stored fingerprint were when they were last said to be unproven. */
  #unproven: ReadonlyMap<string, string> = new Map();
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
    const { rules, idleFiles, missed, unproven, confirmMs = CONFIRM_MS } = this.#options;
    if (idleFiles() !== undefined) rules.refresh();
    const first = await this.#compare(signal);
    const told = this.#unproven;
    this.#unproven = first.unproven;
    const isNew = ([path, now]: readonly [string, string]) => told.get(path) !== now;
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
  try {
    return fingerprintOf(await stat(file, { bigint: true }));
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** What a workspace that is not trusted may cost: bounds on its settings, and on what they come to together. */

import { DEFAULTS, type PartialSettings } from "./settings.ts";

/** Text written by people is smaller; the user may allow more. */
const MAX_FILE_BYTES = 10_000_000;
/** With the largest file and the default sizes it is 8,300. */
const MAX_CHUNKS_PER_FILE = 8_500;
/** How often a byte may be stored: overlaps repeat the text. */
const MAX_REPETITION = 4;
/** Each is compared with every path. */
const MAX_PATTERNS = 500;
const MAX_PATTERN_LENGTH = 500;

const CUTTING = ["indexing.chunkSize", "indexing.chunkOverlap", "indexing.maxFileBytes"] as const;
const LISTS = ["indexing.includePatterns", "indexing.excludePatterns", "linkedIndexes"] as const;

interface Bounded {
  readonly settings: PartialSettings;
  /** A sentence for each setting that is not used. */
  readonly problems: readonly string[];
}

/** Settings that exceed a bound are left out: the defaults hold, or what the user says. */
export function boundSettings(settings: PartialSettings, file: string): Bounded {
  const kept: Record<string, unknown> = { ...settings };
  const problems: string[] = [];
  const leaveOut = (name: string, why: string) => {
    delete kept[name];
    problems.push(`${file}: "${name}" is ignored: ${why}`);
  };
  for (const name of LISTS) {
    const list = settings[name] ?? [];
    const isTooLong = list.some((each) => each.length > MAX_PATTERN_LENGTH);
    if (list.length > MAX_PATTERNS || isTooLong) {
      leaveOut(
        name,
        `a workspace may give ${MAX_PATTERNS} entries of ${MAX_PATTERN_LENGTH} characters`,
      );
    }
  }
  if ((settings["indexing.maxFileBytes"] ?? 0) > MAX_FILE_BYTES) {
    leaveOut("indexing.maxFileBytes", `a workspace may set at most ${MAX_FILE_BYTES}`);
  }
  const { size, step, bytes } = cuttingOf(kept);
  if (step * MAX_REPETITION < size || bytes / step > MAX_CHUNKS_PER_FILE) {
    const why = `together they make more than ${MAX_CHUNKS_PER_FILE} chunks of a file, or repeat its text more than ${MAX_REPETITION} times; "indexing.chunkOverlap" may be up to three quarters of "indexing.chunkSize"`;
    for (const name of CUTTING) if (name in kept) leaveOut(name, why);
  }
  return { settings: kept, problems };
}

/** Each chunk after the first brings at least `step` new bytes. */
function cuttingOf(settings: PartialSettings): { size: number; step: number; bytes: number } {
  const {
    chunkSize: size,
    chunkOverlap: overlap,
    maxFileBytes: bytes,
  } = {
    chunkSize: settings["indexing.chunkSize"] ?? DEFAULTS["indexing.chunkSize"],
    chunkOverlap: settings["indexing.chunkOverlap"] ?? DEFAULTS["indexing.chunkOverlap"],
    maxFileBytes: settings["indexing.maxFileBytes"] ?? DEFAULTS["indexing.maxFileBytes"],
  };
  return { size, step: Math.max(1, size - overlap), bytes };
}

/** What a workspace that is not trusted may cost: bounds on its settings, and on what they come to together. */

import type { PartialSettings } from "../contracts/settings.ts";
import { DEFAULTS } from "./settings.ts";

/** Text written by people is smaller; the user may allow more. */
const MAX_FILE_BYTES = 10_000_000;
/** A file of the default size in chunks of the smallest size; the largest file in default sizes is 8,300. */
const MAX_CHUNKS_PER_FILE = 20_000;
/** Of a chunk: overlaps repeat the text. */
const MAX_OVERLAP = 0.75;
/** Each is compared with every path. */
const MAX_PATTERNS = 500;
const MAX_PATTERN_LENGTH = 500;

const SIZES = ["indexing.chunkSize", "indexing.chunkOverlap"] as const;
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
  const asked = sizesOf(kept);
  if (asked.overlap > asked.size * MAX_OVERLAP) {
    const why = `"indexing.chunkOverlap" (${asked.overlap}) may be at most three quarters of "indexing.chunkSize" (${asked.size}); set both`;
    for (const name of SIZES) if (name in kept) leaveOut(name, why);
  }
  const { size, overlap } = sizesOf(kept);
  const bytes = settings["indexing.maxFileBytes"] ?? 0;
  const maxBytes = MAX_CHUNKS_PER_FILE * newBytes(size, overlap);
  if (bytes > MAX_FILE_BYTES) {
    leaveOut("indexing.maxFileBytes", `a workspace may set at most ${MAX_FILE_BYTES}`);
  } else if (bytes > maxBytes) {
    const chunks = `a chunk size of ${size} and an overlap of ${overlap}`;
    leaveOut("indexing.maxFileBytes", `with ${chunks} a workspace may set at most ${maxBytes}`);
  }
  return { settings: kept, problems };
}

function sizesOf(settings: PartialSettings): { size: number; overlap: number } {
  const size = settings["indexing.chunkSize"] ?? DEFAULTS["indexing.chunkSize"];
  const overlap = settings["indexing.chunkOverlap"] ?? DEFAULTS["indexing.chunkOverlap"];
  return { size, overlap };
}

/** What each chunk after the first brings at least: neighbors share at most half of a chunk, whatever the setting says. */
function newBytes(size: number, overlap: number): number {
  return size - Math.min(overlap, Math.floor(size / 2));
}

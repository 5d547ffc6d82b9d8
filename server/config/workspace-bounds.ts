/** Limits the settings of an untrusted workspace, each by itself and in combination, to bound the cost of indexing it. */

import type { PartialSettings } from "../contracts/settings.ts";
import { DEFAULTS } from "./settings.ts";

/** Files that people write are smaller. The user may allow more. */
const MAX_FILE_BYTES = 10_000_000;
/** Enough for a file of the default size in chunks of the minimum size. */
const MAX_CHUNKS_PER_FILE = 20_000;
/** The maximum share of a chunk that overlaps, because overlaps store text twice. */
const MAX_OVERLAP = 0.75;
/** The limit of patterns, because every path is matched against each. */
const MAX_PATTERNS = 500;
const MAX_PATTERN_LENGTH = 500;

const SIZES = ["indexing.chunkSize", "indexing.chunkOverlap"] as const;
const LISTS = ["indexing.includePatterns", "indexing.excludePatterns", "linkedIndexes"] as const;

interface Bounded {
  readonly settings: PartialSettings;
  /** One sentence per ignored setting. */
  readonly problems: readonly string[];
}

/** Drops the settings that exceed a limit, so the user's settings or the defaults apply. */
export function boundSettings(settings: PartialSettings, file: string): Bounded {
  const kept: Record<string, unknown> = { ...settings };
  const problems: string[] = [];
  const drop = (name: string, why: string) => {
    delete kept[name];
    problems.push(`${file}: "${name}" is ignored: ${why}`);
  };
  for (const name of LISTS) {
    const list = settings[name] ?? [];
    const isTooLong = list.some((each) => each.length > MAX_PATTERN_LENGTH);
    if (list.length > MAX_PATTERNS || isTooLong) {
      drop(
        name,
        `a workspace may set at most ${MAX_PATTERNS} entries of at most ${MAX_PATTERN_LENGTH} characters`,
      );
    }
  }
  const requested = sizesOf(kept);
  if (requested.overlap > requested.size * MAX_OVERLAP) {
    const why = `"indexing.chunkOverlap" (${requested.overlap}) may be at most three quarters of "indexing.chunkSize" (${requested.size}); set both`;
    for (const name of SIZES) if (name in kept) drop(name, why);
  }
  const { size, overlap } = sizesOf(kept);
  const bytes = settings["indexing.maxFileBytes"] ?? 0;
  const maxBytes = MAX_CHUNKS_PER_FILE * newBytes(size, overlap);
  if (bytes > MAX_FILE_BYTES) {
    drop("indexing.maxFileBytes", `a workspace may set at most ${MAX_FILE_BYTES}`);
  } else if (bytes > maxBytes) {
    const chunks = `a chunk size of ${size} and an overlap of ${overlap}`;
    drop("indexing.maxFileBytes", `with ${chunks} a workspace may set at most ${maxBytes}`);
  }
  return { settings: kept, problems };
}

function sizesOf(settings: PartialSettings): { size: number; overlap: number } {
  const size = settings["indexing.chunkSize"] ?? DEFAULTS["indexing.chunkSize"];
  const overlap = settings["indexing.chunkOverlap"] ?? DEFAULTS["indexing.chunkOverlap"];
  return { size, overlap };
}

/** The minimum of new bytes in each chunk after the first. The chunker limits the overlap to half of a chunk. */
function newBytes(size: number, overlap: number): number {
  return size - Math.min(overlap, Math.floor(size / 2));
}

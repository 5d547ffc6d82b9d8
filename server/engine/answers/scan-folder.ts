/** Scans the files of one index, and the unsaved buffers in place of their files, slice by slice. */

import { orAborted } from "../../common/or-aborted.ts";
import { TimeLimitExceeded } from "../../common/time-limit.ts";
import type { Filter } from "../../contracts/lanes.ts";
import type { Category } from "../../contracts/model.ts";
import type { OccurrencesRequest } from "../../contracts/occurrences-request.ts";
import type {
  FileToScan,
  MatchingFile,
  ScanFailure,
  Scanner,
  Sought,
} from "../../contracts/scanner.ts";
import type { SearchContext } from "../../search/context.ts";
import { toFilter } from "../../search/query/filter.ts";
import { parseQuery } from "../../search/query/query.ts";
import { type FilesToScan, filesToScan, pathsToScan, type ScanCandidate } from "./files-to-scan.ts";
import type { ScanSource } from "./scan-source.ts";

/** How often progress is reported. The thread of a cancelled request finishes its slice. */
const SLICE_MS = 250;

/** A file with matches. `path` is relative to the folder. */
export interface MatchingInFolder extends Omit<MatchingFile, "path"> {
  readonly source: ScanSource;
  readonly root: string;
  readonly path: string;
  readonly category: Category;
  /** The path in the index. */
  readonly indexed: string;
  readonly isUnsaved: boolean;
  /** The file in the form that the worker gets. */
  readonly scanned: FileToScan;
}

export interface ScannedFolder {
  readonly source: ScanSource;
  readonly matching: readonly MatchingInFolder[];
  /** Indexed files that were not searched, by path in the folder. */
  readonly failures: readonly { readonly path: string; readonly reason: ScanFailure }[];
  /** Files that the time limit left over. */
  readonly late: readonly string[];
  /** Whether every indexed file was searched, and no file waits to be indexed. */
  readonly isComplete: boolean;
}

interface ScanContext {
  readonly scanner: Scanner;
  readonly sought: Sought;
  readonly filter: Filter | undefined;
  /** When the scan stops, in the time of `performance.now()`. */
  readonly end: number;
  /** Called after each slice with the number of files that it searched, and of all that are left. */
  readonly report: (searched: number, left: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** The filter of the parameters, and of the filters in the text of the query. */
export function filesFilter(
  { resolveLanguage, languageIds }: SearchContext,
  { query = "", paths, languages }: OccurrencesRequest,
): Filter | undefined {
  const inline = parseQuery(query, resolveLanguage).filters;
  return toFilter({ query, paths, languages }, inline, { resolveLanguage, languageIds });
}

/** Rejects with the signal's reason. */
export async function scanFolder(source: ScanSource, context: ScanContext): Promise<ScannedFolder> {
  const list = filesToScan(source, context.filter);
  const { size } = list;
  const matching: MatchingInFolder[] = [];
  const failures: { path: string; reason: ScanFailure }[] = [];
  let searched = 0;
  while (searched < size) {
    context.signal?.throwIfAborted();
    const scanned = await scanSlice(source, list, searched, context);
    if (scanned === undefined || scanned.files === 0) break;
    for (const each of scanned.matching)
      matching.push(toMatching(source, list.candidate(each.path), each));
    for (const { path, reason } of scanned.failures)
      failures.push({ path: list.candidate(path).shown, reason });
    searched += scanned.files;
    context.report(scanned.files, size - searched);
  }
  const late =
    searched === size
      ? []
      : pathsToScan(list)
          .slice(searched)
          .map((path) => list.candidate(path).shown);
  const isWhole = failures.length === 0 && late.length === 0;
  const isComplete = isWhole && source.waiting === undefined;
  const { languages } = context.filter ?? {};
  const kept = matching.filter(({ languageId }) => languages?.has(languageId) ?? true);
  return { source, matching: kept, failures, late, isComplete };
}

/** Undefined if the time is up. */
async function scanSlice(
  { indexRoot: root, maxFileBytes }: ScanSource,
  { paths, known }: FilesToScan,
  from: number,
  { scanner, sought, end, signal }: ScanContext,
) {
  const limitMs = end - performance.now();
  if (limitMs <= 0) return undefined;
  const job = { root, maxFileBytes, sought, paths, from, known, limitMs, sliceMs: SLICE_MS };
  try {
    const scanning = scanner.scan(job);
    const result = await (signal === undefined ? scanning : orAborted(scanning, signal));
    return result.kind === "scanned" ? result : undefined;
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return undefined;
    throw error;
  }
}

function toMatching(
  source: ScanSource,
  { shown, indexed, scanned, isUnsaved }: ScanCandidate,
  { matches, languageId }: MatchingFile,
): MatchingInFolder {
  const category = source.categorize(scanned.path, languageId);
  const { root } = source;
  return { source, root, path: shown, matches, languageId, category, indexed, isUnsaved, scanned };
}

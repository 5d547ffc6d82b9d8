/** Scans the files of one index, and the unsaved buffers in place of their files, slice by slice. */

import { orAborted } from "../../common/or-aborted.ts";
import { TimeLimitExceeded } from "../../common/time-limit.ts";
import type { Filter } from "../../contracts/lanes.ts";
import type { Category } from "../../contracts/model.ts";
import type { OccurrencesRequest } from "../../contracts/occurrences-request.ts";
import type {
  FileToScan,
  KnownOfFile,
  MatchingFile,
  ScanFailure,
  Scanner,
  Sought,
} from "../../contracts/scanner.ts";
import type { SearchContext } from "../../search/context.ts";
import { toFilter } from "../../search/query/filter.ts";
import { parseQuery } from "../../search/query/query.ts";
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
  /** As the worker gets it. */
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

export interface ScanContext {
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

interface Candidate {
  /** The path in the folder. */
  readonly shown: string;
  /** The path whose stored chunks an unsaved text replaces. */
  readonly indexed: string;
  readonly scanned: FileToScan;
  readonly isUnsaved: boolean;
}

/** Rejects with the signal's reason. */
export async function scanFolder(source: ScanSource, context: ScanContext): Promise<ScannedFolder> {
  const candidates = [...candidatesIn(source, context.filter)];
  const byPath = new Map(candidates.map((each) => [each.scanned.path, each]));
  const matching: MatchingInFolder[] = [];
  const failures: { path: string; reason: ScanFailure }[] = [];
  let searched = 0;
  while (searched < candidates.length) {
    context.signal?.throwIfAborted();
    const scanned = await scanSlice(source, candidates.slice(searched), context);
    if (scanned === undefined || scanned.files === 0) break;
    for (const each of scanned.matching) {
      const candidate = byPath.get(each.path);
      if (candidate !== undefined) matching.push(toMatching(source, candidate, each));
    }
    for (const { path, reason } of scanned.failures)
      failures.push({ path: byPath.get(path)?.shown ?? path, reason });
    searched += scanned.files;
    context.report(scanned.files, candidates.length - searched);
  }
  const late = candidates.slice(searched).map(({ shown }) => shown);
  const isWhole = failures.length === 0 && late.length === 0;
  const isComplete = isWhole && source.waiting === undefined;
  const { languages } = context.filter ?? {};
  const kept = matching.filter(({ languageId }) => languages?.has(languageId) ?? true);
  return { source, matching: kept, failures, late, isComplete };
}

/** Undefined if the time is up. */
async function scanSlice(
  { indexRoot: root, maxFileBytes }: ScanSource,
  candidates: readonly Candidate[],
  { scanner, sought, end, signal }: ScanContext,
) {
  const limitMs = end - performance.now();
  if (limitMs <= 0) return undefined;
  const paths = candidates.map(({ scanned }) => scanned.path);
  const known = new Map(candidates.flatMap(({ scanned }) => knownOf(scanned)));
  const job = { root, maxFileBytes, sought, paths, known, limitMs, sliceMs: SLICE_MS };
  try {
    const scanning = scanner.scan(job);
    const result = await (signal === undefined ? scanning : orAborted(scanning, signal));
    return result.kind === "scanned" ? result : undefined;
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return undefined;
    throw error;
  }
}

function knownOf({ path, ...known }: FileToScan): [string, KnownOfFile][] {
  return known.encoding === undefined && known.text === undefined ? [] : [[path, known]];
}

/** The indexed files in the folder that pass the filter by path, and unsaved files that are not indexed yet. */
function* candidatesIn(
  { files, unsaved, inFolder }: ScanSource,
  filter: Filter | undefined,
): Generator<Candidate> {
  const isWanted = (shown: string | undefined): shown is string =>
    shown !== undefined && (filter?.matchesPath?.(shown) ?? true);
  const taken = new Set([...unsaved].flatMap(([indexed, { shown }]) => [indexed, shown]));
  for (const path of files?.paths() ?? []) {
    const shown = inFolder(path);
    if (taken.has(path) || !isWanted(shown)) continue;
    const scanned = { path, encoding: files?.encoding(path) };
    yield { shown, indexed: path, scanned, isUnsaved: false };
  }
  for (const [path, own] of unsaved) {
    const shown = inFolder(own.shown);
    const isExcluded = files?.has(path) !== true && files?.exclusionRule(path) !== undefined;
    if (isExcluded || !isWanted(shown)) continue;
    const scanned = { path: own.shown, text: own.text };
    yield { shown, indexed: path, scanned, isUnsaved: true };
  }
}

function toMatching(
  source: ScanSource,
  { shown, indexed, scanned, isUnsaved }: Candidate,
  { matches, languageId }: MatchingFile,
): MatchingInFolder {
  const category = source.categorize(scanned.path, languageId);
  const { root } = source;
  return { source, root, path: shown, matches, languageId, category, indexed, isUnsaved, scanned };
}

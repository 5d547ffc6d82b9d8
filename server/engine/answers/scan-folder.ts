/** Scans the indexed files of one folder, and the unsaved buffers in place of their files, batch by batch. */

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
import { type Categorize, categorizer } from "../../languages/categories.ts";
import type { SearchContext } from "../../search/context.ts";
import { toFilter } from "../../search/query/filter.ts";
import { parseQuery } from "../../search/query/query.ts";
import type { OpenIndex } from "../indexes/open-index.ts";
import type { Buffers } from "./buffers.ts";
import type { Folder } from "./folder.ts";
import { pathsIn } from "./folder-graph.ts";

/** A batch takes a few milliseconds from memory. The thread of a cancelled request finishes its batch. */
const FILES_PER_BATCH = 256;

/** A file with matches. `path` is relative to the folder. */
export interface MatchingInFolder extends Omit<MatchingFile, "path"> {
  readonly folder: Folder;
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
  readonly folder: Folder;
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
  readonly buffers: Buffers;
  readonly sought: Sought;
  readonly filter: Filter | undefined;
  /** When the scan stops, in the time of `performance.now()`. */
  readonly end: number;
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
export async function scanFolder(folder: Folder, context: ScanContext): Promise<ScannedFolder> {
  const { index } = folder;
  const matching: MatchingInFolder[] = [];
  const failures: { path: string; reason: ScanFailure }[] = [];
  const late: string[] = [];
  for (const batch of batches(candidatesIn(folder, context))) {
    context.signal?.throwIfAborted();
    const scanned = late.length > 0 ? undefined : await scanBatch(index, batch, context);
    if (scanned === undefined) {
      for (const { shown } of batch) late.push(shown);
      continue;
    }
    const byPath = new Map(batch.map((each) => [each.scanned.path, each]));
    for (const each of scanned.matching) {
      const candidate = byPath.get(each.path);
      if (candidate !== undefined) matching.push(toMatching(folder, candidate, each));
    }
    for (const { path, reason } of scanned.failures)
      failures.push({ path: byPath.get(path)?.shown ?? path, reason });
    for (const { shown } of batch.slice(scanned.files)) late.push(shown);
  }
  const isWhole = failures.length === 0 && late.length === 0;
  const isComplete = isWhole && index.workspace.status.state !== "indexing";
  const { languages } = context.filter ?? {};
  const kept = matching.filter(({ languageId }) => languages?.has(languageId) ?? true);
  return { folder, matching: kept, failures, late, isComplete };
}

/** Undefined if the time is up. */
async function scanBatch(
  { root, settings }: OpenIndex,
  batch: readonly Candidate[],
  { scanner, sought, end, signal }: ScanContext,
) {
  const limitMs = end - performance.now();
  if (limitMs <= 0) return undefined;
  const maxFileBytes = settings["indexing.maxFileBytes"];
  const files = batch.map(({ scanned }) => scanned);
  try {
    const scanning = scanner.scan({ root, maxFileBytes, sought, files, limitMs });
    const result = await (signal === undefined ? scanning : orAborted(scanning, signal));
    return result.kind === "scanned" ? result : undefined;
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return undefined;
    throw error;
  }
}

/** The indexed files in the folder that pass the filter by path, and unsaved files that are not indexed yet. */
function* candidatesIn(folder: Folder, { buffers, filter }: ScanContext): Generator<Candidate> {
  const { index } = folder;
  const { files } = index;
  const inFolder = pathsIn(folder);
  const unsaved = buffers.unsavedIn(index);
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

function* batches<T>(items: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < FILES_PER_BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function toMatching(
  folder: Folder,
  { shown, indexed, scanned, isUnsaved }: Candidate,
  { matches, languageId }: MatchingFile,
): MatchingInFolder {
  const category = categorizeIn(folder.index)(scanned.path, languageId);
  const { root } = folder;
  return { folder, root, path: shown, matches, languageId, category, indexed, isUnsaved, scanned };
}

/** By index, for the state of its files: the shape of the repository decides about some files. */
const categorizers = new WeakMap<OpenIndex, { readonly state: string; readonly of: Categorize }>();

function categorizeIn(index: OpenIndex): Categorize {
  const state = index.lanes?.generation ?? "";
  const known = categorizers.get(index);
  if (known?.state === state) return known.of;
  const of = categorizer(index.files?.paths() ?? []);
  categorizers.set(index, { state, of });
  return of;
}

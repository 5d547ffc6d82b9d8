/** Lists the files of an index that a scan covers, as the worker gets them. The list of all stored files is kept until it changes. */

import type { Filter } from "../../contracts/lanes.ts";
import { type FileToScan, type KnownOfFile, PATH_SEPARATOR } from "../../contracts/scanner.ts";
import type { StoredFiles } from "../../indexing/stored-files.ts";
import type { ScanSource } from "./scan-source.ts";

export interface ScanCandidate {
  /** The path in the folder. */
  readonly shown: string;
  /** The path whose stored chunks an unsaved text replaces. */
  readonly indexed: string;
  readonly scanned: FileToScan;
  readonly isUnsaved: boolean;
}

export interface FilesToScan {
  readonly size: number;
  /** The paths in the form of a `ScanJob`. */
  readonly paths: string;
  readonly known: ReadonlyMap<string, KnownOfFile>;
  /** The candidate of a path in `paths`. */
  candidate(path: string): ScanCandidate;
}

export function pathsToScan({ paths }: FilesToScan): readonly string[] {
  return paths.split(PATH_SEPARATOR);
}

/** The indexed files in the folder that pass the filter by path, and unsaved files that are not indexed yet. */
export function filesToScan(source: ScanSource, filter: Filter | undefined): FilesToScan {
  const { files, unsaved, root, indexRoot } = source;
  const isWhole = root === indexRoot && unsaved.size === 0 && filter?.matchesPath === undefined;
  if (files !== undefined && isWhole) return storedFiles(files);
  const byPath = new Map<string, ScanCandidate>();
  for (const each of candidatesIn(source, filter)) byPath.set(each.scanned.path, each);
  return {
    size: byPath.size,
    paths: [...byPath.keys()].join(PATH_SEPARATOR),
    known: new Map([...byPath.values()].flatMap(({ scanned }) => knownOf(scanned))),
    candidate: (path) => byPath.get(path) as ScanCandidate,
  };
}

/** Listing and joining thousands of paths takes a third of the processor time of a scan. */
const lists = new WeakMap<StoredFiles, { readonly revision: number; readonly list: FilesToScan }>();

function storedFiles(files: StoredFiles): FilesToScan {
  const { revision } = files;
  const latest = lists.get(files);
  if (latest?.revision === revision) return latest.list;
  const encoded = [...files.encodedPaths()];
  const known = new Map(encoded.map((path) => [path, { encoding: files.encoding(path) }]));
  const list: FilesToScan = {
    size: files.size,
    paths: [...files.paths()].join(PATH_SEPARATOR),
    known,
    candidate: (path) => {
      const scanned = { path, encoding: known.get(path)?.encoding };
      return { shown: path, indexed: path, scanned, isUnsaved: false };
    },
  };
  lists.set(files, { revision, list });
  return list;
}

function knownOf({ path, ...known }: FileToScan): [string, KnownOfFile][] {
  return known.encoding === undefined && known.text === undefined ? [] : [[path, known]];
}

function* candidatesIn(
  { files, unsaved, inFolder }: ScanSource,
  filter: Filter | undefined,
): Generator<ScanCandidate> {
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

/** Divides the files of a scan among the scanners. A file always belongs to the same one, which keeps its text. */

import { type KnownOfFile, PATH_SEPARATOR, type Scanner } from "../../contracts/scanner.ts";
import { type FilesToScan, pathsToScan } from "./files-to-scan.ts";

/** Fewer files are scanned in a few milliseconds, so that a second thread, whose start takes a fifth of a second, is not worth it. */
const MIN_FILES = 1_000;

/** The files of one scanner. */
export interface ScanPart {
  readonly scanner: Scanner;
  readonly size: number;
  /** As in a `ScanJob`. */
  readonly paths: string;
  readonly known: ReadonlyMap<string, KnownOfFile>;
}

/** The parts of the latest scanners. The list of all stored files is the same for each scan until it changes. */
const divided = new WeakMap<FilesToScan, readonly ScanPart[]>();

/** All files of a small index belong to one scanner; which one depends on its `root`. */
export function partsOf(
  root: string,
  list: FilesToScan,
  scanners: readonly Scanner[],
): readonly ScanPart[] {
  const latest = divided.get(list);
  if (latest !== undefined && latest.every(({ scanner }) => scanners.includes(scanner)))
    return latest;
  const parts = divide(root, list, scanners);
  divided.set(list, parts);
  return parts;
}

function divide(
  root: string,
  list: FilesToScan,
  scanners: readonly Scanner[],
): readonly ScanPart[] {
  const isSmall = list.indexed < MIN_FILES;
  const paths = scanners.map((): string[] => []);
  const own = numberOf(root) % scanners.length;
  for (const path of pathsToScan(list))
    paths[isSmall ? own : numberOf(path) % scanners.length]?.push(path);
  return scanners.flatMap((scanner, i) => {
    const of = paths[i] ?? [];
    if (of.length === 0) return [];
    const isOwn = new Set(list.known.size === 0 ? [] : of);
    const knownHere = new Map([...list.known].filter(([path]) => isOwn.has(path)));
    return [{ scanner, size: of.length, paths: of.join(PATH_SEPARATOR), known: knownHere }];
  });
}

/** FNV-1a. */
function numberOf(path: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < path.length; at++)
    hash = Math.imul(hash ^ path.charCodeAt(at), 0x0100_0193);
  // The lowest bits depend on the lowest bits of the characters alone.
  return hash >>> 16;
}

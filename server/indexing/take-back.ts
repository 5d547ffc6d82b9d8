/**
 * Takes back what the store has kept: a file whose content was indexed before, as on the branch that is checked out again, is
 * read and hashed, but not parsed, cut and embedded.
 */

import { stackOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { createPause } from "../common/slices.ts";
import type { StoredFacts } from "../contracts/graph.ts";
import type { FileRecord } from "../contracts/model.ts";
import { NO_FACTS } from "../contracts/packed-facts.ts";
import type { IndexStore } from "../contracts/store.ts";
import type { StoredChunk } from "../contracts/stored-chunk.ts";
import { forEachLimited } from "./concurrency.ts";
import { type CommitTargets, type CommittedFile, followFiles } from "./follow-commit.ts";
import { hashFile, READS_AT_ONCE } from "./hash-file.ts";

/** One transaction and one read of its chunks: about 2,000 chunks, a tenth of a second each. */
const FILES_AT_ONCE = 100;

interface TakeBackContext extends CommitTargets {
  readonly root: string;
  readonly store: IndexStore;
  readonly chunking: { readonly maxFileBytes: number };
  readonly log: Log;
}

/** Counts and durations in milliseconds; this adds to them. */
interface TakeBackReport {
  changed: number;
  takenBack: number;
  chunks: number;
  bytes: number;
  storeMs: number;
  lanesMs: number;
}

type FoundFile = Pick<FileRecord, "path" | "sha256" | "size" | "statFingerprint">;

interface TakeBackProgress {
  readonly report: TakeBackReport;
  /** Awaited before each transaction. */
  turn(): Promise<void>;
  /** Called with the number of its files after each transaction. */
  stored(files: number): void;
}

/** Returns the paths that need not be prepared. */
export async function takeBackKept(
  context: TakeBackContext,
  paths: readonly string[],
  { report, turn, stored }: TakeBackProgress,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  if (paths.length === 0) return taken;
  try {
    const found = await findKept(context, paths, signal);
    for (let from = 0; from < found.length; from += FILES_AT_ONCE) {
      await turn();
      signal.throwIfAborted();
      const own = await takeBackBatch(context, found.slice(from, from + FILES_AT_ONCE), report);
      for (const path of own) taken.add(path);
      stored(own.length);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Unavailable) throw error;
    context.log.warn("kept rows cannot be used and are deleted", { error: stackOf(error) });
    await context.store.forgetKept();
    throw error;
  }
  return taken;
}

/** The files whose content is kept. */
async function findKept(
  { root, store, chunking, throttle }: TakeBackContext,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<FoundFile[]> {
  const kept = await store.kept(paths);
  const found: FoundFile[] = [];
  const pause = createPause(() => throttle.yieldToSearches());
  await forEachLimited([...kept], READS_AT_ONCE, async ([path, hashes]) => {
    await pause();
    signal.throwIfAborted();
    const file = await hashFile(root, path);
    // The limit may be lower than it was.
    if (file === undefined || file.size > chunking.maxFileBytes) return;
    if (hashes.has(file.sha256)) found.push({ path, ...file });
  });
  return found;
}

async function takeBackBatch(
  context: TakeBackContext,
  wanted: readonly FoundFile[],
  report: TakeBackReport,
): Promise<readonly string[]> {
  const { store, graph } = context;
  const start = performance.now();
  await graph.beforeChange();
  const paths = await store.takeBack(wanted);
  const isTaken = new Set(paths);
  const files = wanted.filter(({ path }) => isTaken.has(path));
  const [chunks, facts] = await Promise.all([store.chunksOf(paths), store.factsOf(paths)]);
  const lanesStart = performance.now();
  await followFiles(context, committedOf(files, chunks, facts), []);
  report.storeMs += lanesStart - start;
  report.lanesMs += performance.now() - lanesStart;
  report.changed += files.length;
  report.takenBack += files.length;
  report.chunks += chunks.length;
  for (const { size } of files) report.bytes += size;
  return paths;
}

function committedOf(
  files: readonly FoundFile[],
  chunks: readonly StoredChunk[],
  facts: readonly StoredFacts[],
): CommittedFile[] {
  const byPath = new Map(files.map(({ path }) => [path, [] as StoredChunk[]]));
  for (const chunk of chunks) byPath.get(chunk.path)?.push(chunk);
  const factsOf = new Map(facts.map((each) => [each.path, each.facts]));
  return files.map((file) => {
    const own = byPath.get(file.path) ?? [];
    const { path } = file;
    return { file, chunks: own, count: own.length, facts: factsOf.get(path) ?? NO_FACTS };
  });
}

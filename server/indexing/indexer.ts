/** The write path, top to bottom: discover -> prepare (detect, chunk, describe) -> embed -> store. Start reading here. */

import { messageOf } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { folderOf } from "../common/relative-path.ts";
import type { Embedder } from "../contracts/embedding.ts";
import type { LiveGraph } from "../contracts/graph.ts";
import type { LiveLanes } from "../contracts/lanes.ts";
import type { ExcludedFile, PreparedFile } from "../contracts/model.ts";
import { NO_FACTS } from "../contracts/packed-facts.ts";
import type { PrepareJob, Preparer } from "../contracts/preparer.ts";
import type { EmbeddingCache, IndexStore } from "../contracts/store.ts";
import { forEachLimited } from "./concurrency.ts";
import { declaresEncodings } from "./discovery/declared-encoding.ts";
import { discover } from "./discovery/discover.ts";
import type { FolderListings } from "./discovery/folder-listings.ts";
import { followCommit, type PreparedCommit } from "./follow-commit.ts";
import type { IgnoreRules } from "./ignore/ignore-rules.ts";
import { knownDimension, knownVectors } from "./known-vectors.ts";
import { readingOrder } from "./reading-order.ts";
import { isSmallWork } from "./small-work.ts";
import type { StoredFiles } from "./stored-files.ts";
import { filesToRead } from "./watching/stat-fingerprint.ts";

/** One batch is one transaction. At 5,000 rows per second in the built-in database it takes about a tenth of a second. */
const BATCH_CHUNKS = 500;
/** The first batch of a pass is smaller, and each one after it twice as large: what is read first is found soon. */
const FIRST_BATCH_CHUNKS = 60;
/** The same bound in files, for trees of tiny ones. */
const BATCH_FILES = 200;

/** How files are cut. */
export type Chunking = Pick<
  PrepareJob,
  "chunkSize" | "chunkOverlap" | "chunkStrategy" | "grammars" | "maxFileBytes"
>;

/** An index, and what it is made with. */
export interface IndexTarget {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly chunking: Chunking;
  readonly embedder: Embedder;
  /** Why no vectors are made, because the index holds those of another model; undefined when they are. */
  readonly embeddingHeld: string | undefined;
  readonly cache: EmbeddingCache;
  /** A fingerprint of all rules that may exclude a file for its content. */
  readonly exclusionRules: string;
  readonly store: IndexStore;
  readonly lanes: LiveLanes;
  readonly graph: LiveGraph;
  /** Kept in step with each commit. */
  readonly files: StoredFiles;
  /** Of folders that the watcher has just listed. */
  readonly listings?: FolderListings;
  readonly log: Log;
}

/** One pass over an index: by whom its files are prepared, and who hears of its progress. */
export interface IndexingContext extends IndexTarget {
  readonly preparer: Preparer;
  /** Takes the files where they are few and small and the preparer is busy; the same one where it is missing. */
  readonly smallWork?: Preparer;
  /** Awaited before each file: indexing may be paused, or give way. */
  gate(signal: AbortSignal): Promise<void>;
  /** Whether files are prepared one after the other, and not by all threads: a user searches or types. */
  isOneEnough(): boolean;
  /** Awaited before each slice of work on the engine's own thread. */
  giveWay(): Promise<void>;
  /** `read` of the files are at least prepared, and `indexed` of them are stored, too. */
  progress(indexed: number, total: number, read: number): void;
  exclude(file: ExcludedFile): void;
  /** A file, or what is in a folder, is to be looked at again: it could not be read. */
  tryLater(path: string): void;
}

/** What a pass did. Times are sums over concurrent work, in milliseconds. */
export interface PassReport {
  files: number;
  /** The others were recognized without reading them. */
  read: number;
  changed: number;
  removed: number;
  chunks: number;
  bytes: number;
  secrets: number;
  discoverMs: number;
  prepareMs: number;
  embedMs: number;
  storeMs: number;
  lanesMs: number;
  wallMs: number;
}

/** Brings the whole workspace up to date: what has the stored hash is not touched, what is gone is removed. */
export async function indexAll(context: IndexingContext, signal: AbortSignal): Promise<PassReport> {
  const start = performance.now();
  const paths: string[] = [];
  const excluded = (file: ExcludedFile) => context.exclude(file);
  const unread: string[] = [];
  const unreadable = (folder: string, error: unknown) => {
    context.log.warn("a folder could not be read; what is stored of it is kept", {
      folder,
      error: messageOf(error),
    });
    unread.push(folder);
    context.tryLater(folder);
  };
  const { listings } = context;
  const options = { excluded, unreadable, listings, signal };
  for await (const { path } of discover(context.root, context.rules, options)) paths.push(path);
  listings?.forget();
  const found = new Set(paths);
  const isUnread = (path: string) => unread.some((folder) => path.startsWith(`${folder}/`));
  const isGone = (path: string) => !found.has(path) && !isUnread(path);
  const removed = [...context.files.paths()].filter(isGone);
  for (const path of [...context.files.excludedPaths()].filter(isGone))
    context.files.forgetExclusion(path);
  const report = emptyReport();
  const isFirst = context.files.size === 0;
  const ordered = isFirst ? await readingOrder(context.root, paths, signal) : paths;
  report.discoverMs = performance.now() - start;
  return await indexFiles(context, ordered, removed, report, signal);
}

/** Brings these files up to date. Paths that no longer hold a file belong into `removed`. */
export async function indexSome(
  context: IndexingContext,
  paths: readonly string[],
  removed: readonly string[],
  signal: AbortSignal,
): Promise<PassReport> {
  return await indexFiles(context, paths, removed, emptyReport(), signal);
}

async function indexFiles(
  context: IndexingContext,
  given: readonly string[],
  removed: readonly string[],
  report: PassReport,
  signal: AbortSignal,
): Promise<PassReport> {
  const start = performance.now();
  const gone: string[] = [];
  const seen = new Map<string, string>();
  let done = 0;
  let read = 0;
  const advance = (files: number) => {
    done += files;
    read = Math.max(read, done);
    context.progress(done, paths.length, read);
  };
  const writer = createWriter(context, report, renamesFrom(context, removed), advance);
  context.progress(0, given.length, 0);
  const changed = await filesToRead(context, given, signal);
  const redeclared = redeclaredFiles(context.files, changed, removed);
  const paths = [...new Set([...given, ...redeclared])];
  const suspects = [...new Set([...changed, ...redeclared])];
  advance(paths.length - suspects.length);
  excludeAgain(context, paths, suspects);
  report.files += paths.length;
  report.read += suspects.length;
  const preparer = await preparerFor(context, suspects);
  try {
    const each = async (path: string) => {
      await context.gate(signal);
      signal.throwIfAborted();
      const isRedeclared = redeclared.has(path);
      const own = { ...context, preparer };
      const prepared = await prepare(own, path, { report, seen, isRedeclared }, signal);
      read++;
      if (prepared === "gone" && context.files.has(path)) gone.push(path);
      advance(typeof prepared === "object" ? 0 : 1);
      if (typeof prepared === "object") await writer.add(prepared);
    };
    await forEachLimited(suspects, preparer.concurrency, each, () => context.isOneEnough());
    await writer.finish([...removed, ...gone]);
    await recognizeLater(context, seen);
    await storeExclusions(context);
  } finally {
    await writer.ended();
  }
  report.wallMs = report.discoverMs + performance.now() - start;
  context.log.info("indexed", { root: context.root, ...rounded(report) });
  return report;
}

async function preparerFor(
  { root, preparer, smallWork = preparer }: IndexingContext,
  paths: readonly string[],
): Promise<Preparer> {
  return preparer.isBusy && (await isSmallWork(root, paths)) ? smallWork : preparer;
}

/** Files of which these changes may say that they are to be read in another encoding. */
function redeclaredFiles(
  files: StoredFiles,
  changed: readonly string[],
  removed: readonly string[],
): ReadonlySet<string> {
  const folders = [...changed, ...removed].filter(declaresEncodings).map(folderOf);
  if (folders.length === 0) return new Set();
  const isBelow = (path: string) =>
    folders.some((folder) => folder === "" || path.startsWith(`${folder}/`));
  const isGone = new Set(removed);
  return new Set([...files.encodedPaths()].filter((path) => isBelow(path) && !isGone.has(path)));
}

/** Files that are recognized as those that were excluded before. */
function excludeAgain(
  { files, exclude }: IndexingContext,
  paths: readonly string[],
  suspects: readonly string[],
): void {
  const isRead = new Set(suspects);
  for (const path of paths) {
    const rule = isRead.has(path) ? undefined : files.exclusionRule(path);
    if (rule !== undefined) exclude({ path, rule });
  }
}

interface Preparing {
  readonly report: PassReport;
  readonly seen: Map<string, string>;
  /** Whether it is cut again though its bytes are the same. */
  readonly isRedeclared: boolean;
}

/** Undefined when there is nothing to store; "gone" when what is stored of it is to be removed. */
async function prepare(
  context: IndexingContext,
  path: string,
  { report, seen, isRedeclared }: Preparing,
  signal: AbortSignal,
): Promise<PreparedFile | "gone" | undefined> {
  const start = performance.now();
  const { files } = context;
  const known = files.isUnfinished(path) || isRedeclared ? undefined : files.hash(path);
  const job: PrepareJob = {
    root: context.root,
    path,
    ...context.chunking,
    ...(known === undefined ? {} : { knownSha256: known }),
    embed: context.embedder.isLocal,
  };
  const result = await context.preparer.prepare(job, signal);
  report.prepareMs += performance.now() - start;
  switch (result.kind) {
    case "unchanged":
      if (result.statFingerprint !== undefined) seen.set(path, result.statFingerprint);
      else files.forgetFingerprint(path);
      return undefined;
    case "excluded":
      noteExclusion(context, path, result);
      return "gone";
    case "gone":
      files.forgetExclusion(path);
      return "gone";
    case "unreadable":
      context.log.warn("a file could not be read; what is stored of it is kept", {
        path,
        error: result.reason,
      });
      context.tryLater(path);
      return undefined;
    case "prepared":
      return result.file;
  }
}

function noteExclusion(
  { files, exclude }: IndexingContext,
  path: string,
  { rule, statFingerprint }: { readonly rule: string; readonly statFingerprint?: string },
): void {
  exclude({ path, rule });
  if (statFingerprint === undefined) files.forgetExclusion(path);
  else files.exclude({ path, rule, statFingerprint });
}

async function storeExclusions({ store, files, exclusionRules }: IndexingContext): Promise<void> {
  const changes = files.takeChangedExclusions();
  if (changes.excluded.length + changes.forgotten.length === 0) return;
  await store.setExclusions(exclusionRules, changes);
}

/** What was read in vain is recognized without reading next time. */
async function recognizeLater(
  { store, files }: IndexingContext,
  seen: ReadonlyMap<string, string>,
): Promise<void> {
  if (seen.size === 0) return;
  await store.setStatFingerprints(seen);
  for (const [path, fingerprint] of seen) files.recognize(path, fingerprint);
}

interface Writer {
  /** Takes a file into the current batch; waits while the batch before is still being written. */
  add(file: PreparedFile): Promise<void>;
  /** Commits the rest and the removals; rejects with the first failure. */
  finish(removed: readonly string[]): Promise<void>;
  /** Resolves when nothing is being written any more: a cancelled pass must not write over what the next one wrote. */
  ended(): Promise<void>;
}

function createWriter(
  context: IndexingContext,
  report: PassReport,
  renames: ReadonlyMap<string, string>,
  stored: (files: number) => void,
): Writer {
  let batch: PreparedFile[] = [];
  let chunks = 0;
  let limit = FIRST_BATCH_CHUNKS;
  let writing: Promise<void> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;

  /** Queues the batch; returns the writing of the one before, so that one is prepared while one is written. */
  const flush = (removed: readonly string[]): Promise<void> => {
    const files = batch;
    const before = writing;
    [batch, chunks] = [[], 0];
    limit = Math.min(BATCH_CHUNKS, limit * 2);
    writing = before.then(async () => {
      if (failure !== undefined) return;
      try {
        await storeBatch(context, files, removed, renames, report);
        stored(files.length);
      } catch (error) {
        failure = { error };
      }
    });
    return before;
  };
  const check = () => {
    if (failure !== undefined) throw failure.error;
  };

  return {
    add: async (file) => {
      check();
      batch.push(file);
      chunks += file.chunks.length;
      if (chunks >= limit || batch.length >= BATCH_FILES) await flush([]);
    },
    finish: async (removed) => {
      await flush(removed);
      await writing;
      check();
    },
    ended: () => writing,
  };
}

async function storeBatch(
  context: IndexingContext,
  files: readonly PreparedFile[],
  removed: readonly string[],
  renames: ReadonlyMap<string, string>,
  report: PassReport,
): Promise<void> {
  if (files.length === 0 && removed.length === 0) return;
  const embedStart = performance.now();
  const commits: PreparedCommit[] = [];
  let dimension = context.embedder.isLocal ? undefined : await knownDimension(context);
  for (const file of files) {
    const vectors = await knownVectors(context, file, renames.get(file.sha256), dimension);
    dimension ??= vectors.find((vector) => vector !== undefined)?.length;
    const { chunks, facts = NO_FACTS } = file;
    commits.push({ file, chunks, vectors, facts });
  }
  const storeStart = performance.now();
  await context.graph.beforeChange();
  await context.store.commit(commits, removed);
  const lanesStart = performance.now();
  await followCommit(context, commits, removed);
  report.embedMs += storeStart - embedStart;
  report.storeMs += lanesStart - storeStart;
  report.lanesMs += performance.now() - lanesStart;
  report.removed += removed.length;
  for (const file of files) {
    report.changed++;
    report.chunks += file.chunks.length;
    report.bytes += file.size;
    report.secrets += file.secrets;
  }
}

/** Where a file's content was before, for files that disappear while the same content appears elsewhere. */
function renamesFrom(context: IndexingContext, removed: readonly string[]): Map<string, string> {
  const renames = new Map<string, string>();
  for (const path of removed) {
    const hash = context.files.hash(path);
    if (hash !== undefined) renames.set(hash, path);
  }
  return renames;
}

function emptyReport(): PassReport {
  return {
    files: 0,
    read: 0,
    changed: 0,
    removed: 0,
    chunks: 0,
    bytes: 0,
    secrets: 0,
    discoverMs: 0,
    prepareMs: 0,
    embedMs: 0,
    storeMs: 0,
    lanesMs: 0,
    wallMs: 0,
  };
}

function rounded(report: PassReport): Record<string, number> {
  return Object.fromEntries(Object.entries(report).map(([name, n]) => [name, Math.round(n)]));
}

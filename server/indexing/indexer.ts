/** The write path, top to bottom: discover -> prepare (detect, chunk, describe) -> embed -> store. Start reading here. */

import { messageOf } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { folderOf } from "../common/relative-path.ts";
import type { Embedder } from "../contracts/embedding.ts";
import type { LiveGraph } from "../contracts/graph.ts";
import type { LaneWriter } from "../contracts/lanes.ts";
import type { ExcludedFile, PreparedFile } from "../contracts/model.ts";
import { NO_FACTS } from "../contracts/packed-facts.ts";
import type { PrepareJob, Preparer } from "../contracts/preparer.ts";
import type { EmbeddingCache, IndexStore } from "../contracts/store.ts";
import { forEachLimited } from "./concurrency.ts";
import { declaresEncodings } from "./discovery/declared-encoding.ts";
import { discover } from "./discovery/discover.ts";
import type { FolderListings } from "./discovery/folder-listings.ts";
import { followCommit, type PreparedCommit } from "./follow-commit.ts";
import { hashFile } from "./hash-file.ts";
import type { IgnoreRules } from "./ignore/ignore-rules.ts";
import { knownDimension, knownVectors } from "./known-vectors.ts";
import type { PublishedRows, Take } from "./published-rows.ts";
import { readingOrder } from "./reading-order.ts";
import { isSmallWork } from "./small-work.ts";
import type { StoredFiles } from "./stored-files.ts";
import { takeBackKept } from "./take-back.ts";
import { filesToRead } from "./watching/stat-fingerprint.ts";
import type { Workspace } from "./workspace.ts";

/** A batch is one transaction: about 0.1 s in the built-in database (5,000 rows per second). */
const BATCH_CHUNKS = 500;
/** Batches start small and double, so that the first files are searchable soon. */
const FIRST_BATCH_CHUNKS = 60;
/** The limit in files, for trees of tiny files. */
const BATCH_FILES = 200;
/** By how many times a batch is larger while most files come from a published index: they need no other work, and searches wait for 0.2 s. */
const PUBLISHED_BATCHES = 2;

/** The settings of chunking. */
export type Chunking = Pick<
  PrepareJob,
  "chunkSize" | "chunkOverlap" | "chunkStrategy" | "grammars" | "maxFileBytes"
>;

/** An index and its dependencies. */
export interface IndexTarget {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly chunking: Chunking;
  readonly embedder: Embedder;
  /** Set if no vectors are made, because the index has vectors of another model: the reason, for users. */
  readonly embeddingHeld: string | undefined;
  readonly cache: EmbeddingCache;
  /** The fingerprint of all exclusion rules that depend on the content of a file. */
  readonly exclusionRules: string;
  readonly store: IndexStore;
  readonly lanes: LaneWriter;
  readonly graph: LiveGraph;
  /** Updated after each commit. */
  readonly files: StoredFiles;
  /** Files excluded by a rule, by path; updated as files are read. */
  readonly excluded: Map<string, ExcludedFile>;
  /** The rows of a published index that a new index begins with. */
  readonly published?: PublishedRows | undefined;
  /** Folder listings that the watcher has just made; discovery reuses them. */
  readonly listings?: FolderListings | undefined;
  readonly log: Log;
}

/** Lets users go first. */
export interface Throttle {
  /** Waits while a user searches or types. */
  yieldToForeground(signal: AbortSignal): Promise<void>;
  /** Whether files are prepared one at a time, because a user searches or types, or did so a moment ago. */
  readonly isAsking: boolean;
  /** Waits briefly while a search runs; awaited before each slice of work on the engine's thread. */
  yieldToSearches(): Promise<void>;
}

/** An index, and what a pass over its files needs. */
export interface IndexingContext extends IndexTarget {
  readonly workspace: Pick<Workspace, "hasWork" | "report" | "whilePaused">;
  /**
   * Whether the rows of replaced and removed files are kept, and kept rows are taken back: for changes of many files at once,
   * not for each save in an editor.
   */
  readonly keepsReplaced?: boolean;
  readonly throttle: Throttle;
  readonly preparer: Preparer;
  /** Prepares small passes while `preparer` is busy. Default: `preparer`. */
  readonly smallWork?: Preparer;
}

/** Awaited before each file: waits while indexing is paused, and lets users go first. */
export async function waitForTurn(
  { workspace, throttle }: Pick<IndexingContext, "workspace" | "throttle">,
  signal: AbortSignal,
): Promise<void> {
  await workspace.whilePaused(signal);
  await throttle.yieldToForeground(signal);
}

/** Counts and durations of a pass. Durations are sums over concurrent work, in milliseconds. */
interface PassReport {
  files: number;
  /** Files that were read; the fingerprints of the others are unchanged. */
  read: number;
  changed: number;
  /** The part of the changed files that came from kept rows. */
  takenBack: number;
  /** The part of the changed files that came from a published index. */
  published: number;
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

/** Indexes the whole workspace: skips files whose hash is stored, and removes files that no longer exist. */
export async function indexAll(context: IndexingContext, signal: AbortSignal): Promise<PassReport> {
  const start = performance.now();
  const paths: string[] = [];
  const excluded = (file: ExcludedFile) => void context.excluded.set(file.path, file);
  const unread: string[] = [];
  const unreadable = (folder: string, error: unknown) => {
    context.log.warn("cannot read folder, keeping its stored files", {
      folder,
      error: messageOf(error),
    });
    unread.push(folder);
    context.workspace.report({ kind: "unreadable", path: folder });
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
  await context.published?.compare(context.root, ordered, takeOn(context), signal);
  report.discoverMs = performance.now() - start;
  return await indexFiles(context, ordered, removed, report, signal);
}

function takeOn({ root, chunking, embedder, preparer }: IndexingContext): Take {
  const { maxFileBytes, grammars = [] } = chunking;
  const embed = embedder.isLocal;
  return (files, signal) => preparer.take({ root, maxFileBytes, grammars, embed, files }, signal);
}

/** Indexes these files. `removed` lists the paths that no longer hold a file. */
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
  const showProgress = (total: number, unchecked = 0) => {
    const stored = context.files.size;
    context.workspace.report({ kind: "progress", done, total, read, stored, unchecked });
  };
  const advance = (files: number) => {
    done += files;
    read = Math.max(read, done);
    showProgress(paths.length);
  };
  const writer = createWriter(context, report, renamesFrom(context, removed), advance);
  showProgress(given.length, given.filter((path) => context.files.has(path)).length);
  const changed = await filesToRead(context, given, signal);
  const redeclared = await redeclaredFiles(context, changed, removed);
  const paths = [...new Set([...given, ...redeclared])];
  const toRead = [...new Set([...changed, ...redeclared])];
  advance(paths.length - toRead.length);
  excludeAgain(context, paths, toRead);
  report.files += paths.length;
  report.read += toRead.length;
  const known = context.keepsReplaced && context.files.size > 0 ? changed : [];
  const kept = known.filter((path) => !redeclared.has(path));
  const turn = () => waitForTurn(context, signal);
  const taken = await takeBackKept(context, kept, { report, turn, stored: advance }, signal);
  const toPrepare = toRead.filter((path) => !taken.has(path));
  const preparer = await preparerFor(context, toPrepare);
  const own = { ...context, preparer };
  try {
    const each = async (path: string) => {
      await waitForTurn(context, signal);
      signal.throwIfAborted();
      const isRedeclared = redeclared.has(path);
      const prepared = await prepare(own, path, { report, seen, isRedeclared }, signal);
      read++;
      if (prepared === "gone" && context.files.has(path)) gone.push(path);
      advance(typeof prepared === "object" ? 0 : 1);
      if (typeof prepared === "object") await writer.add(prepared);
    };
    await forEachLimited(toPrepare, preparer.concurrency, each, () => context.throttle.isAsking);
    await writer.finish([...removed, ...gone]);
    await storeFingerprints(context, seen);
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

/** Files whose declared encoding may change with these files (`.gitattributes`, `.editorconfig`). */
async function redeclaredFiles(
  { root, files }: IndexingContext,
  read: readonly string[],
  removed: readonly string[],
): Promise<ReadonlySet<string>> {
  const changed = removed.filter(declaresEncodings);
  // Files without a known time are read, although most are unchanged.
  for (const path of read)
    if (declaresEncodings(path) && (await hashFile(root, path))?.sha256 !== files.hash(path))
      changed.push(path);
  const folders = changed.map(folderOf);
  if (folders.length === 0) return new Set();
  const isBelow = (path: string) =>
    folders.some((folder) => folder === "" || path.startsWith(`${folder}/`));
  const isGone = new Set(removed);
  return new Set([...files.encodedPaths()].filter((path) => isBelow(path) && !isGone.has(path)));
}

/** Reports the exclusions of files that are unchanged since they were excluded. */
function excludeAgain(
  { files, excluded }: IndexingContext,
  paths: readonly string[],
  toRead: readonly string[],
): void {
  const isRead = new Set(toRead);
  for (const path of paths) {
    const rule = isRead.has(path) ? undefined : files.exclusionRule(path);
    if (rule !== undefined) excluded.set(path, { path, rule });
  }
}

interface PrepareState {
  readonly report: PassReport;
  readonly seen: Map<string, string>;
  /** Whether the file is prepared again although its bytes are unchanged. */
  readonly isRedeclared: boolean;
}

/** Undefined if there is nothing to store; "gone" if the stored file is to be removed. */
async function prepare(
  context: IndexingContext,
  path: string,
  { report, seen, isRedeclared }: PrepareState,
  signal: AbortSignal,
): Promise<PreparedFile | "gone" | undefined> {
  const start = performance.now();
  const { files } = context;
  const known = files.isUnfinished(path) || isRedeclared ? undefined : files.hash(path);
  const taken = await context.published?.of(path, signal);
  if (taken !== undefined) {
    report.prepareMs += performance.now() - start;
    report.published++;
    return taken;
  }
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
      context.log.warn("cannot read file, keeping its stored content", {
        path,
        error: result.reason,
      });
      context.workspace.report({ kind: "unreadable", path });
      return undefined;
    case "prepared":
      return result.file;
  }
}

function noteExclusion(
  { files, excluded }: IndexingContext,
  path: string,
  { rule, statFingerprint }: { readonly rule: string; readonly statFingerprint?: string },
): void {
  excluded.set(path, { path, rule });
  if (statFingerprint === undefined) files.forgetExclusion(path);
  else files.exclude({ path, rule, statFingerprint });
}

async function storeExclusions({ store, files, exclusionRules }: IndexingContext): Promise<void> {
  const changes = files.takeChangedExclusions();
  if (changes.excluded.length + changes.forgotten.length === 0) return;
  await store.setExclusions(exclusionRules, changes);
}

/** Stores new fingerprints of unchanged files, so that the next pass does not read them. */
async function storeFingerprints(
  { store, files }: IndexingContext,
  seen: ReadonlyMap<string, string>,
): Promise<void> {
  if (seen.size === 0) return;
  await store.setStatFingerprints(seen);
  for (const [path, fingerprint] of seen) files.recognize(path, fingerprint);
}

interface Writer {
  /** Adds a file to the current batch. Waits while the previous batch is being written. */
  add(file: PreparedFile): Promise<void>;
  /** Commits the rest and the removals; rejects with the first failure. */
  finish(removed: readonly string[]): Promise<void>;
  /** Resolves when all writes have ended: a cancelled pass must not overwrite data of the next one. */
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
  const times = context.published === undefined ? 1 : PUBLISHED_BATCHES;
  let writing: Promise<void> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;

  /** Queues the batch and resolves when the previous one is written: one batch is prepared while another is written. */
  const flush = (removed: readonly string[]): Promise<void> => {
    const files = batch;
    const previous = writing;
    [batch, chunks] = [[], 0];
    limit = Math.min(times * BATCH_CHUNKS, limit * 2);
    writing = previous.then(async () => {
      if (failure !== undefined) return;
      try {
        await storeBatch(context, files, removed, renames, report);
        stored(files.length);
      } catch (error) {
        failure = { error };
      }
    });
    return previous;
  };
  const check = () => {
    if (failure !== undefined) throw failure.error;
  };

  return {
    add: async (file) => {
      check();
      batch.push(file);
      chunks += file.chunks.length;
      if (chunks >= limit || batch.length >= times * BATCH_FILES) await flush([]);
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
    const { chunks, facts = NO_FACTS, terms } = file;
    commits.push({ file, chunks, vectors, facts, terms });
  }
  const storeStart = performance.now();
  await context.graph.beforeChange();
  await context.store.commit(commits, removed, keeps(context, files, removed));
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

/** New files have nothing to keep: four statements less in each batch of a first index. */
function keeps(
  { files: stored, keepsReplaced = false }: IndexingContext,
  files: readonly PreparedFile[],
  removed: readonly string[],
): boolean {
  return keepsReplaced && (removed.length > 0 || files.some(({ path }) => stored.has(path)));
}

/** The removed path by content hash, to detect renames. */
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
    takenBack: 0,
    published: 0,
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

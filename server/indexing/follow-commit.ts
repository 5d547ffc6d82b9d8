/** Updates the lanes, the graph and the stored files after a commit, in slices that yield to searches. */

import { createPause, inSlices } from "../common/slices.ts";
import type { LiveGraph } from "../contracts/graph.ts";
import type { LaneWriter } from "../contracts/lanes.ts";
import type { PreparedFile } from "../contracts/model.ts";
import { NO_FACTS } from "../contracts/packed-facts.ts";
import type { FileCommit } from "../contracts/store.ts";
import type { StoredChunk } from "../contracts/stored-chunk.ts";
import type { StoredFiles } from "./stored-files.ts";

/** Files removed from the graph per slice. */
const FILES_AT_ONCE = 10;

/** A file as committed. */
export interface CommittedFile {
  readonly file: Parameters<StoredFiles["put"]>[0];
  readonly chunks: Iterable<StoredChunk>;
  /** The number of chunks. */
  readonly count: number;
  /** The packed facts for the graph. */
  readonly facts: Uint8Array;
}

/** A commit of a file, with the file as prepared by the worker. */
export interface PreparedCommit extends FileCommit {
  readonly file: PreparedFile;
}

export interface CommitTargets {
  readonly lanes: LaneWriter;
  readonly graph: LiveGraph;
  readonly files: StoredFiles;
  /** `yieldToSearches` is awaited before each slice. */
  readonly throttle: { yieldToSearches(): Promise<void> };
}

export async function followCommit(
  targets: CommitTargets,
  commits: readonly PreparedCommit[],
  removed: readonly string[],
): Promise<void> {
  const committed = commits.map(({ file, vectors, facts = NO_FACTS }) => ({
    file,
    chunks: storedChunks(file, vectors),
    count: file.chunks.length,
    facts,
  }));
  await followFiles(targets, committed, removed);
}

/** The same for files whose chunks may come from the store. */
export async function followFiles(
  { lanes, graph, files, throttle }: CommitTargets,
  committed: readonly CommittedFile[],
  removed: readonly string[],
): Promise<void> {
  const yieldToSearches = () => throttle.yieldToSearches();
  await yieldToSearches();
  const chunks = committed.reduce((sum, { count }) => sum + count, 0);
  await inSlices(lanes.makeRoom(chunks), yieldToSearches);
  const pause = createPause(yieldToSearches);
  await replaceInSlices(lanes, removed, committed, pause);
  await inSlices(lanes.tidy(), yieldToSearches);
  await removeFromGraph(graph, removed.slice(FILES_AT_ONCE), pause);
  graph.replace(
    removed.slice(0, FILES_AT_ONCE),
    committed.map(({ file: { path }, facts }) => ({ path, facts })),
  );
  for (const path of removed) files.remove(path);
  for (const { file } of committed) files.put(file);
}

/** Removes files from the lanes and the graph, in slices that yield to searches. */
export async function removeInSlices(
  { lanes, graph }: Pick<CommitTargets, "lanes" | "graph">,
  paths: readonly string[],
  pause: () => Promise<void>,
): Promise<void> {
  await replaceInSlices(lanes, paths, [], pause);
  await removeFromGraph(graph, paths, pause);
}

async function removeFromGraph(
  graph: LiveGraph,
  paths: readonly string[],
  pause: () => Promise<void>,
): Promise<void> {
  for (let from = 0; from < paths.length; from += FILES_AT_ONCE) {
    graph.replace(paths.slice(from, from + FILES_AT_ONCE), []);
    await pause();
  }
}

/** Yields to searches between slices; until the last slice of a large file, searches find only its first chunks. */
async function replaceInSlices(
  lanes: LaneWriter,
  removed: readonly string[],
  committed: readonly CommittedFile[],
  pause: () => Promise<void>,
): Promise<void> {
  const { chunksAtOnce } = lanes;
  // The first removals share a slice with the first additions, so that a renamed file is never missing.
  let [paths, chunks]: [string[], StoredChunk[]] = [removed.slice(0, chunksAtOnce), []];
  for (let from = chunksAtOnce; from < removed.length; from += chunksAtOnce) {
    await lanes.replace(removed.slice(from, from + chunksAtOnce), []);
    await pause();
  }
  for (const { file, chunks: added } of committed) {
    paths.push(file.path);
    for (const chunk of added) {
      chunks.push(chunk);
      if (chunks.length < chunksAtOnce) continue;
      await lanes.replace(paths, chunks);
      [paths, chunks] = [[], []];
      await pause();
    }
  }
  if (paths.length > 0 || chunks.length > 0) await lanes.replace(paths, chunks);
}

/** The chunks of a file with their vectors; `vectors[i]` is undefined for a chunk that is not embedded yet. */
export function* storedChunks(
  { path, languageId, chunks, terms }: PreparedFile,
  vectors: FileCommit["vectors"],
): Generator<StoredChunk> {
  for (const [i, chunk] of chunks.entries()) {
    const vector = vectors[i];
    const stored = { ...chunk, path, languageId, terms: { file: terms, chunk: i } };
    yield vector === undefined ? stored : { ...stored, vector };
  }
}

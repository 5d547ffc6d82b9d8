/** The interface of a team's database: the published indexes of repositories, which every member reads and few publish. */

import type { PublishedFiles } from "./published-file.ts";
import type { Store } from "./store.ts";

/** All published indexes, among the names of indexes in a request. */
export const ALL_PUBLISHED = "*";

/** Identifies a published index. At most one index is published for each. */
export interface PublishedKey {
  /** `host/path`, see common/repository-url.ts. */
  readonly repository: string;
  /** The indexed folder of the repository, with forward slashes; empty for all of it. */
  readonly subfolder: string;
  readonly branch: string;
}

export interface PublishedIndex extends PublishedKey {
  /** The whole hash of the published commit. */
  readonly commit: string;
  /** The stored name of the index, for `Store.find`. It changes when the index is rebuilt. */
  readonly index: string;
  readonly files: number;
  readonly chunks: number;
  /** In ISO 8601. */
  readonly publishedAt: string;
  /** The model and the versions that made the rows, for `compatibility`. */
  readonly modelId: string;
  readonly dimension: number;
  readonly chunkerVersion: string;
  readonly schemaVersion: number;
  /** The role that published it and whose schema has its tables, where the rights of publishers are per repository. */
  readonly publisher?: string;
}

/** Waiting, progress and warnings of a command on a team's database. */
export interface TeamWatcher {
  readonly signal: AbortSignal;
  /** A sentence for the user. */
  note(sentence: string): void;
  /** Files that were read, of all files. */
  progress(read: number, total: number): void;
  /** Chunks without a vector. */
  embedding(pending: number): void;
}

export interface PublishRequest {
  /** A real path. */
  readonly root: string;
  /** Default: the branch that is checked out. */
  readonly branch?: string | undefined;
}

/** The result of a publish. */
export interface PublishReport {
  readonly published: PublishedIndex;
  /** False if the commit was published before, so that nothing was written. */
  readonly isChanged: boolean;
  /** Files that were written, because their content is new. */
  readonly indexed: number;
  /** Files whose rows of the earlier publish stay. */
  readonly unchanged: number;
  readonly removed: number;
}

export interface TeamSetup {
  /** Whether each publisher may write the indexes of its own repositories only, and not of all. */
  readonly perRepository: boolean;
}

/** How far a streaming replica has come. */
export interface ReplicaState {
  /** The time of the last transaction that it has replayed, in ISO 8601; undefined if none since it was started. */
  readonly replayedAt?: string;
  /** Whether it has received more than it has replayed. */
  readonly isBehind: boolean;
}

interface PublishedList {
  /** By repository, subfolder and branch. */
  readonly published: readonly PublishedIndex[];
  /** If the server is a replica. */
  readonly replica?: ReplicaState;
}

/** The commands of a team's database. Each rejects with Unavailable or BadRequest for what a user can change. */
export interface Team {
  publish(request: PublishRequest, watcher: TeamWatcher): Promise<PublishReport>;
  /** The SQL that `init` runs. */
  setupScript(setup: TeamSetup): string;
  /** Resolves to the address of the database, without user and password. */
  init(setup: TeamSetup): Promise<string>;
  list(): Promise<PublishedList>;
  /** Removes all published indexes of a repository, or of one branch. Resolves to the removed indexes. */
  remove(
    repository: string,
    branch: string | undefined,
    watcher: TeamWatcher,
  ): Promise<readonly PublishedIndex[]>;
}

/** A team's database, opened for reading: a member may only select. */
export interface TeamDatabase {
  /**
   * Its indexes, for reading. A publish replaces the rows of an index in one transaction, so each statement sees one state.
   * Rows that were read by several statements are of one state if `IndexStore.stateId` is the same before and after them.
   */
  readonly store: Store;
  /** By repository, subfolder and branch. */
  listPublished(): Promise<readonly PublishedIndex[]>;
  /** Undefined for a primary. */
  replica(): Promise<ReplicaState | undefined>;
  /** The files of one of them, to begin another index with. */
  filesOf(published: PublishedIndex): PublishedFiles;
  /** The parts of the file with its lanes; none if it was published without. */
  packedLanes(published: PublishedIndex): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The commits that history/ reads and store/ stores. Diffs are not stored, because git has them. */

import type { Settings } from "./settings.ts";

type FileStatus = "added" | "modified" | "deleted" | "renamed";

/** A file that a commit touched. */
export interface TouchedFile {
  readonly path: string;
  readonly status: FileStatus;
  /** The path before a rename. */
  readonly from?: string;
}

/** A hunk of a diff. Lines are zero-based; `lines` is 0 for a pure deletion. */
export interface Hunk {
  readonly path: string;
  readonly start: number;
  readonly lines: number;
  readonly oldStart: number;
  readonly oldLines: number;
  /** Names of the definitions that the hunk changes, outermost first. */
  readonly symbols: readonly string[];
  /** The hash of the added lines, or of the removed lines if none were added. */
  readonly textHash: string;
}

/** One commit as it is stored. */
export interface CommitRow {
  readonly sha: string;
  /** The committer date as Unix time in seconds. */
  readonly time: number;
  /** The order among commits of the same second, oldest first, since a rebase creates many per second. Default 0. */
  readonly place?: number;
  readonly author: string;
  readonly subject: string;
  readonly body: string;
  readonly files: readonly TouchedFile[];
  readonly hunks: readonly Hunk[];
  /** The reason that its changes are not searched: over 100 files, none in the workspace, or objects that git cannot read. */
  readonly excluded?: string;
  /** The data that the lanes rank it by, packed by history/lane-entry.ts. Empty for an excluded commit. */
  readonly lanes: string;
}

/** The files that a commit changed. */
export type CommitChangeRow = Pick<CommitRow, "sha" | "time" | "place" | "files">;

/** The row that the lanes are filled from. */
export type CommitLaneRow = Pick<
  CommitRow,
  "sha" | "time" | "place" | "author" | "files" | "lanes"
>;

/** The number of commits in the history of HEAD only, and in the history of another commit only. */
export interface CommitDistance {
  readonly ahead: number;
  readonly behind: number;
}

/** The state of the stored history. If two marks are equal, there is nothing to read. */
export interface HistoryMark {
  /** The commit of HEAD, and other inputs that determine the set of commits. */
  readonly position: string;
  /** The format, rules and model of the rows. */
  readonly fingerprint: string;
  /** The reason that the history ends before its limit, in words. */
  readonly reason?: string;
}

/** The history of one index. Every method is one transaction. Only the writer of the index calls the methods that write. */
export interface HistoryStore {
  /** Creates missing tables. */
  open(): Promise<void>;
  mark(): Promise<HistoryMark | undefined>;
  setMark(mark: HistoryMark): Promise<void>;
  shas(): Promise<readonly string[]>;
  /** The committer date of the oldest commit that git could read, as Unix time in seconds. */
  oldest(): Promise<number | undefined>;
  /** Adds commits and removes others. */
  commit(added: readonly CommitRow[], removed: readonly string[]): Promise<void>;
  /** All searchable commits, in pages. */
  laneRows(): AsyncIterable<readonly CommitLaneRow[]>;
  /** The same commits with their changed files only: a tenth of the bytes. */
  changeRows(): AsyncIterable<readonly CommitChangeRow[]>;
  /** Full rows in the order of the hashes. Deleted commits are omitted. */
  commits(shas: readonly string[]): Promise<readonly CommitRow[]>;
  clear(): Promise<void>;
}

/** A private git directory that reads the objects of a workspace's repository as alternates. */
export interface GitDirectory {
  /** The absolute path of the git executable. */
  readonly git: string;
  readonly folder: string;
}

/** Commits to read, for a worker thread. */
export interface ReadCommitsJob {
  readonly directory: GitDirectory;
  readonly shas: readonly string[];
  /** The workspace, whose ignore rules exclude paths. */
  readonly root: string;
  /** The path of the workspace in its repository, with a trailing slash. Empty at the root. */
  readonly prefix: string;
  readonly rules: Pick<
    Settings,
    "indexing.includePatterns" | "indexing.excludePatterns" | "indexing.nestedWorktrees"
  >;
  /** Whether the built-in model embeds in the worker. */
  readonly embed: boolean;
}

/** A commit with the text that a remote model embeds. */
export interface ReadCommit extends CommitRow {
  readonly text?: string;
}

export interface CommitReader {
  readCommits(job: ReadCommitsJob, signal?: AbortSignal): Promise<readonly ReadCommit[]>;
}

/** The progress of reading the history of an index. */
export interface HistoryStatus {
  readonly state: "off" | "unavailable" | "waiting" | "reading" | "ready";
  readonly reason?: string;
  /** The number of searchable commits. */
  readonly commits: number;
  /** The number of commits to read, once they are listed. */
  readonly total: number;
  /** The committer date of the oldest commit that is read, as Unix time in seconds. */
  readonly since?: number;
}

/** A file that commits changed together with others. */
export interface CoChange {
  readonly path: string;
  /** Greater than 0. Each changed file adds at most 1. */
  readonly score: number;
  /** The score with a higher weight of recent commits. */
  readonly recent: number;
}

/** Evidence from commits about some files, for impact analysis. */
export interface ChangeHistory {
  /** By `score`, best first. */
  readonly together: readonly CoChange[];
  /** The number of changes per file, with a higher weight of recent commits. */
  readonly busy: ReadonlyMap<string, number>;
}

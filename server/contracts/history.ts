/** What history/ reads of a repository's commits, and what store/ keeps of them. No diff text: git has it. */

import type { Settings } from "./settings.ts";

type FileStatus = "added" | "modified" | "deleted" | "renamed";

/** A file that a commit touched. */
export interface TouchedFile {
  readonly path: string;
  readonly status: FileStatus;
  /** The path before a rename. */
  readonly from?: string;
}

/** A run of changed lines. Lines count from zero; `lines` 0 means that nothing is left of the old ones. */
export interface Hunk {
  readonly path: string;
  readonly start: number;
  readonly lines: number;
  readonly oldStart: number;
  readonly oldLines: number;
  /** Names of the definitions that the hunk changes, outermost first. */
  readonly symbols: readonly string[];
  /** Of the added lines, or of the removed ones where none were added. */
  readonly textHash: string;
}

/** One commit as it is stored. */
export interface CommitRow {
  readonly sha: string;
  /** The committer's, in seconds since 1970. */
  readonly time: number;
  /** Its place among the commits of its second, the oldest first; 0 where it is not told. A rebase makes many in one second. */
  readonly place?: number;
  readonly author: string;
  readonly subject: string;
  readonly body: string;
  readonly files: readonly TouchedFile[];
  readonly hunks: readonly Hunk[];
  /** Why nothing of its changes is searched: more than a hundred files, none of the workspace, or objects that git cannot read. */
  readonly excluded?: string;
  /** What the lanes rank it by, packed by history/lane-entry.ts. Empty for a commit that is not found. */
  readonly lanes: string;
}

/** What commits changed. */
export type CommitChangeRow = Pick<CommitRow, "sha" | "time" | "place" | "files">;

/** What the lanes are filled with. */
export type CommitLaneRow = Pick<
  CommitRow,
  "sha" | "time" | "place" | "author" | "files" | "lanes"
>;

/** How far the stored history goes: equal marks mean that there is nothing to read. */
export interface HistoryMark {
  /** The commit of HEAD, and what else says which commits belong to its history. */
  readonly position: string;
  /** What the rows were made with: format, rules and model. */
  readonly fingerprint: string;
  /** Why history ends before its limit, in words. */
  readonly reason?: string;
}

/** The history of one index. Every method is one transaction; only the writer of the index calls those that write. */
export interface HistoryStore {
  /** Creates the tables where they are missing. */
  open(): Promise<void>;
  mark(): Promise<HistoryMark | undefined>;
  setMark(mark: HistoryMark): Promise<void>;
  shas(): Promise<readonly string[]>;
  /** Adds commits and removes others. */
  commit(added: readonly CommitRow[], removed: readonly string[]): Promise<void>;
  /** All commits that can be found, in pages. */
  laneRows(): AsyncIterable<readonly CommitLaneRow[]>;
  /** The same commits with what they changed alone: a tenth of the bytes. */
  changeRows(): AsyncIterable<readonly CommitChangeRow[]>;
  /** Whole rows in the order of the hashes; those that are gone are left out. */
  commits(shas: readonly string[]): Promise<readonly CommitRow[]>;
  clear(): Promise<void>;
}

/** A git directory of ours that lends the objects of a workspace's repository. */
export interface GitDirectory {
  /** Absolute path of the program. */
  readonly git: string;
  readonly folder: string;
}

/** Commits to read, for a worker thread. */
export interface ReadCommitsJob {
  readonly directory: GitDirectory;
  readonly shas: readonly string[];
  /** The workspace, whose rules say which paths are left out. */
  readonly root: string;
  /** Where the workspace is in its repository, with a slash at the end; empty at its top. */
  readonly prefix: string;
  readonly rules: Pick<Settings, "indexing.includePatterns" | "indexing.excludePatterns">;
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

/** How far the history of an index is read. */
export interface HistoryStatus {
  readonly state: "off" | "unavailable" | "waiting" | "reading" | "ready";
  readonly reason?: string;
  /** Commits that can be searched. */
  readonly commits: number;
  /** Commits that are to be, once they have been listed. */
  readonly total: number;
}

/** A file that commits changed together with others. */
export interface CoChange {
  readonly path: string;
  /** More than 0; each changed file adds at most 1. */
  readonly score: number;
  /** The same with late commits counted more. */
  readonly recent: number;
}

/** What commits say of some files; used for impact. */
export interface ChangeHistory {
  /** By `score`, best first. */
  readonly together: readonly CoChange[];
  /** How often every file changed, late commits counted more. */
  readonly busy: ReadonlyMap<string, number>;
}

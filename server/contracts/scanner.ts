/** The interface of the worker thread that looks through whole files for a text or a pattern. */

/** The text or regular expression that a scan looks for in each line. */
export interface Sought {
  readonly text: string;
  readonly kind: "exact" | "pattern";
  readonly ignoreCase: boolean;
}

export interface KnownOfFile {
  /** The encoding in the index, if the bytes do not determine it. */
  readonly encoding?: string | undefined;
  /** The unsaved text of an open buffer, used instead of the file on disk. */
  readonly text?: string;
}

export interface FileToScan extends KnownOfFile {
  /** Relative to the root of the job. */
  readonly path: string;
}

interface FilesJob {
  /** A real path; no file outside is read. */
  readonly root: string;
  readonly maxFileBytes: number;
  readonly sought: Sought;
  /** The job stops before the first file that it does not finish within this. */
  readonly limitMs: number;
}

/** Separates the paths of a job. No path has it. */
export const PATH_SEPARATOR = "\0";

export interface ScanJob extends FilesJob {
  /** Relative to the root, separated by PATH_SEPARATOR: one long text is sent and compared in a hundredth of the time of thousands. */
  readonly paths: string;
  /** The number of paths that earlier jobs have done. */
  readonly from: number;
  /** The encoding or unsaved text of the files that have one. */
  readonly known: ReadonlyMap<string, KnownOfFile>;
  /** No further file is begun after this, so that the caller can report progress or stop. */
  readonly sliceMs: number;
}

/** The matches of a file from `from` on, `to` excluded, in the order of the text. */
interface FileToList extends FileToScan {
  readonly from: number;
  readonly to: number;
}

export interface ListJob extends FilesJob {
  readonly files: readonly FileToList[];
}

/** Why an indexed file was not searched. */
export type ScanFailure = "too large" | "unreadable" | "changed while reading";

export interface WholeText {
  /** With line feeds at the ends of lines, and for a notebook the code of its cells. */
  readonly text: string;
  /** The same text without secrets, which a scan computes for matching files only. */
  masked(): string;
  /** False only if `text` does not have one of these trigrams, as common/trigram-filter.ts hashes them. */
  mayHave(trigrams: Uint32Array): boolean;
  /** The hash of the bytes. */
  readonly sha256: string;
}

export interface NoText {
  /** Undefined for a file that does not exist anymore. */
  readonly failure: ScanFailure | undefined;
}

export interface MatchingFile {
  readonly path: string;
  readonly matches: number;
  readonly languageId: string;
}

export type Scanned =
  | { readonly kind: "invalid"; readonly problem: string }
  | {
      readonly kind: "scanned";
      /** The number of files that are done, including failed ones. */
      readonly files: number;
      readonly matching: readonly MatchingFile[];
      readonly failures: readonly { readonly path: string; readonly reason: ScanFailure }[];
    };

/** The length of a part of a line. */
export interface PartLength {
  /** In UTF-16 units. */
  readonly units: number;
  /** In bytes of UTF-8. */
  readonly bytes: number;
  /** In code points. */
  readonly characters: number;
}

/** A place of the text or pattern. Lines and columns are zero-based, in UTF-16 units. */
export interface FoundPlace {
  readonly line: number;
  readonly column: number;
  /** Zero for an empty match, such as `^$`. */
  readonly length: number;
  /** The line, or of a long line at most 400 units around the match. Secrets are masked. */
  readonly text: string;
  /** The part of the line before `text`. Undefined if `text` begins with the line. */
  readonly before?: PartLength;
}

export interface ListedPlaces {
  readonly path: string;
  /** The hash of the bytes on disk, or of the unsaved text. */
  readonly sha256: string;
  readonly places: readonly FoundPlace[];
}

export interface Scanner {
  /** Counts the matches of each file. Rejects with `TimeLimitExceeded` if one file takes much longer than the limit. */
  scan(job: ScanJob): Promise<Scanned>;
  /** Reads the lines of matches. Files that cannot be read anymore are missing. */
  list(job: ListJob): Promise<readonly ListedPlaces[]>;
}

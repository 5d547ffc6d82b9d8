/** The rows of an index that another installation has published in the team's database. A new index begins with them. */

import type { CutFile } from "./model.ts";

/**
 * A file as another program stored it. Nothing of it is trusted: `indexing/published-file.ts` compares it with the local file
 * before it is used.
 */
export interface PublishedFile
  extends Pick<CutFile, "path" | "sha256" | "languageId" | "category" | "parse" | "secrets"> {
  readonly chunks: CutFile["chunks"];
  /** A row per chunk, one after the other. Undefined unless every chunk has a vector of the index's dimension. */
  readonly vectors?: Float32Array;
  /** The packed facts. Empty without facts. */
  readonly facts: Uint8Array;
}

/** The size of a published file, to read its rows only for a local file of that size, and in bounded batches. */
export interface PublishedSize {
  /** In bytes. */
  readonly size: number;
  readonly chunks: number;
}

/** The files of one published index. Methods reject if the database does not answer. */
export interface PublishedFiles {
  /** The repository and commit, for messages. */
  readonly origin: PublishedOrigin;
  /** By path. Without files whose rows depend on more than their content. */
  sizes(): Promise<ReadonlyMap<string, PublishedSize>>;
  /** The rows of these files; a file that is gone or has rows of an unreasonable size is left out. */
  read(paths: readonly string[]): Promise<readonly PublishedFile[]>;
  /** The texts of the chunks of a file, by position. */
  texts(path: string): Promise<readonly PublishedText[]>;
}

/** The text of a chunk and its place: `start` and `end` in bytes of the file, `line` from 0. */
export interface PublishedText {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly text: string;
}

interface PublishedOrigin {
  /** `host/path`. */
  readonly repository: string;
  readonly commit: string;
}

/** The published index that an index began with. */
export interface BegunWith extends PublishedOrigin {
  /** The files whose rows it took over, of all files at the end of its first pass. */
  readonly files: number;
  readonly total: number;
}

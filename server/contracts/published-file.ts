/** The rows of an index that another installation has published in the team's database. A new index begins with them. */

import type { CutFile, PreparedFile, UserGrammar } from "./model.ts";

/**
 * A file as another program stored it. Nothing of it is trusted: `indexing/published-file.ts` compares it with the local file
 * before it is used.
 */
export interface PublishedFile
  extends Pick<CutFile, "path" | "sha256" | "languageId" | "category" | "parse" | "secrets"> {
  /** The rows of its chunks as JSON, which costs threads less than objects: see `indexing/published-chunks.ts`. */
  readonly chunks: string;
  /** A row per chunk, one after the other. Undefined unless every chunk has a vector of the index's dimension. */
  readonly vectors?: Float32Array;
  /** The packed facts. Empty without facts. */
  readonly facts: Uint8Array;
  /** The packed terms. Undefined if they are counted in another way here, or were not published. */
  readonly terms?: Uint8Array;
}

/** In hexadecimal digits of the hash of a chunk's text: enough to notice rows that are of another text by accident. */
export const TEXT_HASH_LENGTH = 8;

/** The rows of published files to compare with the files of a root, on a thread. */
export interface TakeJob {
  readonly root: string;
  readonly maxFileBytes: number;
  /** The grammars of the user, whose languages take precedence. */
  readonly grammars?: readonly UserGrammar[];
  /** Whether the built-in model embeds the files whose rows lack a vector. */
  readonly embed: boolean;
  readonly files: readonly ComparedFile[];
}

/** The rows without the vectors, which are compared with nothing. */
export interface ComparedFile extends Omit<PublishedFile, "vectors"> {
  readonly hasVectors: boolean;
}

/** The parts of a file that its rows lack: the attributes of the local file, the texts of the chunks, the terms, and missing vectors. */
export interface FoundFile
  extends Pick<PreparedFile, "size" | "mtimeMs" | "statFingerprint" | "terms" | "vectors"> {
  readonly texts: readonly string[];
  /** Whether the published terms were wrong, so that they were counted here. */
  readonly areTermsRefused: boolean;
}

export type TakeResult =
  | { readonly kind: "taken"; readonly found: FoundFile }
  /** Its rows are wrong: the reason, for the log. */
  | { readonly kind: "refused"; readonly reason: string }
  /** It has another content, its rows depend on more than its content, or it is excluded here. */
  | { readonly kind: "not comparable" };

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
  /** The dimension of its vectors. */
  readonly dimension: number;
  /** By path. Without files whose rows depend on more than their content. */
  sizes(): Promise<ReadonlyMap<string, PublishedSize>>;
  /** The rows of these files; a file that is gone or has rows of an unreasonable size is left out. */
  read(paths: readonly string[]): Promise<readonly PublishedFile[]>;
  /** The texts of the chunks of a file, by position; none if a publish has replaced this content meanwhile. */
  texts(path: string, sha256: string): Promise<readonly PublishedText[]>;
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

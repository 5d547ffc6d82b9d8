/** The interfaces through which answers about commits see open folders, and functions of other parts. */

import type { Log } from "../../common/log.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { HistoryStore } from "../../contracts/history.ts";
import type { CommitTools } from "../digest-commit.ts";
import type { IndexHistory } from "../index-history.ts";

export interface HistoryIndex {
  readonly root: string;
  readonly history: IndexHistory;
  /** Undefined until the database answers. */
  readonly store: { readonly history: HistoryStore } | undefined;
  readonly embedder: Embedder;
  /** `decide` returns the rule that excludes a file. */
  readonly rules: { decide(path: string, kind: "file"): object | undefined };
  encodingOf(path: string): string | undefined;
}

/** A folder that a session has open. */
export interface HistoryFolder {
  readonly root: string;
  readonly index: HistoryIndex;
  /** The folder's path in the index; undefined if it is the root. */
  readonly part: string | undefined;
}

export interface TextTools extends Pick<CommitTools, "termsOf" | "maskSecrets"> {
  /** Undefined for a binary file. `encoding` is that of the file in the index. */
  decode(bytes: Uint8Array, encoding: string | undefined): string | undefined;
}

export interface HistoryContext {
  readonly log: Log;
  readonly tools: TextTools;
  /** The text of a file or its buffer with its secrets, for comparisons; undefined if the file is gone or unreadable. */
  readLines(root: string, path: string): Promise<readonly string[] | undefined>;
}

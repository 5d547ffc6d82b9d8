/** The interface between the write path and the graph, and the stored rows of the graph. */

/** The stored row of a file. */
export interface StoredFacts {
  readonly path: string;
  /** In the format of `contracts/packed-facts.ts`; empty for a file without facts. */
  readonly facts: Uint8Array;
  /** The hash of the stored import edges; empty while they are not stored. */
  readonly edgesHash: string;
}

/** The kinds of occurrences in an edge between two files. */
export const EDGE_TYPES = ["import", "call", "reference"] as const;

/** A stored edge, with the column names of CocoSearch. */
export interface DependencyRow {
  readonly sourceFile: string;
  /** Undefined for a package from outside the workspace. */
  readonly targetFile?: string;
  readonly targetSymbol?: string;
  readonly type: (typeof EDGE_TYPES)[number];
  readonly line: number;
  readonly confidence: number;
  readonly how: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** All edges from one file; they replace its stored edges. */
export interface FileDependencies {
  readonly path: string;
  readonly rows: readonly DependencyRow[];
  readonly hash: string;
}

/** The graph in memory, as the write path sees it. It changes after commits, never before. */
export interface LiveGraph {
  /** Awaited before a commit, to read stored rows that the commit replaces. */
  beforeChange(): Promise<void>;
  replace(
    removed: readonly string[],
    files: readonly { readonly path: string; readonly facts: Uint8Array }[],
  ): void;
}

/** The port between the write path and the graph, and the rows that the store keeps of it. */

/** A range of bytes in a scratch space. */
export interface ScratchPlace {
  readonly offset: number;
  readonly length: number;
}

/** Temporary storage outside of memory for rarely used data. It is empty after a restart. */
export interface Scratch {
  /** Undefined if the storage is full. */
  put(bytes: Uint8Array): ScratchPlace | undefined;
  /** A copy of the stored bytes, with spare capacity at the end. */
  get(place: ScratchPlace, room?: number): Uint8Array<ArrayBuffer>;
  /** Frees the range. */
  remove(place: ScratchPlace): void;
}

/** The stored row of a file for the graph. */
export interface StoredFacts {
  readonly path: string;
  /** Facts as packed by `contracts/packed-facts.ts`. Empty for a file without facts. */
  readonly facts: Uint8Array;
  /** The hash of the stored import edges of the file. Empty if they are not stored. */
  readonly edgesHash: string;
}

/** The kinds of edges between two files. */
export const EDGE_TYPES = ["import", "call", "reference"] as const;

/** A stored edge, with the names of CocoSearch. */
export interface DependencyRow {
  readonly sourceFile: string;
  readonly sourceSymbol?: string;
  /** Undefined for an external package. */
  readonly targetFile?: string;
  readonly targetSymbol?: string;
  readonly type: (typeof EDGE_TYPES)[number];
  readonly line: number;
  readonly confidence: number;
  readonly how: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The edges that replace the stored edges of a file. */
export interface FileDependencies {
  readonly path: string;
  readonly rows: readonly DependencyRow[];
  readonly hash: string;
}

/** The interface of the in-memory graph for the write path. The graph is updated after commits, never before. */
export interface LiveGraph {
  /** Awaited before a commit, because the graph may still need the stored facts of the replaced files. */
  beforeChange(): Promise<void>;
  replace(
    removed: readonly string[],
    files: readonly { readonly path: string; readonly facts: Uint8Array }[],
  ): void;
}

/** The port between the write path and the graph, and the rows that the store keeps of it. */

/** Where bytes are in a scratch space. */
export interface ScratchPlace {
  readonly offset: number;
  readonly length: number;
}

/** Space outside of memory for what is rarely needed; it is empty again after a restart. */
export interface Scratch {
  /** Undefined where there is no room. */
  put(bytes: Uint8Array): ScratchPlace | undefined;
  /** A copy of the bytes that were put there, and room for more behind them. */
  get(place: ScratchPlace, room?: number): Uint8Array<ArrayBuffer>;
  /** The place may be given to others. */
  remove(place: ScratchPlace): void;
}

/** What is stored of a file for the graph. */
export interface StoredFacts {
  readonly path: string;
  /** Facts as `contracts/packed-facts.ts` packs them; empty for a file of which there are none. */
  readonly facts: Uint8Array;
  /** Of the import edges that are stored of the file; empty while they are not. */
  readonly edgesHash: string;
}

/** What an edge between two files is made of. */
export const EDGE_TYPES = ["import", "call", "reference"] as const;

/** One edge as the store keeps it, under the names of CocoSearch. */
export interface DependencyRow {
  readonly sourceFile: string;
  readonly sourceSymbol?: string;
  /** Undefined for a package that is not in the workspace. */
  readonly targetFile?: string;
  readonly targetSymbol?: string;
  readonly type: (typeof EDGE_TYPES)[number];
  readonly line: number;
  readonly confidence: number;
  readonly how: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The edges of one file, in place of those that are stored of it. */
export interface FileDependencies {
  readonly path: string;
  readonly rows: readonly DependencyRow[];
  readonly hash: string;
}

/** The graph in memory as the write path sees it: it follows commits, never leads them. */
export interface LiveGraph {
  /** Awaited before a commit: what is stored of the files that it replaces may be needed to follow it. */
  beforeChange(): Promise<void>;
  replace(
    removed: readonly string[],
    files: readonly { readonly path: string; readonly facts: Uint8Array }[],
  ): void;
}

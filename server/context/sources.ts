/** The dependencies of the context pipeline; the engine builds them per session. */

import type { CodeSymbol, Hit, Lines } from "../contracts/model.ts";
import type { SearchRequest } from "../contracts/search-request.ts";

export interface ContextSources {
  search(request: SearchRequest): Promise<{
    readonly hits: readonly Hit[];
    readonly warnings: readonly string[];
  }>;
  /** Lines of a file as its reader sees them now; undefined when the file is gone. */
  readLines(root: string, path: string, lines: Lines): Promise<readonly string[] | undefined>;
  /** All definitions of a file, in source order. */
  definitions(root: string, path: string): Promise<readonly CodeSymbol[]>;
  /**
   * Direct callees and callers of the code at these places. The iterator is lazy: stopping early skips the remaining
   * lookups. Empty if the call graph is not ready.
   */
  neighbors(places: readonly CodePlace[]): AsyncIterable<Neighbor>;
}

/** Some lines of a file. */
export interface CodePlace {
  readonly root: string;
  readonly path: string;
  readonly lines: Lines;
}

/** A definition that a place calls, or is called from. */
export interface Neighbor {
  readonly root: string;
  readonly path: string;
  /** The line of its name. */
  readonly line: number;
}

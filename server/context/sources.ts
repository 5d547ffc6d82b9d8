/** What the pipeline needs from outside; the engine puts it together for each session. */

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
}

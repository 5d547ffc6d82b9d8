/**
 * Searches an index as a session does, for the warm-up. It asks no model that the user runs and caches no answer; the files that it
 * reads stay cached for the next search.
 */

import type { Preparer } from "../../contracts/preparer.ts";
import { search } from "../../search/search.ts";
import { searchSymbols } from "../../search/symbols.ts";
import type { OpenIndex } from "../indexes/open-index.ts";
import { Buffers } from "./buffers.ts";
import { Folder } from "./folder.ts";
import { NO_MODELS } from "./query-models.ts";
import { type ContextDeps, createContextOf } from "./search-context.ts";

export function createRehearsal(
  deps: Omit<ContextDeps, "models">,
  preparer: Preparer,
): (index: OpenIndex, query: string) => Promise<void> {
  const models = { get: () => NO_MODELS };
  return async (index, query) => {
    const context = createContextOf({ ...deps, models })({
      indexes: [new Folder(index.root, index)],
      only: new Map(),
      failures: new Map(),
      replaced: new Set(),
      settings: index.settings,
      buffers: new Buffers(preparer, deps.log),
    });
    await search(context, { query });
    if (!query.includes(" ")) await searchSymbols(context, query, context.defaultLimit);
  };
}

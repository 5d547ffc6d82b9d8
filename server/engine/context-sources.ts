/** What packing a context needs, from the read path over a session's targets. */

import type { ContextSources } from "../context/sources.ts";
import type { CodeSymbol } from "../contracts/model.ts";
import type { SearchContext } from "../search/context.ts";
import { search } from "../search/search.ts";

export function contextSources(context: SearchContext, signal?: AbortSignal): ContextSources {
  return {
    search: (request) => search(context, request, signal),
    readLines: context.readLines,
    definitions: async (root, path) => {
      const index = context.indexes.find((each) => each.root === root);
      const lanes = await index?.lanes();
      if (lanes === undefined) return [];
      const facts = await lanes.facts(await lanes.chunksOf([path]));
      const byLine = new Map<number, CodeSymbol>();
      for (const { symbols } of facts.values()) {
        for (const symbol of symbols) byLine.set(symbol.nameLine, symbol);
      }
      return [...byLine.values()].toSorted((a, b) => a.nameLine - b.nameLine);
    },
  };
}

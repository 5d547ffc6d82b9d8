/** The second stage: asks the search, and reads what it found. */

import type { ContextRequest } from "../contracts/context-request.ts";
import type { Hit } from "../contracts/model.ts";
import type { SearchRequest } from "../contracts/search-request.ts";
import type { MessageAnalysis } from "./analyze.ts";
import {
  type FileText,
  fileKey,
  fileText,
  MAX_DOC_LINES,
  mergePassages,
  type Passage,
} from "./passage.ts";
import { relevanceOf } from "./rank.ts";
import type { ContextSources } from "./sources.ts";

/** A passage takes about this many tokens; a search for more would be left out anyway. */
const TOKENS_PER_HIT = 60;
const MIN_HITS = 20;
const MAX_HITS = 60;

/** Hits in the files that a short reply is about, and where they are placed in the list. */
const MAX_RECENT_HITS = 5;
const RECENT_HITS_RANK = 3;

export interface Retrieved {
  readonly passages: readonly Passage[];
  readonly files: ReadonlyMap<string, FileText>;
  readonly warnings: readonly string[];
}

export async function retrieve(
  sources: ContextSources,
  analysis: MessageAnalysis,
  request: ContextRequest,
  tokenBudget: number,
): Promise<Retrieved> {
  const limit = Math.max(MIN_HITS, Math.min(MAX_HITS, Math.ceil(tokenBudget / TOKENS_PER_HIT)));
  const { paths, languages, indexes } = request;
  const search: SearchRequest = { query: analysis.query, limit, paths, languages, indexes };
  const { hits, warnings } = await sources.search(search);
  const recent =
    analysis.files.length === 0
      ? []
      : (await sources.search({ ...search, limit: MAX_RECENT_HITS, paths: [...analysis.files] }))
          .hits;
  const passages = mergePassages(withRecent(hits, recent), relevanceOf);
  return { passages, files: await readFiles(sources, passages), warnings };
}

/** What came before is placed behind the best answers to the question itself. */
function withRecent(hits: readonly Hit[], recent: readonly Hit[]): Hit[] {
  const all = [...hits.slice(0, RECENT_HITS_RANK), ...recent, ...hits.slice(RECENT_HITS_RANK)];
  const seen = new Set<string>();
  return all.filter((hit) => {
    const key = `${fileKey(hit)}\n${hit.lines.start}`;
    return !seen.has(key) && seen.add(key);
  });
}

async function readFiles(
  sources: ContextSources,
  passages: readonly Passage[],
): Promise<Map<string, FileText>> {
  const byFile = new Map<string, Passage[]>();
  for (const passage of passages) {
    const key = fileKey(passage);
    byFile.set(key, [...(byFile.get(key) ?? []), passage]);
  }
  const entries = [...byFile].map(async ([key, ofFile]) => {
    const [first] = ofFile;
    if (first === undefined) return undefined;
    const { root, path } = first;
    const definitions = await sources.definitions(root, path);
    const ranges = ofFile.flatMap(({ range, symbol }) => {
      if (symbol === undefined) return [range];
      const start = Math.max(symbol.lines.start, symbol.nameLine - MAX_DOC_LINES);
      return [range, { start, end: symbol.nameLine }];
    });
    const outlines = ofFile.flatMap(({ symbol }) =>
      symbol?.type === "class"
        ? definitions
            .filter(({ nameLine }) => nameLine > symbol.nameLine && nameLine <= symbol.lines.end)
            .map(({ nameLine }) => ({ start: nameLine, end: nameLine }))
        : [],
    );
    const parts = await Promise.all(
      [...ranges, ...outlines].map(async (range) => ({
        start: range.start,
        lines: (await sources.readLines(root, path, range)) ?? [],
      })),
    );
    return [key, fileText(parts, definitions)] as const;
  });
  return new Map((await Promise.all(entries)).filter((entry) => entry !== undefined));
}

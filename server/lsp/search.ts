/** cocosearch/search and cocosearch/analyze: the whole answer, for clients that can ask for it. */

import { Unavailable } from "../common/errors.ts";
import type { Hit } from "../contracts/model.ts";
import type { SearchAnswer, SearchRequest } from "../contracts/session.ts";
import { type FoundHit, toFoundHit } from "./found-hit.ts";
import { onRequest, searchRequest } from "./requests.ts";
import type { ServerContext } from "./server-context.ts";

/** An answer as the protocol carries it. */
export interface SearchResponse extends Omit<SearchAnswer, "hits"> {
  readonly hits: readonly FoundHit[];
}

const NOTHING = { hits: [], indexed: 0, total: 0, mode: "keyword", cache: "miss" } as const;

export function register(context: ServerContext): void {
  const { documents, workspace } = context;
  onRequest(context, "cocosearch/search", async (params, signal) =>
    toSearchResponse(context, await search(context, await searchRequest(params), signal)),
  );
  onRequest(context, "cocosearch/analyze", async (params, signal) => {
    const request = await searchRequest(params);
    const session = await workspace.session();
    documents.flush(session);
    return toSearchResponse(context, await session.analyze(request, signal));
  });
}

/** Without an engine there is an answer too: nothing, and why. */
export async function search(
  { documents, workspace }: ServerContext,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  try {
    const session = await workspace.session();
    documents.flush(session);
    return await session.search(request, signal);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { ...NOTHING, state: "unavailable", warnings: [error.message] };
  }
}

export function toSearchResponse<A extends { readonly hits: readonly Hit[] }>(
  { client, folders }: Pick<ServerContext, "client" | "folders">,
  answer: A,
): Omit<A, "hits"> & Pick<SearchResponse, "hits"> {
  const { encoding } = client();
  const hits = answer.hits.map((hit) =>
    toFoundHit(hit, folders.toClient(hit.root, hit.path), encoding),
  );
  return { ...answer, hits };
}

/** cocosearch/search and cocosearch/analyze: the full answer, for clients that send custom requests. */

import type { Location } from "vscode-languageserver";
import { Unavailable } from "../common/errors.ts";
import type { Hit } from "../contracts/model.ts";
import type { RelatedToHits, SearchAnswer, SearchRequest } from "../contracts/session.ts";
import { toCursor, toUri } from "./convert.ts";
import { type FoundHit, toFoundHit } from "./found-hit.ts";
import { onRequest, searchRequest } from "./requests.ts";
import type { ServerContext } from "./server-context.ts";

/** An answer in the form of the protocol. */
export interface SearchResponse extends Omit<SearchAnswer, "hits" | "related"> {
  readonly hits: readonly FoundHit[];
  readonly related?: readonly FoundRelated[];
}

/** A file related to the hits. */
interface FoundRelated extends Omit<RelatedToHits, "root" | "path" | "via" | "line"> {
  readonly uri: string;
  /** The URI of the file at the other end of the edge. */
  readonly via: string;
  /** The line of the edge, in the dependent file. */
  readonly edge: Location;
}

const EMPTY_ANSWER = { hits: [], indexed: 0, total: 0, mode: "keyword", cache: "miss" } as const;

export function register(context: ServerContext): void {
  const { documents, workspace } = context;
  onRequest(context, "cocosearch/search", async (params, signal) =>
    toWholeResponse(context, await answerSearch(context, await searchRequest(params), signal)),
  );
  onRequest(context, "cocosearch/analyze", async (params, signal) => {
    const request = await searchRequest(params);
    const session = await workspace.session();
    documents.flush(session);
    return toWholeResponse(context, await session.analyze(request, signal));
  });
}

/** If the engine is unavailable, the answer is empty and has the reason as a warning. */
export async function answerSearch(
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
    return { ...EMPTY_ANSWER, state: "unavailable", warnings: [error.message] };
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

export function toWholeResponse<
  A extends { readonly hits: readonly Hit[]; readonly related?: readonly RelatedToHits[] },
>(context: ServerContext, answer: A) {
  return withRelated(context, toSearchResponse(context, answer));
}

function withRelated<A extends { readonly related?: readonly RelatedToHits[] | undefined }>(
  { folders }: Pick<ServerContext, "folders">,
  { related, ...answer }: A,
): Omit<A, "related"> & Pick<SearchResponse, "related"> {
  if (related === undefined) return answer;
  return { ...answer, related: related.map((file) => toFoundRelated(folders, file)) };
}

function toFoundRelated(
  folders: ServerContext["folders"],
  { root, path, via, line, ...edge }: RelatedToHits,
): FoundRelated {
  const [uri, other] = [path, via].map((each) => toUri(folders.toClient(root, each))) as [
    string,
    string,
  ];
  const place = { uri: edge.dependent ? uri : other, range: toCursor(line) };
  return { uri, via: other, edge: place, ...edge };
}

/** cocosearch/similar: finds code in other files that resembles the code at a place. */

import type { Location } from "vscode-languageserver";
import type { SimilarAnswer } from "../contracts/session.ts";
import type { SimilarRequest } from "../contracts/similar-request.ts";
import { toRange, toUri } from "./convert.ts";
import type { Folders } from "./folders.ts";
import { type FoundHit, type FoundSymbol, withoutLines } from "./found-hit.ts";
import { filePath, onRequest } from "./requests.ts";
import { toSearchResponse } from "./search.ts";
import type { ServerContext } from "./server-context.ts";

interface FoundSimilar extends Omit<SimilarAnswer, "hits" | "subject"> {
  /** The code that was compared. */
  readonly subject: { readonly location: Location; readonly symbol?: FoundSymbol };
  readonly hits: readonly FoundHit[];
}

export function register(context: ServerContext): void {
  const { documents, folders, workspace } = context;
  onRequest(context, "cocosearch/similar", async (params, signal) => {
    const request = await similarRequest(folders, params);
    const session = await workspace.session();
    documents.flush(session);
    return toFoundSimilar(context, await session.similar(request, signal));
  });
}

/** The parameters are `{uri, position}` and the parameters of a search. */
async function similarRequest(folders: Folders, params: unknown): Promise<SimilarRequest> {
  const { parseSimilarPlace } = await import("../contracts/client-requests.ts");
  const { uri, position, ...filters } = parseSimilarPlace(params);
  return { ...filters, path: folders.toIndex(filePath("uri", uri)), line: position.line };
}

export function toFoundSimilar(
  context: ServerContext,
  { subject, ...answer }: SimilarAnswer,
): FoundSimilar {
  const { folders } = context;
  const { root, path, lines, symbol } = subject;
  const uri = toUri(folders.toClient(root, path));
  return {
    subject: {
      location: { uri, range: toRange(lines) },
      ...(symbol === undefined ? {} : { symbol: withoutLines(symbol) }),
    },
    ...toSearchResponse(context, answer),
  };
}

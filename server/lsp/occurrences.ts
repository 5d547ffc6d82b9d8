/** cocosearch/occurrences: every place of a text or a pattern in the opened folders. */

import type { Range } from "vscode-languageserver";
import type {
  AroundPlace,
  Occurrence,
  OccurrencesInFile,
  OccurrencesRequest,
} from "../contracts/occurrences-request.ts";
import type { OccurrencesAnswer } from "../contracts/session.ts";
import { type PlaceRange, toCursor, toPlaceRange, toUri } from "./convert.ts";
import { onRequest } from "./requests.ts";
import type { ServerContext } from "./server-context.ts";

/** An answer in the form of the protocol. */
interface OccurrencesResponse extends Omit<OccurrencesAnswer, "files" | "start"> {
  readonly files: readonly ResponseFile[];
}

interface ResponseFile extends Omit<OccurrencesInFile, "root" | "path" | "places"> {
  readonly uri: string;
  readonly places: readonly ResponsePlace[];
}

interface ResponsePlace extends PlaceRange {
  readonly definition?: Omit<AroundPlace, "line"> & {
    /** The line of its name. */
    readonly selectionRange: Range;
  };
}

export function register(context: ServerContext): void {
  const { documents, workspace } = context;
  onRequest(context, "cocosearch/occurrences", async (params, signal) => {
    const request = await occurrencesRequest(params);
    const session = await workspace.session();
    documents.flush(session);
    return toOccurrencesResponse(context, await session.occurrences(request, signal));
  });
}

async function occurrencesRequest(params: unknown): Promise<OccurrencesRequest> {
  const { parseOccurrencesRequest } = await import("../contracts/occurrences-request.ts");
  return parseOccurrencesRequest(params);
}

function toOccurrencesResponse(
  { client, folders }: Pick<ServerContext, "client" | "folders">,
  { files, start: _start, ...answer }: OccurrencesAnswer,
): OccurrencesResponse {
  const { encoding } = client();
  const toPlace = ({ definition, ...place }: Occurrence): ResponsePlace => {
    if (definition === undefined) return toPlaceRange(place, encoding);
    const { line, ...named } = definition;
    return {
      ...toPlaceRange(place, encoding),
      definition: { ...named, selectionRange: toCursor(line) },
    };
  };
  return {
    ...answer,
    files: files.map(({ root, path, places, ...file }) => ({
      uri: toUri(folders.toClient(root, path)),
      ...file,
      places: places.map(toPlace),
    })),
  };
}

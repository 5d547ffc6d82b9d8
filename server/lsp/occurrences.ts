/** cocosearch/occurrences: every place of a text or a pattern in the opened folders. */

import type { Range } from "vscode-languageserver";
import type {
  AroundPlace,
  Occurrence,
  OccurrencesInFile,
  OccurrencesRequest,
} from "../contracts/occurrences-request.ts";
import type { OccurrencesAnswer } from "../contracts/session.ts";
import { withReports } from "../contracts/with-reports.ts";
import { type PlaceRange, toCursor, toPlaceRange, toUri } from "./convert.ts";
import { RequestProgress } from "./request-progress.ts";
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
    const { request, token } = await occurrencesRequest(params);
    const session = await workspace.session();
    documents.flush(session);
    const progress = new RequestProgress(context, "Finding occurrences", token);
    try {
      const answer = await withReports(
        session,
        (event) => progress.report(event),
        (reported) => session.occurrences({ ...request, ...reported }, signal),
      );
      return toOccurrencesResponse(context, answer);
    } finally {
      progress.end();
    }
  });
}

async function occurrencesRequest(
  params: unknown,
): Promise<{ readonly request: OccurrencesRequest; readonly token: unknown }> {
  const { parseOccurrencesRequest } = await import("../contracts/occurrences-request.ts");
  if (typeof params !== "object" || params === null)
    return { request: parseOccurrencesRequest(params), token: undefined };
  const { workDoneToken: token, ...given } = params as Record<string, unknown>;
  return { request: parseOccurrencesRequest(given), token };
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

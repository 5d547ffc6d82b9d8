/** How every request of this server is served: only while it is running, and behind the one boundary. */

import type { CancellationToken } from "vscode-languageserver";
import { BadRequest } from "../common/errors.ts";
import type { SearchRequest } from "../contracts/search-request.ts";
import { toPath } from "./convert.ts";
import { handleRequest } from "./handle-request.ts";
import { unknownMethod } from "./lifecycle.ts";
import type { ServerContext } from "./server-context.ts";

type Run = (params: unknown, signal: AbortSignal) => Promise<unknown>;

/** Registered by name, so that a request without parameters arrives too: the library refuses it for typed ones. */
export function onRequest(
  { connection, lifecycle, log }: Pick<ServerContext, "connection" | "lifecycle" | "log">,
  method: string,
  run: Run,
): void {
  connection.onRequest(method, async (...given: unknown[]): Promise<unknown> => {
    // The token comes last; before it come the parameters: none, one, or the elements of an array.
    const token = given.pop() as CancellationToken;
    const refusal = lifecycle.refusal();
    return refusal ?? (await handleRequest(method, log, token, (signal) => run(given[0], signal)));
  });
}

/** Answers every method that is not registered. */
export function refuseOthers({ connection, lifecycle }: ServerContext): void {
  connection.onRequest((method: string) => lifecycle.refusal() ?? unknownMethod(method));
}

/** The parameters of a search. Their check is loaded here: the answer to `initialize` does not wait for it. */
export async function searchRequest(params: unknown): Promise<SearchRequest> {
  const { parseSearchRequest } = await import("../contracts/search-request.ts");
  return parseSearchRequest(params);
}

/** A parameter that is a text, by its name; BadRequest when it is not. */
export function requiredText(params: unknown, name: string): string {
  const value = (params as Record<string, unknown> | null | undefined)?.[name];
  if (typeof value === "string") return value;
  throw new BadRequest("a text is expected", { parameter: name });
}

/** The path of a file that a parameter names by its URI; BadRequest where it does not. */
export function filePath(parameter: string, uri: unknown): string {
  const path = toPath(uri);
  if (path === undefined) throw new BadRequest("the URI of a file is expected", { parameter });
  return path;
}

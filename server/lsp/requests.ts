/** Registers requests: checks the lifecycle, runs the handler in the error boundary, and parses common parameters. */

import type { CancellationToken } from "vscode-languageserver";
import { BadRequest } from "../common/errors.ts";
import type { SearchRequest } from "../contracts/search-request.ts";
import { toPath } from "./convert.ts";
import { handleRequest } from "./handle-request.ts";
import { unknownMethod } from "./lifecycle.ts";
import type { ServerContext } from "./server-context.ts";

type Run = (params: unknown, signal: AbortSignal) => Promise<unknown>;

/** Registers by name: for typed requests, the library refuses a request without parameters. */
export function onRequest(
  { connection, lifecycle, log }: Pick<ServerContext, "connection" | "lifecycle" | "log">,
  method: string,
  run: Run,
): void {
  connection.onRequest(method, async (...given: unknown[]): Promise<unknown> => {
    // The arguments are the parameters (none, one, or the elements of an array), then the token.
    const token = given.pop() as CancellationToken;
    const refusal = lifecycle.refusal();
    return refusal ?? (await handleRequest(method, log, token, (signal) => run(given[0], signal)));
  });
}

/** Answers every method that is not registered. */
export function refuseOthers({ connection, lifecycle }: ServerContext): void {
  connection.onRequest((method: string) => lifecycle.refusal() ?? unknownMethod(method));
}

/** Parses the parameters of a search. The schema is loaded lazily, so that `initialize` does not wait for it. */
export async function searchRequest(params: unknown): Promise<SearchRequest> {
  const { parseSearchRequest } = await import("../contracts/search-request.ts");
  return parseSearchRequest(params);
}

/** A string parameter; throws BadRequest for other types. */
export function requiredText(params: unknown, name: string): string {
  const value = (params as Record<string, unknown> | null | undefined)?.[name];
  if (typeof value === "string") return value;
  throw new BadRequest("expected a string", { parameter: name });
}

/** The path of a file URI; throws BadRequest for other values. */
export function filePath(parameter: string, uri: unknown): string {
  const path = toPath(uri);
  if (path === undefined) throw new BadRequest("expected the URI of a file", { parameter });
  return path;
}

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

interface Kinds {
  readonly string: string;
  readonly boolean: boolean;
}

/** One parameter by its name; BadRequest when it is there and of another type. */
export function optional<K extends keyof Kinds>(
  params: unknown,
  name: string,
  kind: K,
): Kinds[K] | undefined {
  const value = (params as Record<string, unknown> | null | undefined)?.[name] ?? undefined;
  if (value === undefined || typeof value === kind) return value as Kinds[K] | undefined;
  throw new BadRequest(`${name}: expected a ${kind}`);
}

export function required<K extends keyof Kinds>(params: unknown, name: string, kind: K): Kinds[K] {
  const value = optional(params, name, kind);
  if (value === undefined) throw new BadRequest(`${name}: expected a ${kind}`);
  return value;
}

/** The path of a file that a parameter names by its URI; BadRequest where it does not. */
export function filePath(parameter: string, uri: unknown): string {
  const path = toPath(uri);
  if (path === undefined) throw new BadRequest(`${parameter}: the URI of a file is expected`);
  return path;
}

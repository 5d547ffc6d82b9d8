/** The requests about the graph: cocosearch/related, /impact, /path, /callers and /callees. */

import type { Location } from "vscode-languageserver";
import { BadRequest } from "../common/errors.ts";
import type { CallSite, CallsAnswer, RelatedRequest } from "../contracts/graph-requests.ts";
import { toCursor, toUri } from "./convert.ts";
import type { Folders } from "./folders.ts";
import { filePath, onRequest } from "./requests.ts";
import type { ServerContext } from "./server-context.ts";

export function register(context: ServerContext): void {
  onRequest(context, "cocosearch/related", async (params, signal) => {
    const request = await relatedRequest(params);
    const session = await context.workspace.session();
    return await session.related(request, signal);
  });
  onRequest(context, "cocosearch/impact", async (params, signal) => {
    const { parseImpactRequest } = await import("../contracts/graph-requests.ts");
    const session = await context.workspace.session();
    return await session.impact(parseImpactRequest(params), signal);
  });
  onRequest(context, "cocosearch/path", async (params, signal) => {
    const { parsePathRequest } = await import("../contracts/graph-requests.ts");
    const session = await context.workspace.session();
    return { files: await session.dependencyPath(parsePathRequest(params), signal) };
  });
  const directions = [
    ["cocosearch/callers", "callers"],
    ["cocosearch/callees", "callees"],
  ] as const;
  for (const [method, direction] of directions) {
    onRequest(context, method, async (params, signal) => {
      const { parseCallsRequest } = await import("../contracts/graph-requests.ts");
      const session = await context.workspace.session();
      const answer = await session[direction](parseCallsRequest(params), signal);
      return toFoundCalls(context.folders, answer);
    });
  }
}

/** A call in the form of the protocol. */
interface FoundCall extends Pick<CallSite, "caller" | "confidence" | "how"> {
  /** The line of the call. */
  readonly location: Location;
  readonly target: { readonly name: string; readonly location: Location };
}

export function toFoundCalls(
  folders: Folders,
  { calls: sites, total }: CallsAnswer,
): { readonly calls: readonly FoundCall[]; readonly total: number } {
  const place = (root: string, path: string, line: number): Location => ({
    uri: toUri(folders.toClient(root, path)),
    range: toCursor(line),
  });
  const calls = sites.map(({ root, path, line, caller, target, confidence, how }) => ({
    location: place(root, path, line),
    caller,
    target: { name: target.name, location: place(root, target.path, target.line) },
    confidence,
    how,
  }));
  return { calls, total };
}

/** Accepts a textDocument instead of a path. */
async function relatedRequest(params: unknown): Promise<RelatedRequest> {
  const { parseRelatedDocument } = await import("../contracts/client-requests.ts");
  const { textDocument, path: given, ...rest } = parseRelatedDocument(params);
  const path = textDocument === undefined ? given : filePath("textDocument", textDocument.uri);
  if (path === undefined) {
    throw new BadRequest("expected the path of a file or a textDocument", {
      parameter: "path",
    });
  }
  return { ...rest, path };
}

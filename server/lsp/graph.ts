/** cocosearch/related, /impact and /path: what depends on what, for editors that show lists of files. */

import { BadRequest } from "../common/errors.ts";
import { toPath } from "./convert.ts";
import { onRequest } from "./requests.ts";
import type { ServerContext } from "./server-context.ts";

export function register(context: ServerContext): void {
  onRequest(context, "cocosearch/related", async (params) => {
    const { parseRelatedRequest } = await import("../contracts/graph-requests.ts");
    const session = await context.workspace.session();
    return await session.related(parseRelatedRequest(withPath(params)));
  });
  onRequest(context, "cocosearch/impact", async (params) => {
    const { parseImpactRequest } = await import("../contracts/graph-requests.ts");
    const session = await context.workspace.session();
    return await session.impact(parseImpactRequest(params));
  });
  onRequest(context, "cocosearch/path", async (params) => {
    const { parsePathRequest } = await import("../contracts/graph-requests.ts");
    const session = await context.workspace.session();
    return { files: await session.dependencyPath(parsePathRequest(params)) };
  });
}

/** A document of the editor in place of a path. */
function withPath(params: unknown): unknown {
  if (typeof params !== "object" || params === null) return params;
  const { textDocument, ...rest } = params as { textDocument?: { uri?: unknown } | null };
  if (textDocument === undefined) return params;
  const uri = textDocument?.uri;
  if (typeof uri !== "string") throw new BadRequest("textDocument: has no uri");
  return { ...rest, path: toPath(uri) };
}

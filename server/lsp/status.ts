/** cocosearch/status, /reindex and /clear: the state of the indexes, reindexing and deleting an index. */

import { setTimeout as delay } from "node:timers/promises";
import { messageOf, Unavailable } from "../common/errors.ts";
import type { ReindexRequest } from "../contracts/client-requests.ts";
import type { Status } from "../contracts/session.ts";
import { toPath } from "./convert.ts";
import { NO_FOLDER } from "./folders.ts";
import { onRequest } from "./requests.ts";
import type { ServerContext } from "./server-context.ts";

/** `engine` is absent while no engine is reachable. */
export type StatusResponse = Omit<Status, "engine"> & Partial<Pick<Status, "engine">>;

/**
 * A status does not wait for a starting or busy engine longer than a user notices: a cold start takes 0.5 to 1 s. After
 * this time, the last status is returned.
 */
const STATUS_TIMEOUT_MS = 200;

const NOTHING = { indexed: 0, total: 0, indexes: [], warnings: [] } as const;

export function register(context: ServerContext): void {
  onRequest(context, "cocosearch/status", () => status(context));
  onRequest(context, "cocosearch/reindex", async (params) => {
    await reindex(context, await reindexRequest(params));
    return null;
  });
  onRequest(context, "cocosearch/clear", async (params) => {
    const { parseClearRequest } = await import("../contracts/client-requests.ts");
    const { name } = parseClearRequest(params);
    const session = await context.workspace.session();
    return { cleared: await session.clear(name) };
  });
}

export async function reindexRequest(params: unknown): Promise<ReindexRequest> {
  const { parseReindexRequest } = await import("../contracts/client-requests.ts");
  return parseReindexRequest(params);
}

/** The last status of each connection, returned while the engine is busy. */
const lastStatus = new WeakMap<ServerContext, StatusResponse>();

export async function status(context: ServerContext): Promise<StatusResponse> {
  const current = readStatus(context).then((answer) => {
    lastStatus.set(context, answer);
    return answer;
  });
  const late = delay(STATUS_TIMEOUT_MS, undefined, { ref: false });
  const answer = (await Promise.race([current, late])) ?? lastStatus.get(context) ?? starting();
  // Warnings about settings are known only to this process.
  return { ...answer, warnings: [...new Set([...answer.warnings, ...context.notices.warnings])] };
}

/**
 * Starts a pass; its end is visible in progress and state. `folder` is a URI or a path; without it, all folders.
 *
 * Resolves when the pass is accepted: it may take minutes, and clients time out after seconds.
 */
export async function reindex(
  context: ServerContext,
  { folder, full = false }: ReindexRequest,
): Promise<void> {
  const { folders, notices, workspace } = context;
  const session = await workspace.session();
  const roots = folder === undefined ? undefined : [folders.toIndex(toPath(folder) ?? folder)];
  const pass = session.reindex({ full, ...(roots === undefined ? {} : { roots }) });
  let isAnswered = false;
  pass.catch((error: unknown) => {
    if (isAnswered) notices.show("warning", `indexing failed: ${messageOf(error)}`);
  });
  await Promise.race([pass, session.status()]);
  isAnswered = true;
}

async function readStatus({ folders, workspace }: ServerContext): Promise<StatusResponse> {
  try {
    const session = await workspace.session();
    const answer = await session.status();
    if (answer.state !== "no-root" || answer.reason !== undefined) return answer;
    return { ...answer, reason: folders.refusal ?? NO_FOLDER };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { ...NOTHING, state: "unavailable", reason: error.message, warnings: [error.message] };
  }
}

function starting(): StatusResponse {
  return { ...NOTHING, state: "indexing", reason: "the engine is starting" };
}

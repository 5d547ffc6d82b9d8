/** What the tools share: parameters, annotations, progress, and how a failure becomes an answer. */

import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { messageOf } from "../common/errors.ts";

const MAX_TOKENS = 4_000;
const MIN_TOKENS = 200;

export const READ_ONLY = {
  readOnlyHint: true,
  idempotentHint: true,
  openWorldHint: false,
} as const;

export const tokensShape = z
  .number()
  .int()
  .min(MIN_TOKENS)
  .max(MAX_TOKENS)
  .default(MAX_TOKENS)
  .describe("The answer is never longer.");
export const pathsShape = z
  .array(z.string())
  .optional()
  .describe("Globs such as src/**; !test/** excludes.");

export type FailureOf = (tool: string, error: unknown) => string;

/** Cancellation is the protocol's own; every other failure is an answer that the agent can read. */
export async function answer(
  tool: string,
  { mcpReq }: ServerContext,
  failureOf: FailureOf,
  run: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const stop = reportProgress(tool, mcpReq);
  try {
    return await run();
  } catch (error) {
    mcpReq.signal.throwIfAborted();
    return { isError: true, content: [{ type: "text", text: failureOf(tool, error) }] };
  } finally {
    stop();
  }
}

const PROGRESS_EVERY_MS = 1_000;

/** Where the client asked for it: at the beginning, then every second. Nothing is known of how much is left. */
function reportProgress(tool: string, { _meta, notify }: ServerContext["mcpReq"]): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let seconds = 0;
  const report = async () => {
    const message = `${tool} is at work`;
    const params = { progressToken, progress: seconds++, message };
    try {
      await notify({ method: "notifications/progress", params });
    } catch (error) {
      // The client is gone; the request ends by that, too.
      process.stderr.write(`warning: ${messageOf(error)}\n`);
      clearInterval(timer);
    }
  };
  const timer = setInterval(() => void report(), PROGRESS_EVERY_MS);
  void report();
  return () => clearInterval(timer);
}

/** What the tools share: parameters, annotations, and how a failure becomes an answer. */

import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";

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
  try {
    return await run();
  } catch (error) {
    mcpReq.signal.throwIfAborted();
    return { isError: true, content: [{ type: "text", text: failureOf(tool, error) }] };
  }
}

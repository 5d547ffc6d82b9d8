/** What the tools share: parameters, annotations, progress, and how a failure becomes an answer. */

import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { messageOf } from "../common/errors.ts";
import type { Session, Status } from "../contracts/session.ts";
import { stateOf } from "./answers.ts";
import { type Need, whenReady } from "./readiness.ts";
import type { RootedSession } from "./rooted-session.ts";

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

/** One call of a tool. */
export interface ToolCall {
  readonly signal: AbortSignal;
  /** Waits until the session can answer from what is needed, at most as long as the user's setting says. */
  whenReady(open: Session, need: Need): Promise<Status>;
}

/** Cancellation is the protocol's own; every other failure is an answer that the agent can read. */
export async function answer(
  tool: string,
  { mcpReq }: ServerContext,
  { session, failureOf }: { readonly session: RootedSession; readonly failureOf: FailureOf },
  run: (call: ToolCall) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const start = performance.now();
  const progress = reportProgress(tool, mcpReq);
  let known: Status | undefined;
  const whenToolReady: ToolCall["whenReady"] = async (open, need) => {
    const { signal } = mcpReq;
    const deadline = start + session.waitMs;
    known = await whenReady(open, need, { deadline, signal, say: progress.say });
    progress.say(AT_WORK);
    return known;
  };
  try {
    return await run({ signal: mcpReq.signal, whenReady: whenToolReady });
  } catch (error) {
    mcpReq.signal.throwIfAborted();
    const failure = failureOf(tool, error);
    // What is not there may be what is not indexed yet.
    const text = known?.state === "indexing" ? `${stateOf(known)}\n\n${failure}` : failure;
    return { isError: true, content: [{ type: "text", text }] };
  } finally {
    progress.stop();
  }
}

const PROGRESS_EVERY_MS = 1_000;
const AT_WORK = "is at work";

interface Progress {
  say(sentence: string): void;
  stop(): void;
}

/** Where the client asked for it: at the beginning, then every second. The number counts the reports, as what is left is rarely known. */
function reportProgress(tool: string, { _meta, notify }: ServerContext["mcpReq"]): Progress {
  const progressToken = _meta?.progressToken;
  let [seconds, said] = [0, AT_WORK];
  const say = (sentence: string) => {
    said = sentence;
  };
  if (progressToken === undefined) return { say, stop: () => {} };
  const report = async () => {
    const message = said === AT_WORK ? `${tool} ${AT_WORK}` : said;
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
  return { say, stop: () => clearInterval(timer) };
}

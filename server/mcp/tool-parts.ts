/** Shared by the tools: registration, parameter schemas, progress reports, and failures as answers. */

import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { BadRequest, messageOf, stackOf, Unavailable } from "../common/errors.ts";
import { orAborted } from "../common/or-aborted.ts";
import type { Session, Status } from "../contracts/session.ts";
import { withShortLines } from "./answers.ts";
import { indexStateOf } from "./basis.ts";
import { type Need, whenReady } from "./readiness.ts";
import type { RootedSession } from "./rooted-session.ts";

const MAX_TOKENS = 4_000;
const MIN_TOKENS = 200;

const READ_ONLY = {
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
  .describe("Upper bound of the length of the answer in tokens.");
export const pathsShape = z
  .array(z.string())
  .optional()
  .describe("Globs such as src/**; !test/** excludes.");

export const seenShape = z
  .boolean()
  .optional()
  .describe("Code you already got is shown as its head line only.");

export const cursorShape = z
  .string()
  .max(100)
  .optional()
  .describe("From an answer to the same call: its next results.");

/**
 * The time limit of a call besides the wait for the index. A search takes milliseconds, with remote models seconds; the
 * blame of a long file in a large repository may take ten.
 */
export const MAX_RUN_MS = 30_000;

/** One call of a tool. */
export interface ToolCall {
  /** Aborted when the client cancels the request, and at the time limit. */
  readonly signal: AbortSignal;
  /** Waits until the needed data is indexed, at most as long as `mcp.waitSeconds`. */
  whenReady(open: Session, need: Need): Promise<Status>;
  /** Shows a text as the progress of the call, if the client asked for progress. */
  report(text: string): void;
}

export interface ToolSetup {
  readonly server: McpServer;
  readonly session: RootedSession;
}

interface ToolDescription<Input extends z.ZodObject> {
  readonly description: string;
  readonly inputSchema: Input;
  readonly outputSchema: z.ZodObject;
}

export function addTool<Input extends z.ZodObject>(
  { server, session }: ToolSetup,
  name: string,
  described: ToolDescription<Input>,
  run: (session: RootedSession, input: z.infer<Input>, call: ToolCall) => Promise<CallToolResult>,
): void {
  const config: ToolDescription<z.ZodObject> = described;
  server.registerTool(name, { ...config, annotations: READ_ONLY }, (input, context) =>
    answer(name, context, session, (call) => run(session, input as z.infer<Input>, call)),
  );
}

/** Runs a tool. Every failure except cancellation becomes an answer that the agent can read. */
async function answer(
  tool: string,
  { mcpReq }: ServerContext,
  session: RootedSession,
  run: (call: ToolCall) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const start = performance.now();
  const progress = reportProgress(tool, mcpReq);
  const limit = limitTime(tool, session.waitMs + MAX_RUN_MS);
  const signal = AbortSignal.any([mcpReq.signal, limit.signal]);
  let known: Status | undefined;
  const whenToolReady: ToolCall["whenReady"] = async (open, need) => {
    const deadline = start + session.waitMs;
    known = await whenReady(open, need, { deadline, signal, report: progress.report });
    progress.report(RUNNING);
    return known;
  };
  try {
    const result = await orAborted(
      run({ signal, whenReady: whenToolReady, report: progress.report }),
      signal,
    );
    const content = result.content.map((part) =>
      part.type === "text" ? { ...part, text: withShortLines(part.text) } : part,
    );
    return { ...result, content };
  } catch (error) {
    mcpReq.signal.throwIfAborted();
    const failure = `Error: ${failureOf(tool, error)}`;
    // The file or name may not be indexed yet.
    const text = known?.state === "indexing" ? `${indexStateOf(known)}\n\n${failure}` : failure;
    return { isError: true, content: [{ type: "text", text: withShortLines(text) }] };
  } finally {
    limit.stop();
    progress.stop();
  }
}

/** The text of a failure for the agent. */
function failureOf(tool: string, error: unknown): string {
  if (error instanceof BadRequest || error instanceof Unavailable) return error.message;
  process.stderr.write(`bug in ${tool}: ${stackOf(error)}\n`);
  return `${tool} failed: this is a bug`;
}

/** A signal for the end of the time, with the failure as its reason. */
function limitTime(tool: string, ms: number): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const what = `${tool} did not finish within ${Math.round(ms / 1_000)} s`;
  const remedy = "call again in a moment, or ask for less with paths or a smaller limit";
  const timer = setTimeout(() => controller.abort(new Unavailable(what, remedy)), ms);
  return { signal: controller.signal, stop: () => clearTimeout(timer) };
}

const PROGRESS_EVERY_MS = 1_000;
const RUNNING = "is running";

interface Progress {
  report(text: string): void;
  stop(): void;
}

/** Sends progress notifications immediately and every second, if the client passed a token. The total is rarely known, so `progress` counts seconds. */
function reportProgress(tool: string, { _meta, notify }: ServerContext["mcpReq"]): Progress {
  const progressToken = _meta?.progressToken;
  let [seconds, text] = [0, RUNNING];
  const report = (next: string) => {
    text = next;
  };
  if (progressToken === undefined) return { report, stop: () => {} };
  const send = async () => {
    const message = text === RUNNING ? `${tool} ${RUNNING}` : text;
    const params = { progressToken, progress: seconds++, message };
    try {
      await notify({ method: "notifications/progress", params });
    } catch (error) {
      // The client has disconnected, which also ends the request.
      process.stderr.write(`warning: ${messageOf(error)}\n`);
      clearInterval(timer);
    }
  };
  const timer = setInterval(() => void send(), PROGRESS_EVERY_MS);
  void send();
  return { report, stop: () => clearInterval(timer) };
}

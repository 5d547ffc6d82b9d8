/** Runs one agent: a command that gets a prompt and prints an answer, and has a time limit. */

import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { answerIn } from "./answer.ts";
import type { AnsweredPlace, Fault } from "./outcome.ts";

interface AgentRun {
  readonly places: readonly AnsweredPlace[];
  readonly fault?: Fault;
  readonly detail?: string;
  readonly ms: number;
}

interface AgentOptions {
  /** A command line of the shell. */
  readonly command: string;
  readonly root: string;
  /** A folder of this task alone: its commands in `bin`, and the prompt. */
  readonly folder: string;
  readonly name: string;
  readonly prompt: string;
  readonly limitMs: number;
}

/** The root of this project, for commands that name a program of it. */
const HARNESS = join(import.meta.dirname, "../..");

/** After a signal to end, until it is killed. */
const GRACE_MS = 2_000;
const MAX_PRINTED = 2_000_000;
const DETAIL = 300;

export async function runAgent(options: AgentOptions): Promise<AgentRun> {
  const { command, root, folder, name, prompt, limitMs } = options;
  const promptFile = join(folder, "prompt.md");
  writeFileSync(promptFile, prompt);
  const bin = join(folder, "bin");
  const start = performance.now();
  const child = spawn("sh", ["-c", command], {
    cwd: root,
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
      PROMPT_FILE: promptFile,
      TASK_NAME: name,
      TOOLS_FOLDER: bin,
      HARNESS,
    },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  // An agent that reads only the file closes its input.
  child.stdin.on("error", () => undefined);
  child.stdin.end(prompt);
  const [printed, complained] = [collect(child.stdout), collect(child.stderr)];
  const end = await ended(child, limitMs);
  const ms = Math.round(performance.now() - start);
  const tail = (text: string) => text.trim().slice(-DETAIL);
  if (end === "timeout") return { places: [], fault: "timeout", detail: `${limitMs} ms`, ms };
  if (end !== 0) return { places: [], fault: "exit", detail: `${end}: ${tail(complained())}`, ms };
  const places = answerIn(printed());
  return places === undefined
    ? { places: [], fault: "no answer", detail: tail(printed()), ms }
    : { places, ms };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (part: string) => {
    text = (text + part).slice(-MAX_PRINTED);
  });
  return () => text;
}

/** The exit code or signal; all processes of an agent that takes too long are ended. */
async function ended(child: ChildProcess, limitMs: number): Promise<number | string> {
  let isLate = false;
  const signalAll = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  };
  let kill: NodeJS.Timeout | undefined;
  const limit = setTimeout(() => {
    isLate = true;
    signalAll("SIGTERM");
    kill = setTimeout(() => signalAll("SIGKILL"), GRACE_MS);
  }, limitMs);
  const code = await new Promise<number | string>((done, failed) => {
    child.once("error", failed);
    child.once("close", (status, signal) => done(status ?? signal ?? "no exit code"));
  });
  clearTimeout(limit);
  clearTimeout(kill);
  return isLate ? "timeout" : code;
}

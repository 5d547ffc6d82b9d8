/** What every command gets: its output, a session of its own, and the workspace opened in it. */

import { fromEnvironment } from "../config.ts";
import { BadRequest } from "../errors.ts";
import type { Session } from "../session.ts";
import type { Output } from "./output.ts";
import { showProgress } from "./progress.ts";
import { rootFor } from "./root.ts";

/** Of the process, for scripts. */
export const EXIT = { found: 0, nothing: 1, usage: 2, unavailable: 3, interrupted: 130 } as const;

/** Options that each command has. */
export interface CommonOptions {
  readonly root?: string;
  readonly json?: true;
}

export interface CliContext {
  readonly output: Output;
  readonly cwd: string;
  /** How the program was called, for the examples that it prints. */
  readonly program: string;
  /** Aborted by SIGINT. */
  readonly signal: AbortSignal;
  /** A session with the user's settings; closed when the command has ended. */
  readonly session: () => Promise<Session>;
}

/** Runs a command; what it resolves to is the exit code. */
export type RunCommand = (command: (context: CliContext) => Promise<number>) => Promise<void>;

/** Makes sessions configured from the environment, and closes them all. */
export function sessionSource(
  connect: () => Promise<Session>,
  env: Readonly<Record<string, string | undefined>>,
  output: Output,
): { readonly session: () => Promise<Session>; readonly dispose: () => Promise<void> } {
  const made: Session[] = [];
  return {
    session: async () => {
      const { settings, problems } = fromEnvironment(env);
      for (const problem of problems) output.note(problem);
      const session = await connect();
      made.push(session);
      await session.configure(settings);
      return session;
    },
    dispose: async () => {
      await Promise.all(made.map((session) => session.dispose()));
    },
  };
}

/** Opens the command's folder. BadRequest when it may not be indexed; other sentences are shown. */
export async function openWorkspace(
  { output, cwd }: CliContext,
  session: Session,
  { root: named }: CommonOptions,
): Promise<string> {
  const root = rootFor(named, cwd);
  const sentences = await session.openFolders([root]);
  if (sentences.length > 0 && (await session.status()).state === "no-root") {
    throw new BadRequest(sentences.join("; "));
  }
  for (const sentence of sentences) output.note(sentence);
  return root;
}

/** Runs something that waits for the index, with the progress in sight. */
export async function withProgress<T>(
  { output }: CliContext,
  session: Session,
  run: () => Promise<T>,
): Promise<T> {
  const stop = showProgress(session, output);
  try {
    return await run();
  } finally {
    stop();
  }
}

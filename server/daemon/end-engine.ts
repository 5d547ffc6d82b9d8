/** Ends this user's engine, even if it is stopped or stuck. */

import { setTimeout as delay } from "node:timers/promises";
import { isErrorCode, Unavailable } from "../common/errors.ts";
import type { Home } from "./home.ts";
import { foreignHolder, lockHolder } from "./lock.ts";

/** Time for the engine to close its database after SIGTERM. */
const TERMINATION_MS = 5_000;
const KILL_MS = 5_000;
const POLL_MS = 50;

/** Returns the id of the ended process, or undefined if no engine ran. Throws Unavailable for an engine on another machine. */
export async function endEngine({ lock }: Pick<Home, "lock">): Promise<number | undefined> {
  const foreign = foreignHolder(lock);
  if (foreign !== undefined) {
    throw new Unavailable(
      `the engine runs on ${foreign.host} as process ${foreign.pid}`,
      `end it there, or delete ${foreign.file} if that machine or container is gone`,
    );
  }
  const pid = lockHolder(lock);
  if (pid === undefined) return undefined;
  for (const [signal, ms] of [
    ["SIGTERM", TERMINATION_MS],
    ["SIGKILL", KILL_MS],
  ] as const) {
    send(pid, signal);
    for (let waited = 0; waited < ms; waited += POLL_MS) {
      if (lockHolder(lock) !== pid) return pid;
      await delay(POLL_MS);
    }
  }
  throw new Unavailable(`the engine (process ${pid}) cannot be ended`, "end the process by hand");
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isErrorCode(error, "ESRCH")) throw error;
  }
}

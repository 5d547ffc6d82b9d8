/** Requests that all benchmarks share, and waiting until the engine is idle. */

import { setTimeout as delay } from "node:timers/promises";
import type { ProtocolConnection } from "vscode-languageserver/node";
import type { SearchAnswer, Status } from "../../server/contracts/session.ts";
import { usageOf } from "./usage.ts";

/** Short enough to time when the index becomes searchable, long enough not to slow down the engine. */
export const POLL_MS = 50;

/** The engine exits this soon after its last client, so that a cold start can be measured. */
export const ENGINE_IDLE_SECONDS = 1;

export function search(connection: ProtocolConnection, query: string): Promise<SearchAnswer> {
  return connection.sendRequest<SearchAnswer>("cocosearch/search", { query });
}

export async function statusOf(connection: ProtocolConnection): Promise<Status> {
  return await connection.sendRequest<Status>("cocosearch/status", {});
}

export function isSettled({ state, reason, indexed, total, indexes }: Status): boolean {
  if (state === "unavailable" || state === "no-root") throw new Error(reason ?? state);
  const isEmbedded = indexes.every(({ pending }) => pending === 0);
  return state === "ready" && indexed === total && total > 0 && isEmbedded;
}

export async function whenSettled(connection: ProtocolConnection): Promise<Status> {
  for (;;) {
    const status = await statusOf(connection);
    if (isSettled(status)) return status;
    await delay(POLL_MS);
  }
}

const LOOK_EVERY_MS = 1_000;
/** Of such a second. */
const QUIET_CPU_MS = 50;
/** Reading a long history may take longer; the benchmark then continues beside it. */
const MAX_LOOKS = 30;

/** The engine has nothing left to do, its warming up and the history included. */
export async function whenQuiet(pid: number): Promise<void> {
  let before = usageOf(pid).cpuMs ?? 0;
  for (let look = 0; look < MAX_LOOKS; look++) {
    await delay(LOOK_EVERY_MS);
    const now = usageOf(pid).cpuMs ?? 0;
    if (now - before < QUIET_CPU_MS) return;
    before = now;
  }
}

/** A real engine in a home of its own, and sessions in it, as the program makes them. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { silent } from "../../server/common/log.ts";
import { buildOf } from "../../server/common/version.ts";
import type { Session } from "../../server/contracts/session.ts";
import { connectEngine } from "../../server/daemon/connect.ts";
import { type Home, homeOf } from "../../server/daemon/home.ts";
import { isLocked } from "../../server/daemon/lock.ts";
import { createRemoteSession } from "../../server/daemon/remote-session.ts";
import { copyEmptyDatabase } from "./empty-database.ts";

export const MAIN = resolve(import.meta.dirname, "../../dist/main.js");

/** Time for an engine to leave by itself after its last client; its own idle time is a second. */
const LEAVING_MS = 60_000;

export interface TestEngine {
  readonly home: Home;
  /** Environment variables that lead programs to this engine. */
  readonly env: NodeJS.ProcessEnv;
  session(): Session;
  /** The running engine's process. */
  pid(): Promise<number>;
  /** Waits until it has left by itself. */
  left(): Promise<void>;
  /** Ends sessions, waits for the engine to leave, and deletes the home. */
  dispose(): Promise<void>;
}

/** With `isNew` it makes its database itself. */
export function testEngine(
  extra: NodeJS.ProcessEnv = {},
  { isNew = false }: { readonly isNew?: boolean } = {},
): TestEngine {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-home-"));
  const env = {
    ...process.env,
    COCOSEARCH_HOME: folder,
    COCOSEARCH_ENGINE_IDLE_SECONDS: "1",
    ...extra,
  };
  const home = homeOf(env);
  if (!isNew) copyEmptyDatabase(home.data);
  const sessions: Session[] = [];
  const session = () => {
    const starting = { home, version: buildOf(MAIN), command: [MAIN, "engine"], env };
    const made = createRemoteSession(() => connectEngine(starting), silent);
    sessions.push(made);
    return made;
  };
  const left = async () => {
    const deadline = Date.now() + LEAVING_MS;
    while (existsSync(home.lock) && isLocked(home.lock)) {
      if (Date.now() > deadline) throw new Error("the engine did not leave");
      await delay(50);
    }
  };
  return {
    home,
    env,
    session,
    left,
    pid: async () => (await session().status()).engine.pid,
    dispose: async () => {
      await Promise.all(sessions.map((each) => each.dispose()));
      await left();
      rmSync(folder, { recursive: true });
    },
  };
}

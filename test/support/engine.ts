/** A real engine in a home of its own, and sessions in it, as the program makes them. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll } from "vitest";
import { silent } from "../../server/common/log.ts";
import { buildOf } from "../../server/common/version.ts";
import type { Session } from "../../server/contracts/session.ts";
import { connectEngine } from "../../server/daemon/connect.ts";
import { type Home, homeOf } from "../../server/daemon/home.ts";
import { isLocked, lockHolder } from "../../server/daemon/lock.ts";
import { createRemoteSession } from "../../server/daemon/remote-session.ts";
import { copyEmptyDatabase } from "./empty-database.ts";

export const MAIN = resolve(import.meta.dirname, "../../dist/main.js");

/** Time for an engine to leave by itself after its last client; its own idle time is a second. */
const LEAVING_MS = 60_000;
const POLL_MS = 20;
/** Time for the other clients of an engine to disconnect, when their processes have been ended. */
const DISCONNECTING_MS = 500;

export interface TestEngine {
  readonly home: Home;
  /** Environment variables that lead programs to this engine. */
  readonly env: NodeJS.ProcessEnv;
  session(): Session;
  /** The running engine's process. */
  pid(): Promise<number>;
  /** Waits until it has left by itself. */
  left(): Promise<void>;
  /** Ends sessions and waits for the engine to leave, without the idle time if no other client is connected. */
  end(): Promise<void>;
  /** The same, and deletes the home. */
  dispose(): Promise<void>;
}

/** An engine for all tests of a file or of a `describe`. */
export function sharedEngine(extra: NodeJS.ProcessEnv = {}): TestEngine {
  const engine = testEngine(extra);
  afterAll(() => engine.dispose());
  return engine;
}

/** With `isNew` the engine creates its database. */
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
  const isRunning = () => existsSync(home.lock) && isLocked(home.lock);
  const left = async () => {
    const deadline = Date.now() + LEAVING_MS;
    while (isRunning()) {
      if (Date.now() > deadline) throw new Error("the engine did not leave");
      await delay(POLL_MS);
    }
  };
  /** Saves the idle time. A client that is still there would start another engine, so the engine is left to itself then. */
  const endUnused = async () => {
    if (!isRunning()) return;
    const asking = session();
    const deadline = Date.now() + DISCONNECTING_MS;
    let { engine } = await asking.status();
    while (engine.clients > 1 && Date.now() < deadline) {
      await delay(POLL_MS);
      ({ engine } = await asking.status());
    }
    await asking.dispose();
    if (engine.clients === 1 && lockHolder(home.lock) === engine.pid) {
      process.kill(engine.pid, "SIGTERM");
    }
  };
  const end = async () => {
    await Promise.all(sessions.splice(0).map((each) => each.dispose()));
    await endUnused();
    await left();
  };
  return {
    home,
    env,
    session,
    left,
    end,
    pid: async () => (await session().status()).engine.pid,
    dispose: async () => {
      await end();
      rmSync(folder, { recursive: true });
    },
  };
}

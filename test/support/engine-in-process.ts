/** The real engine in the process of the test, over a copy of an empty database and one worker thread. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Log, silent } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import { createEngine, type Engine } from "../../server/engine/engine.ts";
import { copyEmptyDatabase } from "./empty-database.ts";

export interface InProcessEngine {
  readonly engine: Engine;
  /** The folder of its database. */
  readonly data: string;
  /** Ends the engine and deletes its data. */
  dispose(): Promise<void>;
}

export function engineInProcess(log: Log = silent): InProcessEngine {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-engine-"));
  const data = join(folder, "postgres");
  copyEmptyDatabase(data);
  const engine = openEngine(data, log);
  return {
    engine,
    data,
    dispose: async () => {
      await engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A session that ends with its test. */
export function sessionOf({ engine }: InProcessEngine): Session {
  const made = engine.session();
  onTestFinished(() => made.dispose());
  return made;
}

/** The same with folders, once they are indexed. */
export async function openedIn(
  made: InProcessEngine,
  ...roots: readonly string[]
): Promise<Session> {
  const session = sessionOf(made);
  await session.openFolders(roots);
  await session.whenIdle();
  return session;
}

/** An engine on data that are there, or that it makes. */
export function openEngine(data: string, log: Log = silent): Engine {
  return createEngine({ data, logFile: "", log, version: "1.0.0", build: "1", workers: 1 });
}

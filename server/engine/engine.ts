/** The composition root of the engine: creates its parts and passes them to each other. */

import { dirname, join } from "node:path";
import { collectGarbage } from "../common/collect-garbage.ts";
import type { Log } from "../common/log.ts";
import type { PackedArrays } from "../common/packed/packed-arrays.ts";
import { inSlices } from "../common/slices.ts";
import type { Session } from "../contracts/session.ts";
import { createBuiltinEmbedder, createLikeness, createSubstitute } from "../embedding/builtin.ts";
import { type EmbeddingModel, loadEmbeddingModel } from "../embedding/embedding-model.ts";
import { categorizer } from "../languages/categories.ts";
import { createLocalModels, type RunningModels } from "../models/local-models.ts";
import { createMemoryLanes, unpackMemoryLanes } from "../search/lanes/memory-lanes.ts";
import { openSqlLanes, readSqlLanes } from "../search/lanes/sql-lanes.ts";
import { createLineReader } from "./answers/hit-text.ts";
import { QueryModelsOf } from "./answers/query-models.ts";
import { createRehearsal } from "./answers/rehearse.ts";
import { createContextOf } from "./answers/search-context.ts";
import type { EngineFacts } from "./answers/status.ts";
import type { IndexDeps } from "./indexes/index-deps.ts";
import { IndexPool } from "./indexes/index-pool.ts";
import { readInstallation } from "./indexes/installation.ts";
import { LanesFiles } from "./indexes/lanes-files.ts";
import { MAX_PUBLISHED_BYTES } from "./indexes/published-indexes.ts";
import { StateFiles } from "./indexes/state-files.ts";
import { createStores, type Stores } from "./indexes/stores.ts";
import { Teams } from "./indexes/teams.ts";
import { EngineSession } from "./session.ts";
import { EventLoopMonitor } from "./threads/event-loop.ts";
import { IndexingThrottle } from "./threads/indexing-throttle.ts";
import { WarmUp } from "./threads/warm-up.ts";
import { createPreparers, type Preparers } from "./threads/worker-pool.ts";

interface EngineSetup {
  /** The folder of the built-in database; the caller holds the lock on it. */
  readonly data: string;
  /** The user's name for this installation on a shared Postgres. Default: an id stored beside the data folder. */
  readonly installation?: string | undefined;
  readonly logFile: string;
  readonly log: Log;
  readonly version: string;
  /** Distinguishes builds of one version. */
  readonly build: string;
  /** Number of worker threads; 0 chooses it by the number of cores. */
  readonly workers: number;
}

export interface Engine {
  session(): Session;
  /** Closes unused indexes and, without sessions, also threads and databases. The next request is slower. */
  freeMemory(): Promise<void>;
  close(): Promise<void>;
}

export function createEngine(setup: EngineSetup): Engine {
  const { data, logFile, log, version, build, workers } = setup;
  const model = loadEmbeddingModel();
  const throttle = new IndexingThrottle();
  const preparers = createPreparers(workers, { table: model }, log);
  const localModels = createLocalModels({ models: join(dirname(data), "models"), log });
  const sessions = new Set<EngineSession>();
  const forEachSession = (run: (session: EngineSession) => void) => sessions.forEach(run);
  const notify = (notice: string) => forEachSession((session) => session.notice(notice));
  const stores = storesOf(setup, (notice) => {
    notify(notice);
    pool.restartEmbedded();
  });
  const parts = { log, data, build, stores, preparers, model, localModels, throttle, notify };
  const pool = new IndexPool({
    ...parts,
    teams: new Teams(log),
    settingsTouched: (root) => forEachSession((session) => session.settingsTouched(root)),
    isIndexing: () => pool.isIndexing,
    isOpen: (root) => pool.isOpen(root),
    committedAt: (root) => pool.committedAt(root),
    ...stateFilesOf(setup),
    ...lanesOf(model),
  });
  const eventLoop = new EventLoopMonitor();
  const models = new QueryModelsOf(createLikeness(model), localModels);
  const lines = createLineReader((file) => pool.encodingOf(file));
  const context = { log, substitute: createBuiltinEmbedder(model), lines };
  const contextOf = createContextOf({ ...context, models });
  const ask = createRehearsal(context, preparers.interactive);
  const warmUp = new WarmUp({ throttle, log, ask });
  const facts = factsOf({ version, log: logFile }, sessions, eventLoop);
  pool.onChange((index) => {
    eventLoop.measure(pool.isIndexing);
    forEachSession((session) => session.indexChanged(index));
    void warmUp.indexChanged(index);
  });
  const deps = { pool, preparers, stores, contextOf, models, throttle, facts, log };
  const ended = (session: EngineSession) => sessions.delete(session);
  return {
    session: () => {
      const session = new EngineSession({ ...deps, ended });
      sessions.add(session);
      return session;
    },
    freeMemory: async () => {
      await pool.closeUnused();
      if (sessions.size === 0) await suspend(preparers, stores, localModels);
    },
    close: async () => {
      warmUp.close();
      await pool.close();
      localModels.rest();
      for (const each of [preparers, stores]) await each.close();
    },
  };
}

function lanesOf(
  model: EmbeddingModel,
): Pick<IndexDeps, "createLanes" | "openSqlLanes" | "readSqlLanes"> {
  const substitute = createSubstitute(model);
  return {
    createLanes: (options) =>
      createMemoryLanes({ categorizer, substitute: options?.substitute ? substitute : undefined }),
    openSqlLanes: (rows, dimension) => openSqlLanes({ rows, dimension, categorizer }),
    readSqlLanes: (rows, dimension) => readSqlLanes({ rows, dimension, categorizer }),
  };
}

function storesOf(
  { data, installation, log }: EngineSetup,
  notify: (notice: string) => void,
): Stores {
  return createStores({
    directory: data,
    installation: () => installation || readInstallation(dirname(data)),
    log,
    notify,
  });
}

/** Threads, models and databases restart on demand. Without a collection, V8 keeps the garbage until it needs the memory. */
async function suspend(
  preparers: Preparers,
  stores: Stores,
  localModels: RunningModels,
): Promise<void> {
  localModels.rest();
  await preparers.rest();
  await stores.suspend();
  collectGarbage();
}

function stateFilesOf({
  data,
  build,
  log,
}: EngineSetup): Pick<IndexDeps, "lanesFiles" | "publishedFiles" | "edgesFiles"> {
  const files = { data, build, log };
  const unpack = (arrays: PackedArrays) => inSlices(unpackMemoryLanes({ categorizer }, arrays));
  return {
    lanesFiles: new LanesFiles({ ...files, kind: "lanes", unpack }),
    publishedFiles: new LanesFiles({
      ...files,
      kind: "published",
      maxBytes: MAX_PUBLISHED_BYTES,
      unpack,
    }),
    // The graph unpacks them itself.
    edgesFiles: new StateFiles({ ...files, kind: "edges", unpack: (arrays) => arrays }),
  };
}

function factsOf(
  known: Pick<EngineFacts, "version" | "log">,
  sessions: ReadonlySet<EngineSession>,
  eventLoop: EventLoopMonitor,
): EngineFacts {
  return {
    ...known,
    startedAt: new Date().toISOString(),
    clients: () => sessions.size,
    clientsOf: (root) => [...sessions].filter((session) => session.hasOpen(root)).length,
    eventLoop: () => eventLoop.delay,
  };
}

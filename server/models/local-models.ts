/** The installed models that run: one process for each that is used, started on demand. */

import { existsSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Unavailable } from "../common/errors.ts";
import { getOrCreate } from "../common/get-or-create.ts";
import type { Log } from "../common/log.ts";
import { TimeLimitExceeded, withTimeLimit } from "../common/time-limit.ts";
import type { LocalModels, ScoreRequest } from "../contracts/local-models.ts";
import {
  findModelManifest,
  MANIFEST_FILE,
  poolsAllTokens,
  readModelManifest,
  runtimeFolder,
} from "./manifest.ts";
import { ModelProcess } from "./model-process.ts";

/** A process has 0.2 to 2 GB of memory, and starts again in less than a second from the file cache. */
const IDLE_MS = 5 * 60_000;
/** A model that cannot be loaded is tried again after this time, or as soon as it is installed again. */
const UNUSABLE_MS = 30_000;

interface LocalModelsOptions {
  /** The folder of installed models. */
  readonly models: string;
  readonly log: Log;
  readonly idleMs?: number;
  readonly firstDelayMs?: number;
  /** The program of a process. */
  readonly runner?: string;
}

interface Running {
  readonly process: ModelProcess;
  /** When the manifest was written: another one is another model. */
  readonly installedMs: number;
  unusable: { readonly error: Unavailable; readonly until: number } | undefined;
}

export interface RunningModels extends LocalModels {
  /** The process of a model; undefined while it does not run. */
  pidOf(name: string): number | undefined;
  /** Ends all processes; the next request starts one again. */
  rest(): void;
}

export function createLocalModels(options: LocalModelsOptions): RunningModels {
  const running = new Map<string, Running>();
  const processOf = (name: string): Running => {
    const installedMs = installedAt(options.models, name);
    const known = running.get(name);
    if (known !== undefined && known.installedMs !== installedMs) {
      known.process.close();
      running.delete(name);
    }
    return getOrCreate(running, name, () => ({
      process: startable(name, options),
      installedMs,
      unusable: undefined,
    }));
  };
  const use = async <T>(name: string, run: (process: ModelProcess) => Promise<T>): Promise<T> => {
    const model = processOf(name);
    const { unusable } = model;
    if (unusable !== undefined && performance.now() < unusable.until) throw unusable.error;
    try {
      return await run(model.process);
    } catch (error) {
      if (error instanceof Unavailable && model.process.pid === undefined) {
        model.unusable = { error, until: performance.now() + UNUSABLE_MS };
      }
      throw error;
    }
  };
  return {
    embed: (name, { texts, isQuery, dimensions, isLate = false }, signal) =>
      use(name, async (process) => {
        if (isLate) {
          const answer = await process.ask({ texts, dimensions }, isQuery, signal);
          return answer.kind === "vectors" ? [...answer.vectors] : [];
        }
        const vectors: Float32Array[] = [];
        for (const text of texts) {
          const answer = await process.ask({ text, dimensions }, isQuery, signal);
          if (answer.kind === "vector") vectors.push(answer.vector);
        }
        return vectors;
      }),
    embedsTogether: (name) => {
      const manifest = findModelManifest(options.models, name);
      return manifest === undefined || poolsAllTokens(manifest);
    },
    score: (name, request, signal) =>
      use(name, (process) =>
        scoresWithin(request, signal, async (document, limit) => {
          const answer = await process.ask({ query: request.query, document }, true, limit);
          return answer.kind === "score" ? answer.score : Number.NaN;
        }),
      ),
    pidOf: (name) => running.get(name)?.process.pid,
    rest: () => {
      for (const { process } of running.values()) process.close();
      running.clear();
    },
  };
}

/** The scores of the first documents, as many as the budget allows. Rejects if there is none for another reason. */
async function scoresWithin(
  { documents, budgetMs }: ScoreRequest,
  signal: AbortSignal | undefined,
  score: (document: string, limit: AbortSignal) => Promise<number>,
): Promise<number[]> {
  const scores: number[] = [];
  try {
    await withTimeLimit(budgetMs, [signal], async (limit) => {
      for (const document of documents) scores.push(await score(document, limit));
    });
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
  }
  return scores;
}

/** In milliseconds. Throws Unavailable if it is not installed. */
function installedAt(models: string, name: string): number {
  if (readModelManifest(models, name) === undefined) {
    const what = name === "" ? "no local model is named" : `the model ${name} is not installed`;
    const remedy =
      name === ""
        ? "set embedding.model or rerank.model to a name that cocosearch-lsp model list shows"
        : `run cocosearch-lsp model install ${name}`;
    throw new Unavailable(what, remedy);
  }
  return statSync(join(models, name, MANIFEST_FILE)).mtimeMs;
}

function startable(name: string, { models, log, ...options }: LocalModelsOptions): ModelProcess {
  const runtime = runtimeFolder(models);
  if (!existsSync(runtime)) {
    const remedy = `run cocosearch-lsp model install ${name}`;
    throw new Unavailable("the runtime of local models is not installed", remedy);
  }
  const idleMs = options.idleMs ?? IDLE_MS;
  const runner = options.runner ?? runnerFile();
  const threads = Math.max(1, Math.floor(availableParallelism() / 2));
  const { firstDelayMs } = options;
  return new ModelProcess({
    name,
    runner,
    runtime,
    threads,
    idleMs,
    log,
    folder: join(models, name),
    ...(firstDelayMs === undefined ? {} : { firstDelayMs }),
  });
}

/** Processes run the built file, also in tests that run the sources. */
function runnerFile(): string {
  const own = import.meta.url;
  return fileURLToPath(
    new URL(own.endsWith(".ts") ? "../../dist/models/runner.js" : "./runner.js", own),
  );
}

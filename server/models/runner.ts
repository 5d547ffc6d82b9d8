/**
 * The process of one local model: verifies its files, loads it, and answers one job at a time. The engine starts it with
 * the folder of the model, the folder of the runtime and a number of threads, and speaks with it over the channel of Node.
 */

import { writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { messageOf, trySystemCallSync, Unavailable } from "../common/errors.ts";
import { firstLine } from "./library.ts";
import { type LoadedModel, loadModel } from "./load-model.ts";
import { readModelManifest, verifyFiles } from "./manifest.ts";
import type { FromModel, JobMessage } from "./protocol.ts";

/** If memory runs out, the kernel ends this process before the engine. */
const FIRST_TO_GO = "1000";

const send = (message: FromModel) => process.send?.(message);

async function load([
  folder = "",
  runtime = "",
  threads = "1",
]: readonly string[]): Promise<LoadedModel> {
  const name = basename(folder);
  const manifest = readModelManifest(dirname(folder), name);
  if (manifest === undefined) {
    const remedy = `run cocosearch-lsp model install ${name}`;
    throw new Unavailable(`the model ${name} is not installed`, remedy);
  }
  await verifyFiles(folder, manifest);
  return await loadModel(manifest, { folder, runtime, threads: Number(threads) });
}

async function answer(model: LoadedModel, { id, job }: JobMessage): Promise<FromModel> {
  try {
    if ("texts" in job) {
      return { kind: "vectors", id, vectors: await model.embedTogether(job.texts, job.dimensions) };
    }
    return "text" in job
      ? { kind: "vector", id, vector: await model.embed(job.text, job.dimensions) }
      : { kind: "score", id, score: await model.score(job.query, job.document) };
  } catch (error) {
    return { kind: "failed", id, message: firstLine(messageOf(error)) };
  }
}

async function run(): Promise<void> {
  // The engine ended, or needs the model no more.
  process.on("disconnect", () => process.exit(0));
  if (process.platform === "linux") {
    trySystemCallSync(() => writeFileSync("/proc/self/oom_score_adj", FIRST_TO_GO));
  }
  try {
    const model = await load(process.argv.slice(2));
    process.on("message", (message: JobMessage) => void answer(model, message).then(send));
    send({ kind: "ready" });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    send({ kind: "unusable", what: error.what, remedy: error.remedy });
    process.disconnect();
  }
}

await run();

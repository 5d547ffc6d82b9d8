/** Loads a staged model once, as the engine would, and measures it. */

import { join } from "node:path";
import { messageOf, Unavailable } from "../common/errors.ts";
import { silent } from "../common/log.ts";
import { type ModelManifest, runtimeFolder } from "./manifest.ts";
import { ModelProcess } from "./model-process.ts";

/** Text of the length of an average chunk. */
const SAMPLE = "export function renewToken(session: Session): Token { return session.renew(); }\n"
  .repeat(7)
  .slice(0, 512);
/** Enough to even out the first, slower calls. */
const SAMPLES = 12;

/** Loads it in a process as the engine does, and measures it. Rejects with Unavailable if anything is wrong with it. */
export async function tryModel(
  { name, kind }: ModelManifest,
  folder: string,
  { models, programs }: { readonly models: string; readonly programs: string },
): Promise<{ readonly dimension: number; readonly msPerText: number }> {
  const runtime = runtimeFolder(models);
  const runner = join(programs, "runner.js");
  const process = new ModelProcess({
    name,
    runner,
    folder,
    runtime,
    log: silent,
    threads: 1,
    idleMs: 60_000,
  });
  const job =
    kind === "reranker"
      ? { query: "where are tokens renewed", document: SAMPLE }
      : { text: SAMPLE, dimensions: 0 };
  try {
    const answer = await process.ask(job, false, undefined);
    const start = performance.now();
    for (let i = 0; i < SAMPLES; i++) await process.ask(job, false, undefined);
    const msPerText = (performance.now() - start) / SAMPLES;
    return { dimension: answer.kind === "vector" ? answer.vector.length : 0, msPerText };
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new Unavailable(
      `the model ${name} cannot be used (${messageOf(error)})`,
      "end other programs if memory is short, or use a smaller model",
      { cause: error },
    );
  } finally {
    process.close();
  }
}

/** A session over what is indexed already: what its first hundred questions, all different, are answered in, and how soon one that is taken back is out of the way. */

import { setTimeout as delay } from "node:timers/promises";
import { CancellationTokenSource, type ProtocolConnection } from "vscode-languageserver/node";
import { openEditor } from "../editor.ts";
import { ended } from "../evaluation/server.ts";
import { ENGINE_IDLE_SECONDS, search, whenQuiet, whenSettled } from "./asking.ts";
import { QUESTIONS } from "./questions.ts";
import { type Numbers, percentile } from "./statistics.ts";

/** `program` starts with a new engine, on the home of an earlier run. */
export async function freshSession(root: string, home: string, program: string): Promise<Numbers> {
  const { connection, close } = await openEditor(root, home, ENGINE_IDLE_SECONDS, {}, program);
  const { engine } = await whenSettled(connection);
  // Who has opened a folder reads before asking.
  await whenQuiet(engine.pid);
  const times: number[] = [];
  for (const question of QUESTIONS) {
    times.push(await answerMs(connection, question));
  }
  const superseded = await takeBack(connection);
  await close();
  await ended(engine.pid);
  return {
    sessionP50Ms: percentile(times, 0.5),
    sessionP95Ms: percentile(times, 0.95),
    ...superseded,
  };
}

/** A person who types takes a question back at any point of its answer. */
const TAKEN_BACK_AFTER_MS = [1, 2, 3, 4, 5, 6];

/**
 * From taking a question back until one that is answered from the cache has its answer, and the same of an engine with
 * nothing to do: the difference is for how long the first one still held the engine.
 */
async function takeBack(connection: ProtocolConnection): Promise<Numbers> {
  const cachedMs: number[] = [];
  const supersededMs: number[] = [];
  for (const [n, question] of QUESTIONS.entries()) {
    cachedMs.push(await answerMs(connection, question));
    const source = new CancellationTokenSource();
    const params = { query: `${question} superseded` };
    const answer = connection
      .sendRequest("cocosearch/search", params, source.token)
      .catch(() => undefined);
    await delay(TAKEN_BACK_AFTER_MS[n % TAKEN_BACK_AFTER_MS.length]);
    source.cancel();
    supersededMs.push(await answerMs(connection, question));
    await answer;
  }
  return {
    cachedP50Ms: percentile(cachedMs, 0.5),
    cachedP95Ms: percentile(cachedMs, 0.95),
    supersededP50Ms: percentile(supersededMs, 0.5),
    supersededP95Ms: percentile(supersededMs, 0.95),
  };
}

async function answerMs(connection: ProtocolConnection, question: string): Promise<number> {
  const start = performance.now();
  await search(connection, question);
  return performance.now() - start;
}

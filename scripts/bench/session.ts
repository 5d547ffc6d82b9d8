/** Measures a session on an existing index: the latency of its first hundred distinct questions, and of canceling one. */

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
  // A user who has opened a folder reads before asking.
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

/** Typing cancels a question at any point of its answer. */
const TAKEN_BACK_AFTER_MS = [1, 2, 3, 4, 5, 6];

/**
 * The time from canceling a question to the answer of a cached one, and the same for an idle engine. The difference is how
 * long the canceled question still held the engine.
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

/** A session over what is indexed already: what its first hundred questions, all different, are answered in. */

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
    const start = performance.now();
    await search(connection, question);
    times.push(performance.now() - start);
  }
  await close();
  await ended(engine.pid);
  return { sessionP50Ms: percentile(times, 0.5), sessionP95Ms: percentile(times, 0.95) };
}

/** Answers a symbol search in time: by its words alone, when embedding the query takes too long. */

import { setTimeout as delay } from "node:timers/promises";
import type { Hit } from "../../contracts/model.ts";

/** A picker asks at every keystroke, and the embedding service may be slow: then words are searched too. */
const WORDS_AFTER_MS = 400;

/** The first answer of the two; the words' only where they find something. */
export async function symbolsWithFallback(
  findSymbols: () => Promise<readonly Hit[]>,
  findByWords: () => Promise<readonly Hit[]>,
): Promise<readonly Hit[]> {
  const symbols = findSymbols();
  const inTime = await Promise.race([symbols, delay(WORDS_AFTER_MS, undefined, { ref: false })]);
  if (inTime !== undefined) return inTime;
  const words = findByWords().then((hits) => (hits.length > 0 ? hits : symbols));
  return await Promise.race([symbols, words]);
}

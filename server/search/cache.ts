/** Remembers answers: by the exact question, and by a question that means the same. */

import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Ranking } from "./ranking.ts";

const LONGEST_KEPT_MS = 24 * 60 * 60 * 1000;
const MOST_ENTRIES = 500;

/** Two questions whose vectors have this cosine mean the same; the seed's value. */
const SAME_MEANING = 0.95;

/** Everything that an answer depends on. */
export interface CacheKey {
  /** The query's text. */
  readonly text: string;
  /** All other parameters, in one fixed form. */
  readonly parameters: unknown;
  /** Names and generations of the indexes: an index that changed is another key. */
  readonly generations: unknown;
  /**
   * What two questions must share besides their meaning, or undefined when this one may not be answered by
   * another: names and numbers differ by a letter and mean something else.
   */
  readonly sameWords: string | undefined;
}

interface Entry<T> {
  readonly answer: T;
  /** The key without the text. */
  readonly family: string;
  /** By model id. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

/** The cache of one engine. */
export function createQueryCache(): QueryCache<Ranking> {
  return new QueryCache();
}

/** Answers are shared between requests: treat them as frozen. */
export class QueryCache<T extends object> {
  readonly #entries: LRUCache<string, Entry<T>>;

  /** `now` in milliseconds, for tests. */
  constructor(now: () => number = Date.now) {
    this.#entries = new LRUCache({
      max: MOST_ENTRIES,
      ttl: LONGEST_KEPT_MS,
      ttlResolution: 0,
      perf: { now },
    });
  }

  /** The answer to this very question. */
  exact(key: CacheKey): T | undefined {
    return this.#entries.get(exactKeyOf(key))?.answer;
  }

  /** The answer to a question with the same parameters that means the same, the closest one. */
  similar(key: CacheKey, vectors: ReadonlyMap<string, Float32Array>): T | undefined {
    if (key.sameWords === undefined || vectors.size === 0) return undefined;
    const family = familyOf(key);
    let closest: { key: string; cosine: number } | undefined;
    for (const [entryKey, entry] of this.#entries.entries()) {
      if (entry.family !== family) continue;
      const likeness = lowestCosine(vectors, entry.vectors);
      if (likeness < SAME_MEANING || likeness <= (closest?.cosine ?? 0)) continue;
      closest = { key: entryKey, cosine: likeness };
    }
    return closest === undefined ? undefined : this.#entries.get(closest.key)?.answer;
  }

  put(key: CacheKey, vectors: ReadonlyMap<string, Float32Array>, answer: T): void {
    this.#entries.set(exactKeyOf(key), { answer, family: familyOf(key), vectors });
  }
}

function exactKeyOf(key: CacheKey): string {
  return hash([key.text, key.parameters, key.generations]);
}

function familyOf(key: CacheKey): string {
  return hash([key.sameWords ?? key.text, key.parameters, key.generations]);
}

function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** Over all models that were asked; -1 where one of them is missing. */
function lowestCosine(
  a: ReadonlyMap<string, Float32Array>,
  b: ReadonlyMap<string, Float32Array>,
): number {
  if (a.size !== b.size) return -1;
  return Math.min(...[...a].map(([model, vector]) => cosine(vector, b.get(model))));
}

function cosine(a: Float32Array, b: Float32Array | undefined): number {
  if (b === undefined || a.length !== b.length) return -1;
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

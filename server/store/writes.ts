/** Tracks writes to indexes, to cache query results until the next write. */

export class Writes {
  readonly #isExclusive: boolean;
  readonly #counts = new Map<string, number>();
  readonly #unvacuumed = new Set<string>();

  /** `isExclusive`: no other program can write to the database. Otherwise nothing is cached. */
  constructor(isExclusive: boolean) {
    this.#isExclusive = isExclusive;
  }

  /** Records that rows of an index may have changed. */
  note(name: string): void {
    this.#unvacuumed.add(name);
    this.invalidate([name]);
  }

  /** Invalidates cached results of indexes, which were created, dropped or vacuumed. */
  invalidate(names: readonly string[]): void {
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Returns the indexes whose rows may have changed since the last call. */
  takeUnvacuumed(): string[] {
    const names = [...this.#unvacuumed];
    this.#unvacuumed.clear();
    return names;
  }

  /** A number that changes with each write; undefined if other programs may write. */
  countOf(name: string): number | undefined {
    return this.#isExclusive ? (this.#counts.get(name) ?? 0) : undefined;
  }
}

/** Caches the result of `read` until the index may have changed. Failures are not cached, nor are reads that overlap a write. */
export function readUntilWritten<T>(
  writes: Writes,
  name: string,
  read: () => Promise<T>,
): () => Promise<T> {
  let cached: { readonly count: number; readonly reading: Promise<T> } | undefined;
  return async () => {
    const count = writes.countOf(name);
    if (count === undefined) return await read();
    if (cached?.count === count) return await cached.reading;
    const reading = read();
    cached = { count, reading };
    try {
      return await reading;
    } catch (error) {
      if (cached.reading === reading) cached = undefined;
      throw error;
    }
  };
}

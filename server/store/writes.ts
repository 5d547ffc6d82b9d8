/** Knows when each index of a database was written to: until then, what was read of it need not be read again. */

export class Writes {
  readonly #isOurs: boolean;
  readonly #counts = new Map<string, number>();
  readonly #unvacuumed = new Set<string>();

  /** `isOurs` says that no other program can write to the database. */
  constructor(isOurs: boolean) {
    this.#isOurs = isOurs;
  }

  /** Its rows may have changed. */
  note(name: string): void {
    this.#unvacuumed.add(name);
    this.forget([name]);
  }

  /** What was read of them is read again: they were made, dropped or vacuumed. */
  forget(names: readonly string[]): void {
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Those whose rows may have changed since this was asked the last time. */
  takeUnvacuumed(): string[] {
    const names = [...this.#unvacuumed];
    this.#unvacuumed.clear();
    return names;
  }

  /** Another number after each change; undefined where it cannot be known. */
  countOf(name: string): number | undefined {
    return this.#isOurs ? (this.#counts.get(name) ?? 0) : undefined;
  }
}

/** Reads only where the index may have changed since. What is read while a write commits is not kept, nor is a failure. */
export function readUntilWritten<T>(
  writes: Writes,
  name: string,
  read: () => Promise<T>,
): () => Promise<T> {
  let kept: { readonly count: number; readonly reading: Promise<T> } | undefined;
  return async () => {
    const count = writes.countOf(name);
    if (count === undefined) return await read();
    if (kept?.count === count) return await kept.reading;
    const reading = read();
    kept = { count, reading };
    try {
      return await reading;
    } catch (error) {
      if (kept.reading === reading) kept = undefined;
      throw error;
    }
  };
}

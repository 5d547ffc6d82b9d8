/** Records what is read while a result is made, so that a change tells which results it may concern. */

/** What was read so far; a key may be in it more than once. */
export interface Recording {
  readonly number: number;
  readonly keys: number[];
}

const INITIAL_KEYS = 1024;

export class Reads {
  readonly #keys = new Map<string, number>();
  /** Of each key, the recording that noted it last. */
  #noted = new Int32Array(INITIAL_KEYS);
  #recordings = 0;
  #current: Recording | undefined;

  key(name: string): number {
    let key = this.#keys.get(name);
    if (key === undefined) {
      key = this.#keys.size;
      this.#keys.set(name, key);
      if (key >= this.#noted.length) {
        const grown = new Int32Array(this.#noted.length * 2);
        grown.set(this.#noted);
        this.#noted = grown;
      }
    }
    return key;
  }

  /** The key, if anything was ever read under that name. */
  knownKey(name: string): number | undefined {
    return this.#keys.get(name);
  }

  get size(): number {
    return this.#keys.size;
  }

  note(key: number): void {
    const current = this.#current;
    if (current === undefined || this.#noted[key] === current.number) return;
    this.#noted[key] = current.number;
    current.keys.push(key);
  }

  noteName(name: string): void {
    if (this.#current !== undefined) this.note(this.key(name));
  }

  noteAll(keys: readonly number[]): void {
    if (this.#current !== undefined) for (const key of keys) this.note(key);
  }

  create(): Recording {
    return { number: ++this.#recordings, keys: [] };
  }

  /** Runs it with what it reads noted in the recording, and in that around it. */
  during<T>(recording: Recording, run: () => T): T {
    const around = this.#current;
    this.#current = recording;
    try {
      return run();
    } finally {
      this.#current = around;
    }
  }

  /** A value that is made once and shared, with what was read for it. */
  capture<T>(make: () => T): { readonly value: T; readonly keys: readonly number[] } {
    const recording = this.create();
    const value = this.during(recording, make);
    this.noteAll(recording.keys);
    return { value, keys: recording.keys };
  }
}

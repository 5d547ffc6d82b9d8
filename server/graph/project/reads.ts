/** Records the keys that are read while a result is computed: a change of one of them makes the result stale. */

import { hash53, mix } from "../../common/hash.ts";
import { grown } from "../../common/packed/packed-arrays.ts";

/** The keys that one result has read. */
export interface Recording {
  readonly number: number;
  /** The file of the result. Its own facts are not recorded: each change of the file invalidates the result anyway. */
  readonly file: number;
  readonly keys: number[];
  /** The negative keys, which are hashes. */
  readonly names: Set<number>;
}

/** The parts of a file: its language and package, its import statements, and the files that these resolve to. */
export const READ = { package: 0, statements: 1, imports: 2 } as const;
const KINDS = 3;

/** The key of a part of a file, 0 or more. */
export function filePartKey(file: number, part: (typeof READ)[keyof typeof READ]): number {
  return file * KINDS + part;
}

/** The key of a name, a negative hash. On a collision, a change of one name also recomputes results that read the other. */
export function nameReadKey(name: string): number {
  return hash53(name) | 0x80000000;
}

/** The key of the definitions of one identity in a file, a negative hash; see `DefinitionTree`. */
export function definitionKey(file: number, identity: number): number {
  return mix(Math.imul(file, 31) ^ identity) | 0x80000000;
}

const INITIAL_KEYS = 1024;

export class Reads {
  /** By key of a file part, the last recording that contains it. */
  #lastRecording = new Int32Array(INITIAL_KEYS);
  #recordings = 0;
  #current: Recording | undefined;

  /** Whether there is any recording. */
  get isUsed(): boolean {
    return this.#recordings > 0;
  }

  /** Notes that restored results have recordings. */
  begin(): void {
    this.#recordings++;
  }

  record(key: number): void {
    const current = this.#current;
    if (current === undefined) return;
    if (key < 0) {
      if (current.names.has(key)) return;
      current.names.add(key);
    } else {
      if (this.#lastRecording[key] === current.number) return;
      if (key >= this.#lastRecording.length)
        this.#lastRecording = grown(this.#lastRecording, key + 1);
      this.#lastRecording[key] = current.number;
    }
    current.keys.push(key);
  }

  recordName(name: string): void {
    if (this.#current !== undefined) this.record(nameReadKey(name));
  }

  #recordAll(keys: readonly number[]): void {
    if (this.#current !== undefined) for (const key of keys) this.record(key);
  }

  /** Whether reads of the definitions of a file are recorded: unless it is the file of the result. */
  records(file: number): boolean {
    return this.#current !== undefined && this.#current.file !== file;
  }

  /** `file` is the file of the result, or -1 for a value that several results share. */
  create(file = -1): Recording {
    return { number: ++this.#recordings, file, keys: [], names: new Set() };
  }

  /** Runs `run`; its reads go to this recording, and not to an outer one. */
  during<T>(recording: Recording, run: () => T): T {
    const enclosing = this.#current;
    this.#current = recording;
    try {
      return run();
    } finally {
      this.#current = enclosing;
    }
  }

  /** A value that is computed once, on demand. Its reads are recorded for each result that uses it. */
  shared<T>(make: () => T): () => T {
    let made: { readonly value: T; readonly keys: readonly number[] } | undefined;
    return () => {
      if (made === undefined) {
        const recording = this.create();
        made = { value: this.during(recording, make), keys: recording.keys };
      }
      this.#recordAll(made.keys);
      return made.value;
    };
  }
}

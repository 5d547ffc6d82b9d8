/** Records what is read while a result is made, so that a change tells which results it may concern. */

import { hash53, mix } from "../../common/hash.ts";
import { grown } from "../../common/packed/packed-arrays.ts";

/** What was read so far, as keys. */
export interface Recording {
  readonly number: number;
  /** The file that the result is of: it is made again whenever that file changes, whatever was read of it. */
  readonly file: number;
  readonly keys: number[];
  /** Those of names. */
  readonly names: Set<number>;
}

/** What of a file is read: its language and package, its import statements, which files it imports. */
export const READ = { package: 0, statements: 1, imports: 2 } as const;
const KINDS = 3;

/** The key of a part of a file. */
export function filePartKey(file: number, part: (typeof READ)[keyof typeof READ]): number {
  return file * KINDS + part;
}

/**
 * The key of a name, below 0. Two names may share a key: then a change of one of them also recomputes
 * results that read only the other, which come out as they were.
 */
export function nameReadKey(name: string): number {
  return hash53(name) | 0x80000000;
}

/** The key of what a file says of definitions of one identity, below 0 as well; see DefinitionTree. */
export function definitionKey(file: number, identity: number): number {
  return mix(Math.imul(file, 31) ^ identity) | 0x80000000;
}

const INITIAL_KEYS = 1024;

export class Reads {
  /** Of each part of a file, the recording that noted it last. */
  #noted = new Int32Array(INITIAL_KEYS);
  #recordings = 0;
  #current: Recording | undefined;

  /** Whether anything was ever recorded. */
  get isUsed(): boolean {
    return this.#recordings > 0;
  }

  /** There are recordings of before. */
  begin(): void {
    this.#recordings++;
  }

  note(key: number): void {
    const current = this.#current;
    if (current === undefined) return;
    if (key < 0) {
      if (current.names.has(key)) return;
      current.names.add(key);
    } else {
      if (this.#noted[key] === current.number) return;
      if (key >= this.#noted.length) this.#noted = grown(this.#noted, key + 1);
      this.#noted[key] = current.number;
    }
    current.keys.push(key);
  }

  noteName(name: string): void {
    if (this.#current !== undefined) this.note(nameReadKey(name));
  }

  #noteAll(keys: readonly number[]): void {
    if (this.#current !== undefined) for (const key of keys) this.note(key);
  }

  /** Whether what is read of the definitions of a file has to be noted. */
  isNoting(file: number): boolean {
    return this.#current !== undefined && this.#current.file !== file;
  }

  /** `file` is the one that the result is of; -1 for what several results share. */
  create(file = -1): Recording {
    return { number: ++this.#recordings, file, keys: [], names: new Set() };
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

  /** A value that is made once, at the first request: what was read for it counts as read by each later reader, too. */
  shared<T>(make: () => T): () => T {
    let made: { readonly value: T; readonly keys: readonly number[] } | undefined;
    return () => {
      if (made === undefined) {
        const recording = this.create();
        made = { value: this.during(recording, make), keys: recording.keys };
      }
      this.#noteAll(made.keys);
      return made.value;
    };
  }
}

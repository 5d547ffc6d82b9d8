/** Records what is read while a result is made, so that a change tells which results it may concern. */

import { hash53 } from "../common/hash.ts";
import { grown } from "../common/packed/packed-arrays.ts";

/** What was read so far, as keys. */
export interface Recording {
  readonly number: number;
  readonly keys: number[];
  /** Those of names. */
  readonly names: Set<number>;
}

/** What of a file is read: its top, all but its calls, which files it imports. */
export const READ = { top: 0, whole: 1, imports: 2 } as const;
const KINDS = 3;

/** The key of a part of a file. */
export function fileKey(file: number, part: (typeof READ)[keyof typeof READ]): number {
  return file * KINDS + part;
}

/**
 * The key of a name, below 0. Two names may share a key: then a change of one of them also recomputes
 * results that read only the other, which come out as they were.
 */
export function nameKey(name: string): number {
  return hash53(name) | 0x80000000;
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
    if (this.#current !== undefined) this.note(nameKey(name));
  }

  noteAll(keys: readonly number[]): void {
    if (this.#current !== undefined) for (const key of keys) this.note(key);
  }

  create(): Recording {
    return { number: ++this.#recordings, keys: [], names: new Set() };
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

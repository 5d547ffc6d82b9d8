/** Definitions of all files by a name, kept up to date file by file once somebody looks for one. */

import type { FileFacts } from "../contracts/facts.ts";

export interface IndexEntry {
  readonly file: number;
  readonly index: number;
  /** What others learn of it without looking at the definition itself. */
  readonly mark: string;
}

interface Indexed {
  readonly name: string;
  readonly index: number;
  readonly mark: string;
}

/** Whether a file sorts behind a path. */
type IsBehind = (file: number, path: string) => boolean;

export type Collect = (path: string, facts: FileFacts) => readonly Indexed[];

/** What a file had when it was indexed, and what it has now. */
interface Change {
  readonly path: string;
  readonly before: FileFacts | undefined;
  readonly after: FileFacts | undefined;
}

const NONE: readonly IndexEntry[] = [];
const NO_NAMES: readonly string[] = [];

export class NameIndex {
  /** Begins the keys under which it is read. */
  readonly kind: string;
  readonly #collect: Collect;
  readonly #isBehind: IsBehind;
  readonly #entries = new Map<string, IndexEntry[]>();
  /** By file. */
  readonly #waiting = new Map<number, Change>();
  #changed = new Set<string>();
  #isWanted = false;

  constructor(kind: string, collect: Collect, isBehind: IsBehind) {
    this.kind = kind;
    this.#collect = collect;
    this.#isBehind = isBehind;
  }

  /** In the order of the files' paths. What waits is indexed now, all of it at once. */
  get(name: string): readonly IndexEntry[] {
    this.want();
    for (const _ of this.settle());
    return this.#entries.get(name) ?? NONE;
  }

  /** Somebody will look for a name: to index all files takes a while, and is better done before that in steps. */
  want(): void {
    this.#isWanted = true;
  }

  /** Replaces what a file has. */
  replace(file: number, { path, before, after }: Change): void {
    const known = this.#waiting.get(file);
    this.#waiting.set(file, { path, before: known === undefined ? before : known.before, after });
  }

  /** Indexes what waits, file by file, where somebody looks for names at all. */
  *settle(): Generator<void, void> {
    if (!this.#isWanted) return;
    for (const [file, change] of this.#waiting) {
      this.#waiting.delete(file);
      for (const name of this.#exchange(file, change)) this.#changed.add(name);
      yield;
    }
  }

  /** The names under which something came, went or changed since this was asked before. */
  takeChanged(): Iterable<string> {
    for (const _ of this.settle());
    if (this.#changed.size === 0) return NO_NAMES;
    const taken = this.#changed;
    this.#changed = new Set();
    return taken;
  }

  #exchange(file: number, { path, before, after }: Change): string[] {
    const isBehind = (other: number) => this.#isBehind(other, path);
    const old = byName(before === undefined ? [] : this.#collect(path, before));
    const now = byName(after === undefined ? [] : this.#collect(path, after));
    const changed: string[] = [];
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const own = (now.get(name) ?? []).map(({ index, mark }) => ({ file, index, mark }));
      const known = this.#entries.get(name);
      const last = known?.at(-1);
      // Files of a new index come in the order of their paths.
      if (known !== undefined && !old.has(name) && last !== undefined && !isBehind(last.file))
        known.push(...own);
      else this.#insert(name, file, own, isBehind);
      if (marksOf(old.get(name)) !== marksOf(now.get(name))) changed.push(name);
    }
    return changed;
  }

  #insert(
    name: string,
    file: number,
    own: readonly IndexEntry[],
    isBehind: (file: number) => boolean,
  ): void {
    const entries = (this.#entries.get(name) ?? NONE).filter((entry) => entry.file !== file);
    const place = entries.findIndex((entry) => isBehind(entry.file));
    entries.splice(place < 0 ? entries.length : place, 0, ...own);
    if (entries.length === 0) this.#entries.delete(name);
    else this.#entries.set(name, entries);
  }
}

function byName(indexed: readonly Indexed[]): Map<string, Indexed[]> {
  const names = new Map<string, Indexed[]>();
  for (const one of indexed) {
    const list = names.get(one.name);
    if (list === undefined) names.set(one.name, [one]);
    else list.push(one);
  }
  return names;
}

function marksOf(indexed: readonly Indexed[] = []): string {
  return JSON.stringify(indexed.map(({ mark }) => mark));
}

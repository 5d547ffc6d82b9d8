/** Definitions of all files by a name, kept up to date file by file. */

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

export type Collect = (path: string, facts: FileFacts) => readonly Indexed[];

const NONE: readonly IndexEntry[] = [];

export class NameIndex {
  /** Begins the keys under which it is read. */
  readonly kind: string;
  readonly #collect: Collect;
  readonly #entries = new Map<string, IndexEntry[]>();

  constructor(kind: string, collect: Collect) {
    this.kind = kind;
    this.#collect = collect;
  }

  /** In the order of the files' paths. */
  get(name: string): readonly IndexEntry[] {
    return this.#entries.get(name) ?? NONE;
  }

  /** Replaces what a file has; gives the names under which something came, went or changed. */
  replace(
    file: number,
    path: string,
    { before, after }: { readonly before?: FileFacts; readonly after?: FileFacts },
    isBehind: (file: number) => boolean,
  ): string[] {
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
    const entries = this.get(name).filter((entry) => entry.file !== file);
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

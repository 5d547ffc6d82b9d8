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

  /** Adds a file that sorts behind all that are there. */
  append(file: number, path: string, facts: FileFacts): void {
    for (const { name, index, mark } of this.#collect(path, facts)) {
      const entries = this.#entries.get(name);
      if (entries === undefined) this.#entries.set(name, [{ file, index, mark }]);
      else entries.push({ file, index, mark });
    }
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
      const [own, others] = [now.get(name) ?? [], this.get(name).filter((e) => e.file !== file)];
      const place = others.findIndex((entry) => isBehind(entry.file));
      const at = place < 0 ? others.length : place;
      others.splice(at, 0, ...own.map(({ index, mark }) => ({ file, index, mark })));
      if (others.length === 0) this.#entries.delete(name);
      else this.#entries.set(name, others);
      if (marksOf(old.get(name)) !== marksOf(now.get(name))) changed.push(name);
    }
    return changed;
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

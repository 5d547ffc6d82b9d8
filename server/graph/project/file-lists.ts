/** A multimap from names to file numbers, each list ordered by path. */

const NONE: readonly number[] = [];

export class FileLists {
  readonly #lists = new Map<string, number[]>();

  get(name: string): readonly number[] {
    return this.#lists.get(name) ?? NONE;
  }

  /** `sortsAfter` compares paths: whether another file sorts after this one. */
  add(name: string, file: number, sortsAfter: (file: number) => boolean): void {
    const list = this.#lists.get(name);
    if (list === undefined) {
      this.#lists.set(name, [file]);
      return;
    }
    const last = list.at(-1);
    if (last !== undefined && !sortsAfter(last)) list.push(file);
    // Copied: callers may hold the old list.
    else this.#lists.set(name, inserted(list, file, sortsAfter));
  }

  remove(name: string, file: number): void {
    const rest = this.get(name).filter((one) => one !== file);
    if (rest.length === 0) this.#lists.delete(name);
    else this.#lists.set(name, rest);
  }
}

function inserted(list: readonly number[], file: number, sortsAfter: (file: number) => boolean) {
  const place = list.findIndex(sortsAfter);
  return place < 0 ? [...list, file] : list.toSpliced(place, 0, file);
}

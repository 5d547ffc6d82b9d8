/** Files by a name, each list in the order of their paths. */

const NONE: readonly number[] = [];

export class FileLists {
  readonly #lists = new Map<string, number[]>();

  get(name: string): readonly number[] {
    return this.#lists.get(name) ?? NONE;
  }

  /** `isBehind` tells whether another file sorts behind this one. */
  add(name: string, file: number, isBehind: (file: number) => boolean): void {
    const list = this.#lists.get(name);
    if (list === undefined) {
      this.#lists.set(name, [file]);
      return;
    }
    const last = list.at(-1);
    if (last !== undefined && !isBehind(last)) list.push(file);
    // A new list: the one that was handed out stays as it was.
    else this.#lists.set(name, inserted(list, file, isBehind));
  }

  remove(name: string, file: number): void {
    const rest = this.get(name).filter((one) => one !== file);
    if (rest.length === 0) this.#lists.delete(name);
    else this.#lists.set(name, rest);
  }
}

function inserted(list: readonly number[], file: number, isBehind: (file: number) => boolean) {
  const place = list.findIndex(isBehind);
  return place < 0 ? [...list, file] : list.toSpliced(place, 0, file);
}

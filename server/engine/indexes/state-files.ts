/** Snapshot files of in-memory data that is slow to rebuild, beside the built-in database: a start reads one file. */

import { readdir, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf, trySystemCall } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { PackedArrays } from "../../common/packed/packed-arrays.ts";
import { inSlices } from "../../common/slices.ts";
import type { IndexStore } from "../../contracts/store.ts";
import { readArrays, readParts, removeDrafts, writeArrays, writeParts } from "./array-file.ts";

/** Data that a snapshot can be made of. */
export interface Packable {
  /** Changes with the data. */
  readonly generation: string;
  /** A generator for slices; undefined if there is nothing to store. */
  pack(): Generator<void, PackedArrays | undefined> | undefined;
}

/** The content of a file, and the database state that it belongs to. */
interface Read<T> {
  readonly belongsTo: string;
  readonly value: T;
}

export interface StateFilesOptions<T> {
  /** The content of the files, and the name of their folder. */
  readonly kind: "lanes" | "edges" | "published";
  /** The folder of the built-in database. */
  readonly data: string;
  /** The build of this program: another build may tokenize or resolve names differently. */
  readonly build: string;
  readonly log: Log;
  /** The largest file that is read, for files that another machine has written. Default: any. */
  readonly maxBytes?: number;
  unpack(arrays: PackedArrays): T | Promise<T>;
}

export class StateFiles<T> {
  readonly #options: StateFilesOptions<T>;
  /** Early reads by path; undefined for a file that cannot be read, whose error the later read reports. */
  readonly #early = new Map<string, Promise<Read<T> | undefined>>();

  constructor(options: StateFilesOptions<T>) {
    this.#options = options;
  }

  /** Starts reading a file while the database is being opened. */
  readEarly(name: string): void {
    const path = this.pathOf(name);
    const isOfThisBuild = (belongsTo: string) => belongsTo.startsWith(`${this.#options.build} `);
    this.#early.set(
      path,
      this.#readFile(path, isOfThisBuild).catch(() => undefined),
    );
  }

  /** Drops an early read. */
  forgetEarly(name: string): void {
    this.#early.delete(this.pathOf(name));
  }

  /** Whether a file matches the committed state. Reads only its header. */
  async has(store: IndexStore): Promise<boolean> {
    if (store.isShared) return false;
    const path = this.pathOf(store.name);
    const { log, kind } = this.#options;
    try {
      const belongsTo = await this.#belongsTo(store);
      let isCurrent = false;
      await readArrays(path, (found) => {
        isCurrent = found === belongsTo;
        return false;
      });
      return isCurrent;
    } catch (error) {
      log.debug(`a snapshot of ${kind} cannot be read`, { path, why: messageOf(error) });
      return false;
    }
  }

  /** Undefined if no file matches the committed state; deletes an outdated or damaged file. */
  async read(store: IndexStore): Promise<T | undefined> {
    if (store.isShared) return undefined;
    const path = this.pathOf(store.name);
    const { log, kind } = this.#options;
    try {
      const start = performance.now();
      const belongsTo = await this.#belongsTo(store);
      const early = await this.#early.get(path);
      this.#early.delete(path);
      const read =
        early?.belongsTo === belongsTo
          ? early
          : await this.#readFile(path, (found) => found === belongsTo);
      if (read !== undefined) {
        log.debug(`${kind} were loaded from a snapshot`, {
          path,
          isEarly: read === early,
          ms: Math.round(performance.now() - start),
        });
        return read.value;
      }
    } catch (error) {
      log.warn(`a snapshot of ${kind} was dropped`, { path, why: messageOf(error) });
    }
    await this.remove(store.name);
    return undefined;
  }

  /** Whether the file was written: not if the data changes meanwhile (`isCurrent`) or the disk is full. */
  async write(store: IndexStore, value: Packable, isCurrent: () => boolean): Promise<boolean> {
    if (store.isShared) return false;
    const path = this.pathOf(store.name);
    const { log, kind } = this.#options;
    const { generation } = value;
    const isSame = () => value.generation === generation && isCurrent();
    try {
      const belongsTo = await this.#belongsTo(store);
      if (!isSame()) return false;
      const steps = value.pack();
      const arrays = steps === undefined ? undefined : await inSlices(steps);
      if (arrays === undefined || !isSame()) return false;
      const start = performance.now();
      const isWritten = await writeArrays(path, belongsTo, arrays, isSame);
      const ms = Math.round(performance.now() - start);
      if (isWritten) log.debug(`a snapshot of ${kind} was saved`, { path, ms });
      return isWritten;
    } catch (error) {
      log.warn(`a snapshot of ${kind} was not saved`, { path, why: messageOf(error) });
      return false;
    }
  }

  /** Stores the parts of a file that another machine has written, if it matches the committed state; `read` checks them. */
  async receive(store: IndexStore, parts: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.pathOf(store.name);
    const { log, kind, maxBytes = Number.POSITIVE_INFINITY } = this.#options;
    try {
      const belongsTo = await this.#belongsTo(store);
      await writeParts(path, parts, (found) => found === belongsTo, maxBytes);
    } catch (error) {
      log.warn(`a snapshot of ${kind} was not fetched`, { path, why: messageOf(error) });
    }
  }

  /** The parts of a file that was written. */
  parts(name: string): AsyncIterable<Uint8Array> {
    return readParts(this.pathOf(name));
  }

  /** Records that an index is used, in the time of its file. */
  async noteUse(name: string): Promise<void> {
    const now = new Date();
    await trySystemCall(() => utimes(this.pathOf(name), now, now));
  }

  /** When the index was last used or its file written; 0 without a file. */
  async usedAtMs(name: string): Promise<number> {
    const found = await trySystemCall(() => stat(this.pathOf(name)));
    return found?.mtimeMs ?? 0;
  }

  /** Deletes the files of indexes that were not used for this long. */
  async removeUnused(maxAgeMs: number): Promise<void> {
    const { data, kind } = this.#options;
    const names = (await trySystemCall(() => readdir(join(dirname(data), kind)))) ?? [];
    for (const name of names.filter((each) => each.endsWith(`.${kind}`))) {
      const index = name.slice(0, -kind.length - 1);
      if ((await this.usedAtMs(index)) < Date.now() - maxAgeMs) await this.remove(index);
    }
  }

  async #readFile(
    path: string,
    isWanted: (belongsTo: string) => boolean,
  ): Promise<Read<T> | undefined> {
    const file = await readArrays(path, isWanted, this.#options.maxBytes);
    if (file === undefined) return undefined;
    const value = await this.#options.unpack(file.arrays);
    return { belongsTo: file.belongsTo, value };
  }

  async remove(name: string): Promise<void> {
    const path = this.pathOf(name);
    this.#early.delete(path);
    const { log, kind } = this.#options;
    try {
      await removeDrafts(path);
      for (const each of this.filesOf(name)) await rm(each, { force: true });
    } catch (error) {
      log.warn(`a snapshot of ${kind} was not deleted`, { path, why: messageOf(error) });
    }
  }

  /** All files of an index. */
  protected filesOf(name: string): readonly string[] {
    return [this.pathOf(name)];
  }

  /** Identifies the committed state: any commit changes it. */
  async #belongsTo(store: IndexStore): Promise<string> {
    return `${this.#options.build} ${await store.stateId()}`;
  }

  protected pathOf(name: string): string {
    const { data, kind } = this.#options;
    return join(dirname(data), kind, `${name}.${kind}`);
  }
}

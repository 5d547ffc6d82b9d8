/** Lanes stored ready to use, beside the built-in database: a start then reads one file instead of all chunks. */

import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { PackedArrays } from "../common/packed/packed-arrays.ts";
import { inSlices } from "../common/slices.ts";
import type { LiveLanes } from "../contracts/lanes.ts";
import type { IndexStore } from "../contracts/store.ts";
import { readArrays, removeDrafts, writeArrays } from "./array-file.ts";

/** Lanes as a file has them, and the state that they are of. */
interface ReadLanes {
  readonly belongsTo: string;
  readonly lanes: LiveLanes;
}

export interface LanesFilesOptions {
  /** The folder of the built-in database. */
  readonly data: string;
  /** Of this program: another build may cut words or names otherwise. */
  readonly build: string;
  readonly log: Log;
  unpack(arrays: PackedArrays): LiveLanes;
}

export class LanesFiles {
  readonly #options: LanesFilesOptions;
  /** By path; resolves to undefined where a file cannot be read, which its next reading explains. */
  readonly #early = new Map<string, Promise<ReadLanes | undefined>>();

  constructor(options: LanesFilesOptions) {
    this.#options = options;
  }

  /** Begins to read the lanes of the index that will be asked for, while the database is being opened. */
  readEarly(name: string): void {
    const path = this.#pathOf(name);
    const isOfThisBuild = (belongsTo: string) => belongsTo.startsWith(`${this.#options.build} `);
    this.#early.set(
      path,
      this.#readFile(path, isOfThisBuild).catch(() => undefined),
    );
  }

  /** It will not be asked for. */
  forgetEarly(name: string): void {
    this.#early.delete(this.#pathOf(name));
  }

  /** Undefined where there is no file of the state that is committed; a file that is of no use is deleted. */
  async read(store: IndexStore): Promise<LiveLanes | undefined> {
    if (store.isShared) return undefined;
    const path = this.#pathOf(store.name);
    const { log } = this.#options;
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
        const { lanes } = read;
        log.debug("lanes are read ready to use", {
          path,
          isEarly: read === early,
          ms: Math.round(performance.now() - start),
        });
        return lanes;
      }
    } catch (error) {
      log.warn("a file of stored lanes is thrown away", { path, why: messageOf(error) });
    }
    await this.remove(store.name);
    return undefined;
  }

  /** Whether they were stored: not when they change meanwhile, as `isCurrent` says, or where there is no space. */
  async write(store: IndexStore, lanes: LiveLanes, isCurrent: () => boolean): Promise<boolean> {
    if (store.isShared) return false;
    const path = this.#pathOf(store.name);
    const { log } = this.#options;
    const { generation } = lanes;
    const isSame = () => lanes.generation === generation && isCurrent();
    try {
      const belongsTo = await this.#belongsTo(store);
      if (!isSame()) return false;
      const steps = lanes.pack();
      const arrays = steps === undefined ? undefined : await inSlices(steps);
      if (arrays === undefined || !isSame()) return false;
      const start = performance.now();
      const isWritten = await writeArrays(path, belongsTo, arrays, isSame);
      const ms = Math.round(performance.now() - start);
      if (isWritten) log.debug("lanes are stored", { path, ms });
      return isWritten;
    } catch (error) {
      log.warn("lanes are not stored", { path, why: messageOf(error) });
      return false;
    }
  }

  async #readFile(
    path: string,
    isWanted: (belongsTo: string) => boolean,
  ): Promise<ReadLanes | undefined> {
    const file = await readArrays(path, isWanted);
    if (file === undefined) return undefined;
    return { belongsTo: file.belongsTo, lanes: this.#options.unpack(file.arrays) };
  }

  async remove(name: string): Promise<void> {
    const path = this.#pathOf(name);
    this.#early.delete(path);
    const { log } = this.#options;
    try {
      await removeDrafts(path);
      await rm(path, { force: true });
    } catch (error) {
      log.warn("a file of stored lanes is not deleted", { path, why: messageOf(error) });
    }
  }

  /** The state that the lanes are of: any commit is another one. */
  async #belongsTo(store: IndexStore): Promise<string> {
    return `${this.#options.build} ${await store.stateId()}`;
  }

  #pathOf(name: string): string {
    return join(dirname(this.#options.data), "lanes", `${name}.lanes`);
  }
}

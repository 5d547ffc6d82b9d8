/** A folder that a session has open: a whole index, or a part of the index of a parent folder. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { isInside, pathInside } from "../../common/path-inside.ts";
import type { Lanes } from "../../contracts/lanes.ts";
import type { ExcludedFile } from "../../contracts/model.ts";
import { lanesOfFolder } from "../../search/lanes/folder-lanes.ts";
import { excludedFiles } from "../indexes/index-explain.ts";
import type { OpenIndex } from "../indexes/open-index.ts";
import type { Buffers } from "./buffers.ts";

export class Folder {
  readonly root: string;
  readonly index: OpenIndex;
  /** The folder's path in the index; undefined if it is the root. */
  readonly part: string | undefined;
  readonly #narrowed = new WeakMap<Lanes, Lanes>();

  constructor(root: string, index: OpenIndex) {
    this.root = root;
    this.index = index;
    this.part = pathInside(index.root, root);
  }

  /** Whether the index now excludes this folder. */
  get isExcluded(): boolean {
    if (this.part === undefined) return false;
    return this.index.isStopped || this.index.rules.decide(this.part, "folder") !== undefined;
  }

  /** The path in the index of a file in this folder; undefined for a file outside it. */
  inside(path: string): string | undefined {
    return isInside(this.root, path) ? pathInside(this.index.root, path) : undefined;
  }

  /** Whether the other folder contains this one. */
  isWithin(other: Folder): boolean {
    if (this === other || this.index !== other.index || this.part === undefined) return false;
    return other.part === undefined || isInside(other.root, this.root);
  }

  /** With the buffers; paths are relative to this folder. */
  async lanes(buffers: Buffers): Promise<Lanes> {
    const whole = await buffers.lanes(this.index);
    const { part } = this;
    if (part === undefined) return whole;
    return getOrCreate(this.#narrowed, whole, () => lanesOfFolder(whole, part));
  }

  async excluded(limit: number): Promise<readonly ExcludedFile[]> {
    if (this.part === undefined) return await excludedFiles(this.index, limit);
    const prefix = `${this.part}/`;
    const all = await excludedFiles(this.index, Infinity);
    return all
      .filter(({ path }) => path.startsWith(prefix))
      .slice(0, limit)
      .map(({ path, rule }) => ({ path: path.slice(prefix.length), rule }));
  }
}

/**
 * Snapshot files of lanes. The index of a new worktree has no copy of the snapshot that it begins with, but a hard link to it, and
 * the hashes of its files (decision 28). A start replaces the files that differ. The link lasts until many files differ.
 */

import { link, rm } from "node:fs/promises";
import { messageOf } from "../../common/errors.ts";
import { createPause } from "../../common/slices.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { IndexStore } from "../../contracts/store.ts";
import { readArrays, writeArrays } from "./array-file.ts";
import { type Packable, StateFiles, type StateFilesOptions } from "./state-files.ts";

/** Files whose chunks are read at once: about 2,000 chunks. */
const FILES_AT_ONCE = 100;
/** With more differing files, a start would spend more time on them than on reading the snapshot. */
const MAX_DIFFERING_SHARE = 0.1;

/** The sha256 of each file by its path. */
type Hashes = ReadonlyMap<string, string>;

/** The state and the files that a linked snapshot was made from. */
interface Origin {
  /** The state that the linked file belongs to. */
  readonly belongsTo: string;
  /** The model and the chunker: with others, no file is the same. */
  readonly madeBy: string;
  readonly hashes: readonly (readonly [path: string, sha256: string])[];
}

interface Differences {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export interface BegunLanes extends Differences {
  readonly lanes: LiveLanes;
}

export class LanesFiles extends StateFiles<LiveLanes> {
  readonly #options: StateFilesOptions<LiveLanes>;

  constructor(options: StateFilesOptions<LiveLanes>) {
    super(options);
    this.#options = options;
  }

  override async has(store: IndexStore): Promise<boolean> {
    return (await this.#originOf(store)) !== undefined || (await super.has(store));
  }

  override async read(store: IndexStore): Promise<LiveLanes | undefined> {
    const origin = await this.#originOf(store);
    if (origin === undefined) return await super.read(store);
    this.forgetEarly(store.name);
    return (await this.#readLinked(store, origin))?.lanes;
  }

  override async write(
    store: IndexStore,
    value: Packable,
    isCurrent: () => boolean,
  ): Promise<boolean> {
    if ((await this.#originOf(store)) !== undefined) return true;
    const isWritten = await super.write(store, value, isCurrent);
    if (isWritten) await rm(this.#linkOf(store.name), { force: true });
    return isWritten;
  }

  protected override filesOf(name: string): readonly string[] {
    return [...super.filesOf(name), this.#linkOf(name)];
  }

  /**
   * The lanes of a new index from the snapshot of another one, with the chunks of the files that differ. Undefined if the
   * snapshot is not of the state `stateId`, which the rows were taken from.
   */
  async begin(
    own: IndexStore,
    { store, stateId }: { readonly store: IndexStore; readonly stateId: string },
  ): Promise<BegunLanes | undefined> {
    if (own.isShared || store.isShared) return undefined;
    const known = await this.#originOf(store);
    const origin = known ?? {
      belongsTo: `${this.#options.build} ${stateId}`,
      madeBy: await madeBy(own),
      hashes: [...(await store.hashes())],
    };
    // The snapshot of the other index may be replaced meanwhile; a linked file is not.
    if (known === undefined && (await store.stateId()) !== stateId) return undefined;
    const path = known === undefined ? this.pathOf(store.name) : this.#linkOf(store.name);
    try {
      await this.remove(own.name);
      await link(path, this.#linkOf(own.name));
      const note = Buffer.from(JSON.stringify(origin));
      const arrays = new Map([["origin", new Uint8Array(note)]]);
      await writeArrays(this.pathOf(own.name), this.#linked, arrays, () => true);
      return await this.#readLinked(own, origin);
    } catch (error) {
      // Some file systems have no hard links.
      const { log } = this.#options;
      log.info("a snapshot cannot be linked", { path, why: messageOf(error) });
      await this.remove(own.name);
      const lanes = await super.read(store);
      if (lanes === undefined || (await store.stateId()) !== stateId) return undefined;
      return await withDifferences(lanes, new Map(origin.hashes), own);
    }
  }

  async #readLinked(own: IndexStore, origin: Origin): Promise<BegunLanes | undefined> {
    const { log, unpack } = this.#options;
    const path = this.#linkOf(own.name);
    try {
      const file = await readArrays(path, (belongsTo) => belongsTo === origin.belongsTo);
      if (file !== undefined)
        return await withDifferences(await unpack(file.arrays), new Map(origin.hashes), own);
    } catch (error) {
      log.warn("a snapshot of lanes was dropped", { path, why: messageOf(error) });
    }
    await this.remove(own.name);
    return undefined;
  }

  /** Undefined if the snapshot is not linked, if many files differ, or while vectors are pending. */
  async #originOf(store: IndexStore): Promise<Origin | undefined> {
    if (store.isShared) return undefined;
    const file = await readArrays(
      this.pathOf(store.name),
      (belongsTo) => belongsTo === this.#linked,
    ).catch(() => undefined);
    const note = file?.arrays.get("origin");
    if (note === undefined) return undefined;
    const origin = JSON.parse(Buffer.from(note as Uint8Array).toString()) as Origin;
    const { removed, added } = differences(new Map(origin.hashes), await store.hashes());
    const share = (removed.length + added.length) / (2 * origin.hashes.length);
    const isNear = share <= MAX_DIFFERING_SHARE && origin.madeBy === (await madeBy(store));
    return isNear && (await store.counts()).pending === 0 ? origin : undefined;
  }

  /** Marks the small file beside a link. */
  get #linked(): string {
    return `${this.#options.build} linked`;
  }

  #linkOf(name: string): string {
    return `${this.pathOf(name)}-linked`;
  }
}

async function madeBy(store: IndexStore): Promise<string> {
  const { modelId, dimension, chunkerVersion, schemaVersion } = await store.record();
  return JSON.stringify([modelId, dimension, chunkerVersion, schemaVersion]);
}

function differences(theirs: Hashes, ours: Hashes): Differences {
  const differs = (path: string) => ours.get(path) !== theirs.get(path);
  return { removed: [...theirs.keys()].filter(differs), added: [...ours.keys()].filter(differs) };
}

/** Removes the files that differ in the index from lanes, and adds theirs, in slices. */
async function withDifferences(
  lanes: LiveLanes,
  theirs: Hashes,
  own: IndexStore,
): Promise<BegunLanes> {
  const found = differences(theirs, await own.hashes());
  const { removed, added } = found;
  const pause = createPause();
  const { chunksAtOnce } = lanes;
  for (let from = 0; from < removed.length; from += chunksAtOnce) {
    await lanes.replace(removed.slice(from, from + chunksAtOnce), []);
    await pause();
  }
  for (let at = 0; at < added.length; at += FILES_AT_ONCE) {
    const chunks = await own.chunksOf(added.slice(at, at + FILES_AT_ONCE));
    for (let from = 0; from < chunks.length; from += chunksAtOnce) {
      await lanes.replace([], chunks.slice(from, from + chunksAtOnce));
      await pause();
    }
  }
  return { lanes, ...found };
}

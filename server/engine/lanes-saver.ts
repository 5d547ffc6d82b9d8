/** Stores the lanes of one index when it has been quiet for a while, and when it is closed. */

import type { LiveLanes } from "../contracts/lanes.ts";
import type { IndexStore } from "../contracts/store.ts";
import type { LanesFiles } from "./lanes-files.ts";

/** Who saves a file saves another one soon, and lanes are stored as a whole. */
const QUIET_MS = 120_000;
/** Where nothing is stored, a start would have to read all chunks. */
const FIRST_QUIET_MS = 10_000;

interface Saved {
  readonly lanes: LiveLanes;
  readonly generation: string;
  readonly stateId: string;
}

export interface LanesSaverOptions {
  readonly files: LanesFiles;
  /** What is committed and in memory; undefined while work is under way, or when nothing is to be stored. */
  current(): { readonly store: IndexStore; readonly lanes: LiveLanes } | undefined;
}

export class LanesSaver {
  readonly #options: LanesSaverOptions;
  #saved: Saved | undefined;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> | undefined;

  constructor(options: LanesSaverOptions) {
    this.#options = options;
  }

  /** The lanes were read from the file as it is. */
  async noteRead(store: IndexStore, lanes: LiveLanes): Promise<void> {
    this.#saved = { lanes, generation: lanes.generation, stateId: await store.stateId() };
  }

  /** Something may have changed, and nothing is under way. */
  saveSoon(): void {
    clearTimeout(this.#timer);
    const delay = this.#saved === undefined ? FIRST_QUIET_MS : QUIET_MS;
    this.#timer = setTimeout(() => void this.save(), delay);
    this.#timer.unref();
  }

  /** Stores them now, unless they are stored as they are. Never rejects: lanes can be made again. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#saving;
    this.#saving = this.#save().catch(() => undefined);
    await this.#saving;
  }

  /** Nothing is stored any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#saved = undefined;
    await this.#saving;
  }

  async #save(): Promise<void> {
    const current = this.#options.current();
    if (current === undefined) return;
    const { store, lanes } = current;
    const { generation } = lanes;
    const stateId = await store.stateId();
    const saved = this.#saved;
    const isSaved = saved?.lanes === lanes && saved.generation === generation;
    if (isSaved && saved.stateId === stateId) return;
    // What has no vector yet is embedded soon, and a start finds it by reading all chunks.
    if ((await store.counts()).pending > 0) return;
    const isCurrent = () => this.#options.current()?.lanes === lanes;
    if (!(await this.#options.files.write(store, lanes, isCurrent))) return;
    this.#saved = { lanes, generation, stateId };
  }
}

/** Saves snapshots of one index, for a quick next start: after a quiet period and when the index closes. */

import type { LiveLanes } from "../../contracts/lanes.ts";
import type { IndexStore } from "../../contracts/store.ts";
import { AS_STORED, type IndexGraph } from "../../graph/live-graph.ts";
import type { Packable, StateFiles } from "./state-files.ts";

/** Quiet period: saves of files come in series, and each snapshot is written as a whole. */
const QUIET_MS = 120_000;
/** Without a snapshot, a start rebuilds everything, so the first one is written sooner. */
const FIRST_QUIET_MS = 10_000;

/** The data in memory. */
interface Current {
  readonly store: IndexStore;
  readonly lanes: LiveLanes;
  readonly graph: IndexGraph;
}

interface Saved {
  readonly value: Packable;
  readonly generation: string;
  readonly stateId: string;
}

/** The committed data; undefined during work, or if nothing is to be saved. */
export type CurrentData = () => Current | undefined;

type Part = "lanes" | "graph";
type SnapshotFiles = Pick<StateFiles<unknown>, "write">;

export class StateSaver {
  readonly #files: Readonly<Record<Part, SnapshotFiles>>;
  readonly #current: CurrentData;
  readonly #saved = new Map<Part, Saved>();
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(files: Readonly<Record<Part, SnapshotFiles>>, current: CurrentData) {
    this.#files = files;
    this.#current = current;
  }

  /** Notes the data that was loaded from snapshots, which are current. */
  async noteRead(
    store: IndexStore,
    { lanes, graph }: { lanes?: LiveLanes | undefined; graph?: IndexGraph | undefined },
  ): Promise<void> {
    if (lanes === undefined && graph === undefined) return;
    const stateId = await store.stateId();
    if (lanes !== undefined)
      this.#saved.set("lanes", { value: lanes, generation: lanes.generation, stateId });
    // The graph unpacks a snapshot only when it is asked.
    if (graph !== undefined)
      this.#saved.set("graph", { value: graph, generation: AS_STORED, stateId });
  }

  /** Schedules a save; called when data may have changed and the index is idle. */
  saveSoon(): void {
    clearTimeout(this.#timer);
    const isGraphNew = this.#current()?.graph.wasRequested === true && !this.#saved.has("graph");
    const delay = this.#saved.has("lanes") && !isGraphNew ? QUIET_MS : FIRST_QUIET_MS;
    this.#timer = setTimeout(() => void this.#saveResolved(), delay);
    this.#timer.unref();
  }

  /** Resolves changed edges first if the graph has been asked before; the index is idle now. */
  async #saveResolved(): Promise<void> {
    const graph = this.#current()?.graph;
    if (graph?.wasRequested === true) await graph.whenResolved().catch(() => undefined);
    await this.save();
  }

  /** Writes outdated snapshots now. Never rejects: a snapshot can always be rebuilt. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#inTurn(() => this.#save());
  }

  /** Writes only the snapshot of the lanes, for an index that begins with them. */
  async saveLanes(): Promise<void> {
    await this.#inTurn(() => this.#saveLanes());
  }

  async #inTurn(save: () => Promise<void>): Promise<void> {
    this.#saving = this.#saving.then(save).catch(() => undefined);
    await this.#saving;
  }

  /** Cancels a scheduled save, forgets saved snapshots, and waits for a save in progress. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#saved.clear();
    await this.#saving;
  }

  async #save(): Promise<void> {
    const current = this.#current();
    if (current === undefined) return;
    const { graph } = current;
    await this.#saveLanes();
    await this.#saveOne("graph", graph, current, async () => graph.isResolved);
  }

  async #saveLanes(): Promise<void> {
    const current = this.#current();
    if (current === undefined) return;
    const { store, lanes } = current;
    // Chunks without a vector will be embedded soon, and the next start finds them only by reading all chunks.
    const isEmbedded = async () => (await store.counts()).pending === 0;
    await this.#saveOne("lanes", lanes, current, isEmbedded);
  }

  async #saveOne(
    part: Part,
    value: Packable,
    { store, lanes }: Current,
    isWhole: () => Promise<boolean>,
  ): Promise<void> {
    const { generation } = value;
    const stateId = await store.stateId();
    const saved = this.#saved.get(part);
    const isSaved = saved?.value === value && saved.generation === generation;
    if ((isSaved && saved.stateId === stateId) || !(await isWhole())) return;
    const isCurrent = () => this.#current()?.lanes === lanes;
    if (await this.#files[part].write(store, value, isCurrent))
      this.#saved.set(part, { value, generation, stateId });
  }
}

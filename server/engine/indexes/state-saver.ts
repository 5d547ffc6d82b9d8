/** Stores what one index has in memory, ready for the next start, when it has been quiet for a while, and when it is closed. */

import type { LiveLanes } from "../../contracts/lanes.ts";
import type { IndexStore } from "../../contracts/store.ts";
import { AS_STORED, type IndexGraph } from "../../graph/live-graph.ts";
import type { Packable, StateFiles } from "./state-files.ts";

/** Who saves a file saves another one soon, and everything is stored as a whole. */
const QUIET_MS = 120_000;
/** Where nothing is stored, a start would have to make it again. */
const FIRST_QUIET_MS = 10_000;

/** What is in memory. */
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

export interface StateSaverOptions {
  readonly lanesFiles: Pick<StateFiles<unknown>, "write">;
  readonly edgesFiles: Pick<StateFiles<unknown>, "write">;
  /** What is committed and in memory; undefined while work is under way, or when nothing is to be stored. */
  current(): Current | undefined;
}

type Part = "lanes" | "graph";

export class StateSaver {
  readonly #options: StateSaverOptions;
  readonly #saved = new Map<Part, Saved>();
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> | undefined;

  constructor(options: StateSaverOptions) {
    this.#options = options;
  }

  /** What was read from files as they are. */
  async noteRead(
    store: IndexStore,
    { lanes, graph }: { lanes?: LiveLanes | undefined; graph?: IndexGraph | undefined },
  ): Promise<void> {
    if (lanes === undefined && graph === undefined) return;
    const stateId = await store.stateId();
    if (lanes !== undefined)
      this.#saved.set("lanes", { value: lanes, generation: lanes.generation, stateId });
    // It takes over what was read when somebody asks for it.
    if (graph !== undefined)
      this.#saved.set("graph", { value: graph, generation: AS_STORED, stateId });
  }

  /** Something may have changed, and nothing is under way. */
  saveSoon(): void {
    clearTimeout(this.#timer);
    const isGraphNew =
      this.#options.current()?.graph.wasRequested === true && !this.#saved.has("graph");
    const delay = this.#saved.has("lanes") && !isGraphNew ? QUIET_MS : FIRST_QUIET_MS;
    this.#timer = setTimeout(() => void this.#saveResolved(), delay);
    this.#timer.unref();
  }

  /** Edges that somebody has asked for follow what has changed, now that there is time. */
  async #saveResolved(): Promise<void> {
    const graph = this.#options.current()?.graph;
    if (graph?.wasRequested === true) await graph.whenResolved().catch(() => undefined);
    await this.save();
  }

  /** Stores now what is not stored as it is. Never rejects: everything can be made again. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#saving;
    this.#saving = this.#save().catch(() => undefined);
    await this.#saving;
  }

  /** Nothing is stored any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#saved.clear();
    await this.#saving;
  }

  async #save(): Promise<void> {
    const current = this.#options.current();
    if (current === undefined) return;
    const { store, lanes, graph } = current;
    // What has no vector yet is embedded soon, and a start finds it by reading all chunks.
    const isEmbedded = async () => (await store.counts()).pending === 0;
    await this.#saveOne("lanes", lanes, current, isEmbedded);
    await this.#saveOne("graph", graph, current, async () => graph.isResolved);
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
    const { lanesFiles, edgesFiles } = this.#options;
    const files = part === "lanes" ? lanesFiles : edgesFiles;
    const isCurrent = () => this.#options.current()?.lanes === lanes;
    if (await files.write(store, value, isCurrent))
      this.#saved.set(part, { value, generation, stateId });
  }
}

/** A client's open buffers, laid over the indexes: searches find unsaved text. */

import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { pathInside } from "../common/path-inside.ts";
import type { Lanes, LiveLanes } from "../contracts/lanes.ts";
import type { PreparedFile } from "../contracts/model.ts";
import type { Preparer } from "../contracts/preparer.ts";
import type { StoredChunk } from "../contracts/stored-chunk.ts";
import { storedChunks } from "../indexing/follow-commit.ts";
import { rowsOf } from "../indexing/known-vectors.ts";
import { overlay } from "../search/lanes/overlay-lanes.ts";
import type { OpenIndex } from "./open-index.ts";

/** A search waits up to this long for the last keystrokes to be parsed; then it uses the text before them. */
const PARSE_TIMEOUT_MS = 250;

interface Buffer {
  readonly text: string;
  /** As the store knows files: a buffer whose text is already indexed needs no overlay. */
  readonly sha256: string;
}

interface Overlaid {
  readonly base: LiveLanes;
  readonly own: LiveLanes;
  /** The text of each path that is in `own`, or on its way there. */
  readonly taken: Map<string, string>;
  readonly hidden: Set<string>;
  readonly pending: Map<string, Promise<void>>;
  lanes: Lanes;
}

export class Buffers {
  readonly #preparer: Preparer;
  readonly #log: Log;
  readonly #buffers = new Map<string, Buffer>();
  readonly #overlaid = new WeakMap<OpenIndex, Overlaid>();

  constructor(preparer: Preparer, log: Log) {
    this.#preparer = preparer;
    this.#log = log;
  }

  /** Undefined when the buffer was closed: then the file counts again. */
  set(path: string, text: string | undefined): void {
    if (text === undefined) this.#buffers.delete(path);
    else {
      const sha256 = createHash("sha256").update(text).digest("hex");
      this.#buffers.set(path, { text, sha256 });
    }
  }

  text(path: string): string | undefined {
    return this.#buffers.get(path)?.text;
  }

  /** The lanes of an index with the buffers that differ from what is stored. */
  async lanes(index: OpenIndex): Promise<Lanes> {
    const base = index.lanes ?? index.emptyLanes();
    const unsaved = this.#unsavedIn(index);
    const known = this.#overlaid.get(index);
    if (unsaved.size === 0 && (known === undefined || known.taken.size === 0)) return base;
    const overlaid = known?.base === base ? known : begin(base);
    this.#overlaid.set(index, overlaid);
    for (const path of overlaid.taken.keys()) if (!unsaved.has(path)) forget(overlaid, path);
    for (const [path, text] of unsaved) {
      if (overlaid.taken.get(path) !== text) this.#take(index, overlaid, path, text);
    }
    const all = Promise.all(overlaid.pending.values());
    await Promise.race([all, delay(PARSE_TIMEOUT_MS, undefined, { ref: false })]);
    return overlaid.taken.size === 0 ? base : overlaid.lanes;
  }

  /** By path inside the root. A buffer that no rule lets into the index is not searched either. */
  #unsavedIn(index: OpenIndex): Map<string, string> {
    const unsaved = new Map<string, string>();
    for (const [path, { text, sha256 }] of this.#buffers) {
      const inside = pathInside(index.root, path);
      if (inside === undefined || index.storedHash(inside) === sha256) continue;
      if (index.rules.decide(inside, false) === undefined) unsaved.set(inside, text);
    }
    return unsaved;
  }

  #take(index: OpenIndex, overlaid: Overlaid, path: string, text: string): void {
    overlaid.taken.set(path, text);
    const taking = this.#prepare(index, path, text).then((chunks) => {
      if (overlaid.taken.get(path) !== text) return undefined;
      overlaid.pending.delete(path);
      overlaid.hidden.add(path);
      return overlaid.own.replace([path], chunks);
    });
    overlaid.pending.set(path, taking);
  }

  /** No chunks for text that would not be indexed. Unsaved text is embedded by the built-in model only. */
  async #prepare(index: OpenIndex, path: string, text: string): Promise<StoredChunk[]> {
    const { root, chunking, embedder } = index;
    const embed = embedder.isLocal;
    try {
      const result = await this.#preparer.prepare({ root, path, ...chunking, embed, text });
      return result.kind === "prepared" ? chunksOf(result.file) : [];
    } catch (error) {
      this.#log.warn("an open buffer is not searched", { path, error: messageOf(error) });
      return [];
    }
  }
}

function begin(base: LiveLanes): Overlaid {
  const own = base.createOverlay();
  const hidden = new Set<string>();
  const lanes = overlay(base, own, hidden);
  return { base, own, hidden, lanes, taken: new Map(), pending: new Map() };
}

function forget({ own, hidden, taken, pending }: Overlaid, path: string): void {
  taken.delete(path);
  pending.delete(path);
  hidden.delete(path);
  // Also where nothing was there: the answers from before are out of date all the same.
  void own.replace([path], []);
}

function chunksOf(file: PreparedFile): StoredChunk[] {
  const { vectors, chunks } = file;
  return [...storedChunks(file, vectors === undefined ? [] : rowsOf(vectors, chunks.length))];
}

/** A client's open buffers, laid over the indexes: searches find unsaved text. */

import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isSystemError, messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { pathInside } from "../../common/path-inside.ts";
import type { Lanes, LiveLanes } from "../../contracts/lanes.ts";
import type { PreparedFile } from "../../contracts/model.ts";
import type { Preparer } from "../../contracts/preparer.ts";
import type { StoredChunk } from "../../contracts/stored-chunk.ts";
import { linkExclusionRule } from "../../indexing/discovery/discover.ts";
import { storedChunks } from "../../indexing/follow-commit.ts";
import { rowsOf } from "../../indexing/known-vectors.ts";
import { overlay } from "../../search/lanes/overlay-lanes.ts";
import type { OpenIndex } from "../indexes/open-index.ts";

/** A search waits up to this long for the last keystrokes to be parsed; then it uses the text before them. */
const PARSE_TIMEOUT_MS = 250;

interface Buffer {
  readonly text: string;
  /** Without links: the file whose text it is. */
  readonly real: string;
  /** As the store knows files: a buffer whose text is already indexed needs no overlay. */
  readonly sha256: string;
}

/** Unsaved text, and the path inside the root under which it is found. */
interface Unsaved {
  readonly shown: string;
  readonly text: string;
}

interface Overlaid {
  readonly base: LiveLanes;
  readonly own: LiveLanes;
  /** What is in `own`, or on its way there, by the path whose stored chunks it replaces. */
  readonly taken: Map<string, Unsaved>;
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
      this.#buffers.set(path, { text, sha256, real: realPathOf(path) });
    }
  }

  /** Of a file that the client has open, under this name or another one. */
  text(path: string): string | undefined {
    const known = this.#buffers.get(path);
    if (known !== undefined) return known.text;
    for (const { real, text } of this.#buffers.values()) if (real === path) return text;
    return undefined;
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
    for (const [path, now] of unsaved) {
      const before = overlaid.taken.get(path);
      if (before?.text === now.text && before.shown === now.shown) continue;
      // Under another name before.
      if (before !== undefined && before.shown !== now.shown) forget(overlaid, path);
      this.#take(index, overlaid, path, now);
    }
    const all = Promise.all(overlaid.pending.values());
    await Promise.race([all, delay(PARSE_TIMEOUT_MS, undefined, { ref: false })]);
    return overlaid.taken.size === 0 ? base : overlaid.lanes;
  }

  /** By indexed path. A buffer that no rule lets into the index is not searched either. */
  #unsavedIn(index: OpenIndex): Map<string, Unsaved> {
    const unsaved = new Map<string, Unsaved>();
    for (const [path, { text, sha256, real }] of this.#buffers) {
      const place = placeIn(index, path, real);
      if (place === undefined || index.storedHash(place.indexed) === sha256) continue;
      const { indexed, shown } = place;
      // Of several names of one file that are open, its own counts.
      if (shown === indexed || !unsaved.has(indexed)) unsaved.set(indexed, { shown, text });
    }
    return unsaved;
  }

  #take(index: OpenIndex, overlaid: Overlaid, path: string, unsaved: Unsaved): void {
    const { shown, text } = unsaved;
    overlaid.taken.set(path, unsaved);
    const taking = this.#prepare(index, shown, text).then((chunks) => {
      if (overlaid.taken.get(path) !== unsaved) return undefined;
      overlaid.pending.delete(path);
      overlaid.hidden.add(path).add(shown);
      return overlaid.own.replace([shown], chunks);
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
  const shown = taken.get(path)?.shown ?? path;
  taken.delete(path);
  pending.delete(path);
  hidden.delete(path);
  hidden.delete(shown);
  // Also where nothing was there: the answers from before are out of date all the same.
  void own.replace([shown], []);
}

/** Where a file is without links; of one that is not there yet, where it will be. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isSystemError(error) || dirname(path) === path) return path;
    return join(realPathOf(dirname(path)), basename(path));
  }
}

/**
 * By which path an index knows a file that is open, and under which one it is shown: the client's, where that is inside
 * the root and no rule leaves it out. Undefined for a file that is not in the index, or that a link leads out to.
 */
function placeIn(
  { root, rules }: OpenIndex,
  path: string,
  real: string,
): { indexed: string; shown: string } | undefined {
  const own = pathInside(root, real);
  if (own === undefined) return undefined;
  const named = pathInside(root, path);
  const isNamed = named !== undefined && rules.decide(named, "file") === undefined;
  if (rules.decide(own, "file") === undefined)
    return { indexed: own, shown: isNamed ? named : own };
  // The link is indexed in place of its target.
  if (!isNamed || linkExclusionRule(rules, own, "file") !== undefined) return undefined;
  return { indexed: named, shown: named };
}

function chunksOf(file: PreparedFile): StoredChunk[] {
  const { vectors, chunks } = file;
  return [...storedChunks(file, vectors === undefined ? [] : rowsOf(vectors, chunks.length))];
}

/** Overlays the unsaved text of a client's open buffers on the lanes of the indexes. */

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

/** A search waits up to this long until the last keystrokes are parsed; then it uses the text before them. */
const PARSE_TIMEOUT_MS = 250;

interface Buffer {
  readonly text: string;
  /** The real path of the file. */
  readonly real: string;
  /** sha256, as the store has it: a buffer whose text is already indexed needs no overlay. */
  readonly sha256: string;
}

/** Unsaved text, and the path inside the root under which it is shown. */
export interface Unsaved {
  readonly shown: string;
  readonly text: string;
}

interface Overlaid {
  readonly base: LiveLanes;
  readonly own: LiveLanes;
  /** Texts that `own` has or is preparing, by the path whose stored chunks they replace. */
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

  /** `text` is undefined for a closed buffer: searches use the file again. */
  set(path: string, text: string | undefined): void {
    if (text === undefined) this.#buffers.delete(path);
    else {
      const sha256 = createHash("sha256").update(text).digest("hex");
      this.#buffers.set(path, { text, sha256, real: realPathOf(path) });
    }
  }

  /** The unsaved text of a file that is open under this name or through a link. */
  text(path: string): string | undefined {
    const known = this.#buffers.get(path);
    if (known !== undefined) return known.text;
    for (const { real, text } of this.#buffers.values()) if (real === path) return text;
    return undefined;
  }

  /** The lanes of an index, with the unsaved buffers laid over them. */
  async lanes(index: OpenIndex): Promise<Lanes> {
    const base = index.lanes ?? index.emptyLanes();
    const unsaved = this.unsavedIn(index);
    const known = this.#overlaid.get(index);
    if (unsaved.size === 0 && (known === undefined || known.taken.size === 0)) return base;
    const overlaid = known?.base === base ? known : begin(base);
    this.#overlaid.set(index, overlaid);
    for (const path of overlaid.taken.keys()) if (!unsaved.has(path)) forget(overlaid, path);
    for (const [path, now] of unsaved) {
      const before = overlaid.taken.get(path);
      if (before?.text === now.text && before.shown === now.shown) continue;
      // The buffer was shown under another path before.
      if (before !== undefined && before.shown !== now.shown) forget(overlaid, path);
      this.#take(index, overlaid, path, now);
    }
    const all = Promise.all(overlaid.pending.values());
    await Promise.race([all, delay(PARSE_TIMEOUT_MS, undefined, { ref: false })]);
    return overlaid.taken.size === 0 ? base : overlaid.lanes;
  }

  /** Whether the lanes have the latest unsaved text of a file, by its indexed path. */
  isPrepared(index: OpenIndex, path: string): boolean {
    const overlaid = this.#overlaid.get(index);
    return overlaid !== undefined && overlaid.taken.has(path) && !overlaid.pending.has(path);
  }

  /** The unsaved texts by indexed path. Buffers of files that a rule excludes are not searched. */
  unsavedIn(index: OpenIndex): Map<string, Unsaved> {
    const unsaved = new Map<string, Unsaved>();
    for (const [path, { text, sha256, real }] of this.#buffers) {
      const place = placeIn(index, path, real);
      if (place === undefined || index.storedHash(place.indexed) === sha256) continue;
      const { indexed, shown } = place;
      // If one file is open under several names, its real name wins.
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

  /** No chunks for text that would not be indexed. Only the built-in model embeds unsaved text. */
  async #prepare(index: OpenIndex, path: string, text: string): Promise<StoredChunk[]> {
    const { root, chunking, embedder } = index;
    const embed = embedder.isLocal;
    try {
      const result = await this.#preparer.prepare({ root, path, ...chunking, embed, text });
      return result.kind === "prepared" ? chunksOf(result.file) : [];
    } catch (error) {
      this.#log.warn("an unsaved buffer cannot be searched", { path, error: messageOf(error) });
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
  // Replacing also invalidates cached answers, even if the buffer had no chunks.
  void own.replace([shown], []);
}

/** The real path of a file; for a file that does not exist yet, the path that it will have. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isSystemError(error) || dirname(path) === path) return path;
    return join(realPathOf(dirname(path)), basename(path));
  }
}

/**
 * The path under which an index knows an open file, and the path under which it is shown: the client's, if that is
 * inside the root and no rule excludes it. Undefined for a file outside the index.
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

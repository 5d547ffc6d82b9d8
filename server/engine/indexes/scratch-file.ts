/** Scratch space in an unlinked file, which the system frees when its owner closes it or the process ends. */

import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, readSync, rmSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { Scratch, ScratchRange } from "../../contracts/graph.ts";

/** Maximum number of remembered gaps; smaller gaps are lost until the file is closed. */
const MAX_GAPS = 1_000;

const closing = new FinalizationRegistry<number>((file) => closeSync(file));

export class ScratchFile implements Scratch {
  readonly #folder: string;
  readonly #log: Log;
  /** Undefined until the first write; -1 if no file can be created. */
  #file: number | undefined;
  #end = 0;
  /** Removed ranges, for reuse. */
  #gaps: ScratchRange[] = [];

  /** The first write creates the file and its folder. */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  put(bytes: Uint8Array): ScratchRange | undefined {
    const { length } = bytes;
    const offset = this.#take(length);
    try {
      this.#file ??= this.#create();
      for (let done = 0; done < length; )
        done += writeSync(this.#file, bytes, done, length - done, offset + done);
      return { offset, length };
    } catch (error) {
      this.#log.warn("the scratch file cannot be written", { why: messageOf(error) });
      this.remove({ offset, length });
      return undefined;
    }
  }

  get({ offset, length }: ScratchRange, room = 0): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length + room);
    for (let done = 0; done < length; ) {
      const count = readSync(this.#file ?? -1, bytes, done, length - done, offset + done);
      if (count === 0) throw new Error("the scratch file is truncated");
      done += count;
    }
    return bytes;
  }

  remove(place: ScratchRange): void {
    this.#gaps.push(place);
    if (this.#gaps.length <= MAX_GAPS) return;
    this.#gaps.sort((a, b) => b.length - a.length);
    this.#gaps.length = MAX_GAPS / 2;
  }

  /** The offset of free space of this length: in a gap, or at the end. */
  #take(length: number): number {
    const at = this.#gaps.findIndex((gap) => gap.length >= length);
    const gap = this.#gaps[at];
    if (gap === undefined) {
      const offset = this.#end;
      this.#end += length;
      return offset;
    }
    const rest = { offset: gap.offset + length, length: gap.length - length };
    this.#gaps.splice(at, 1, ...(rest.length > 0 ? [rest] : []));
    return gap.offset;
  }

  #create(): number {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, randomUUID());
    const file = openSync(path, "wx+", 0o600);
    closing.register(this, file);
    unlinkSync(path);
    return file;
  }
}

/** Deletes files of ended processes that could not be deleted while they were open, as on Windows. */
export function clearScratch(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Reads the texts of indexed files as answers show them, for scans of whole workspaces, and keeps them in memory. */

import { createHash } from "node:crypto";
import { type BigIntStats, fstatSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../common/errors.ts";
import { readBytesSync, readFileInsideSync } from "../common/read-file-sync.ts";
import { withLineFeeds } from "../common/text.ts";
import { TrigramFilter } from "../common/trigram-filter.ts";
import type { FileToScan, NoText, WholeText } from "../contracts/scanner.ts";
import { decode, encodingFor } from "./discovery/decode.ts";
import { isNotebook, MAX_NOTEBOOK_BYTES, notebookLines } from "./notebooks/notebook.ts";
import { maskSecrets } from "./secrets/redact.ts";
import { fingerprintOf, statFingerprint } from "./watching/stat-fingerprint.ts";

/**
 * The bytes of the files that are kept, of all roots, and of their filters: rails needs two thirds of this. Its 5,126 files
 * are scanned for a literal in 33 ms of processor time on a busy machine, most of it for `stat`, where 40 ms were taken without filters and
 * with a list of the files for each scan.
 */
const MAX_KEPT_BYTES = 64_000_000;
/** A file that is written all the time is given up. */
const MAX_READS = 3;

interface Kept {
  /** Its absolute path: thousands of them take a millisecond to join. */
  readonly file: string;
  readonly whole: WholeText;
  readonly state: FileState;
  readonly encoding: string | undefined;
  readonly bytes: number;
}

/** A fingerprint in numbers. A scan compares one for each file, and a text would add a fifth to the time of `stat`. */
type FileState = Pick<Stats, "size" | "ino" | "mtimeMs" | "ctimeMs">;

interface ReadFile {
  readonly bytes: Buffer;
  /** Undefined for a file that is too young. */
  readonly state: FileState | undefined;
}

type FilesOf = Map<string, Kept>;

export class KeptTexts {
  /** By root, the latest last. */
  readonly #roots = new Map<string, FilesOf>();
  #bytes = 0;
  readonly #now: () => number;

  /** `now` in milliseconds, for tests. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A promise only for a file whose text is not kept. */
  read(
    root: string,
    file: FileToScan,
    maxFileBytes: number,
  ): WholeText | NoText | Promise<WholeText | NoText> {
    return this.#find(root, file) ?? this.#read(root, file, maxFileBytes);
  }

  async #read(root: string, file: FileToScan, maxFileBytes: number): Promise<WholeText | NoText> {
    const maxBytes = isNotebook(file.path)
      ? Math.max(maxFileBytes, MAX_NOTEBOOK_BYTES)
      : maxFileBytes;
    if (file.text !== undefined) return unsavedText(file.path, file.text, maxBytes);
    const read = readInside(root, file.path, maxBytes, this.#now());
    if ("failure" in read) return read;
    const { bytes, state } = read;
    const text = decode(bytes, file.encoding ?? (await encodingFor(bytes)));
    if (text === undefined) return { failure: "unreadable" };
    const whole = wholeText(file.path, text, createHash("sha256").update(bytes).digest("hex"));
    const { encoding } = file;
    if (state !== undefined)
      this.#keep(root, file.path, {
        file: join(root, file.path),
        whole,
        state,
        encoding,
        bytes: bytes.length + TrigramFilter.bytesFor(whole.text.length),
      });
    return whole;
  }

  #find(root: string, { path, encoding, text }: FileToScan): WholeText | undefined {
    const kept = this.#roots.get(root)?.get(path);
    if (kept === undefined || text !== undefined) return undefined;
    if (kept.encoding === encoding && hasState(kept.file, kept.state)) return kept.whole;
    this.#roots.get(root)?.delete(path);
    this.#bytes -= kept.bytes;
    return undefined;
  }

  /** The files of other roots make room. A root that is larger keeps its first files: each scan reads them in one order. */
  #keep(root: string, path: string, kept: Kept): void {
    const own: FilesOf = this.#roots.get(root) ?? new Map<string, Kept>();
    this.#roots.delete(root);
    this.#roots.set(root, own);
    for (const [other, files] of this.#roots) {
      if (other === root || this.#bytes + kept.bytes <= MAX_KEPT_BYTES) break;
      this.#roots.delete(other);
      for (const { bytes } of files.values()) this.#bytes -= bytes;
    }
    if (this.#bytes + kept.bytes > MAX_KEPT_BYTES) return;
    own.set(path, kept);
    this.#bytes += kept.bytes;
  }
}

function wholeText(path: string, text: string, sha256: string): WholeText {
  const lines = withLineFeeds(text).replaceAll("\r\n", "\n");
  const shown = isNotebook(path) ? (notebookLines(lines)?.join("\n") ?? lines) : lines;
  let masked: string | undefined;
  let filter: TrigramFilter | undefined;
  let isAskedAgain = false;
  return {
    text: shown,
    sha256,
    mayHave: (trigrams) => {
      // The filter takes several times as long to make as the text to look through.
      if (isAskedAgain) filter ??= new TrigramFilter(shown);
      isAskedAgain = true;
      return filter?.mayHave(trigrams) ?? true;
    },
    masked: () => {
      masked ??= maskSecrets(shown);
      return masked;
    },
  };
}

function unsavedText(path: string, text: string, maxBytes: number): WholeText | NoText {
  if (Buffer.byteLength(text) > maxBytes) return { failure: "too large" };
  return wholeText(path, text, createHash("sha256").update(text).digest("hex"));
}

/** Reads again if the file was written meanwhile. */
function readInside(root: string, path: string, maxBytes: number, now: number): ReadFile | NoText {
  try {
    for (let reads = 0; reads < MAX_READS; reads++) {
      const read = readFileInsideSync(root, path, (file): ReadFile | NoText | "changed" => {
        const { found, descriptor } = file;
        if (found.size > maxBytes) return { failure: "too large" };
        const bytes = readBytesSync(file);
        const { size, ino, mtimeMs, ctimeMs } = fstatSync(descriptor);
        const after: BigIntStats = fstatSync(descriptor, { bigint: true });
        if (fingerprintOf(after) !== fingerprintOf(found)) return "changed";
        const isSettled = statFingerprint(found, now) !== undefined;
        return { bytes, state: isSettled ? { size, ino, mtimeMs, ctimeMs } : undefined };
      });
      if (read === "changed") continue;
      if (!("absent" in read)) return read;
      const isGone = read.absent === "the file does not exist";
      return { failure: isGone ? undefined : "unreadable" };
    }
    return { failure: "changed while reading" };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { failure: "unreadable" };
  }
}

/** False also if the file is gone, or may not be accessed: reading it then says why. */
function hasState(file: string, state: FileState): boolean {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return (
      found !== undefined &&
      found.ctimeMs === state.ctimeMs &&
      found.mtimeMs === state.mtimeMs &&
      found.size === state.size &&
      found.ino === state.ino
    );
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

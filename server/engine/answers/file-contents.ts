/** Reads files of a workspace for answers: synchronously from a local disk, where that is faster than the event loop. */

import { type BigIntStats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { trySystemCall } from "../../common/errors.ts";
import { QuickDisk } from "../../common/quick-disk.ts";
import { readBytes, readFileInside } from "../../common/read-file.ts";
import { readBytesSync, readFileInsideSync } from "../../common/read-file-sync.ts";

/** The maximum of indexing.maxFileBytes. */
const MAX_FILE_BYTES = 100_000_000;

/**
 * Larger files are read asynchronously, which takes nine turns of the event loop: for ten files 3 of the 13 ms of a
 * search.
 */
const MAX_BYTES_AT_ONCE = 1_000_000;

interface FileContents {
  readonly bytes: Buffer;
  /** Changes when the file is written, replaced, or made unreadable. */
  readonly version: string;
}

export class FileReader {
  readonly #disk = new QuickDisk();

  /** Undefined if the path is not a file inside `root`. Throws the system's error if it cannot be read. */
  async read(root: string, path: string): Promise<FileContents | undefined> {
    const isQuick = await this.#disk.isQuick(root);
    const read = isQuick ? this.#disk.during(() => readAtOnce(root, path)) : "later";
    return read === "later" ? await readInTurns(root, path) : read;
  }

  /**
   * The version of the file at an absolute path now. If it is the version of an earlier read inside `root`, that read is still
   * valid.
   */
  async versionOf(root: string, file: string): Promise<string | undefined> {
    const isQuick = await this.#disk.isQuick(root);
    const options = { bigint: true } as const;
    return await trySystemCall(async () =>
      versionFrom(isQuick ? statSync(file, options) : await stat(file, options)),
    );
  }
}

function readAtOnce(root: string, path: string): FileContents | undefined | "later" {
  const read = readFileInsideSync(root, path, (file) => {
    const { found } = file;
    if (found.size > MAX_BYTES_AT_ONCE) return { contents: "later" as const };
    return { contents: { bytes: readBytesSync(file), version: versionFrom(found) } };
  });
  return "absent" in read ? undefined : read.contents;
}

async function readInTurns(root: string, path: string): Promise<FileContents | undefined> {
  const read = await readFileInside(root, path, async (file) => {
    const { found } = file;
    if (found.size > MAX_FILE_BYTES) return { contents: undefined };
    return { contents: { bytes: await readBytes(file), version: versionFrom(found) } };
  });
  return "absent" in read ? undefined : read.contents;
}

function versionFrom({ dev, ino, mtimeNs, ctimeNs, size }: BigIntStats): string {
  return [dev, ino, mtimeNs, ctimeNs, size].join(":");
}

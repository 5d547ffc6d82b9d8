/** Reads files of a workspace for answers: synchronously from a local disk, where that is faster than the event loop. */

import { type BigIntStats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { trySystemCall } from "../../common/errors.ts";
import { QuickDisk } from "../../common/quick-disk.ts";
import { readBytes, readFileInside } from "../../common/read-file.ts";
import { readBytesSync } from "../../common/read-file-sync.ts";

/** The maximum of indexing.maxFileBytes. */
const MAX_FILE_BYTES = 100_000_000;

interface FileContents {
  readonly bytes: Buffer;
  /** Changes when the file is written, replaced, or made unreadable. */
  readonly version: string;
}

export class FileReader {
  readonly #disk = new QuickDisk();

  /** Undefined if the path is not a file inside `root`. Throws the system's error if it cannot be read. */
  async read(root: string, path: string): Promise<FileContents | undefined> {
    const read = await this.#disk.readSmall(root, path, (file) => ({
      bytes: readBytesSync(file),
      version: versionFrom(file.found),
    }));
    if (read === "later") return await readInTurns(root, path);
    return "absent" in read ? undefined : read;
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

/** Reads the lines of a hit: from an open buffer, else from the file, of which the last ones used are kept. */

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { isErrorCode } from "../errors.ts";
import type { Lines } from "../model.ts";

/** As many files as a person looks at in a row of searches. */
const FILES = 128;

export interface LineReader {
  /** Undefined when the file is gone or may not be read. */
  read(root: string, path: string, lines: Lines): Promise<readonly string[] | undefined>;
}

/** `buffer` gives an editor's unsaved text for an absolute path. */
export function createLineReader(buffer: (path: string) => string | undefined): LineReader {
  const cache = new LRUCache<string, { version: string; lines: readonly string[] }>({ max: FILES });

  async function linesOf(path: string): Promise<readonly string[] | undefined> {
    const unsaved = buffer(path);
    if (unsaved !== undefined) return unsaved.split(/\r\n|\r|\n/);
    try {
      const { mtimeMs, size } = await stat(path);
      const version = `${mtimeMs}:${size}`;
      const known = cache.get(path);
      if (known?.version === version) return known.lines;
      const lines = (await readFile(path, "utf8")).split(/\r\n|\r|\n/);
      cache.set(path, { version, lines });
      return lines;
    } catch (error) {
      const gone = ["ENOENT", "ENOTDIR", "EISDIR", "EACCES", "EPERM"];
      if (gone.some((code) => isErrorCode(error, code))) return undefined;
      throw error;
    }
  }

  return {
    read: async (root, path, { start, end }) =>
      (await linesOf(join(root, path)))?.slice(start, end + 1),
  };
}

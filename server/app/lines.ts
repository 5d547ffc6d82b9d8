/** Reads the lines of a hit: from an open buffer, else from the file, of which the last ones used are kept. */

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { isErrorCode } from "../errors.ts";
import type { Lines } from "../model.ts";

/** As many files as a person looks at in a row of searches. */
const FILES = 128;

export interface LineReader {
  /** Undefined when the file is gone or may not be read. `buffer` gives unsaved text by absolute path. */
  read(
    root: string,
    path: string,
    lines: Lines,
    buffer: (path: string) => string | undefined,
  ): Promise<readonly string[] | undefined>;
}

export function createLineReader(): LineReader {
  const cache = new LRUCache<string, { version: string; lines: readonly string[] }>({ max: FILES });

  async function fromDisk(path: string): Promise<readonly string[] | undefined> {
    try {
      const { mtimeMs, size } = await stat(path);
      const version = `${mtimeMs}:${size}`;
      const known = cache.get(path);
      if (known?.version === version) return known.lines;
      const lines = splitLines(await readFile(path, "utf8"));
      cache.set(path, { version, lines });
      return lines;
    } catch (error) {
      const gone = ["ENOENT", "ENOTDIR", "EISDIR", "EACCES", "EPERM"];
      if (gone.some((code) => isErrorCode(error, code))) return undefined;
      throw error;
    }
  }

  return {
    read: async (root, path, { start, end }, buffer) => {
      const file = join(root, path);
      const unsaved = buffer(file);
      const lines = unsaved === undefined ? await fromDisk(file) : splitLines(unsaved);
      return lines?.slice(start, end + 1);
    },
  };
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** The command line of scripts that draw queries from folders: FOLDER... --home DIR [--count N]. */

import { resolve } from "node:path";
import { scriptOptions } from "../script-options.ts";

interface FolderOptions {
  /** The folders as in the arguments. */
  readonly folders: readonly string[];
  /** The absolute path of the data folder. */
  readonly home: string;
  readonly count: number;
}

/** Prints the usage and returns undefined if a folder or --home is missing. */
export function folderOptions(usage: string, count: number): FolderOptions | undefined {
  const { values, positionals: folders } = scriptOptions(usage, {
    allowPositionals: true,
    options: { home: { type: "string" }, count: { type: "string", default: `${count}` } },
  });
  if (folders.length > 0 && values.home !== undefined)
    return { folders, home: resolve(values.home), count: Number(values.count) };
  console.error(usage);
  return undefined;
}

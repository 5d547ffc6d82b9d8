/** Finds the programs of worker threads and child processes. */

import { fileURLToPath } from "node:url";

/** The path of a built file, also when the sources are run, as in tests. */
export function builtFile(name: string): string {
  const own = import.meta.url;
  const path = own.endsWith(".ts") ? `../../dist/store/${name}` : `./${name}`;
  return fileURLToPath(new URL(path, own));
}

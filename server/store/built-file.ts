/** Locates the built files that worker threads and child processes run. */

import { fileURLToPath } from "node:url";

/** The path of a built file; in tests, which run the sources, it is in `dist/`. */
export function builtFile(name: string): string {
  const own = import.meta.url;
  const path = own.endsWith(".ts") ? `../../dist/store/${name}` : `./${name}`;
  return fileURLToPath(new URL(path, own));
}

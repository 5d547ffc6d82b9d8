/** Where the programs of other threads and processes lie. */

import { fileURLToPath } from "node:url";

/** They run what was built, also where the sources themselves are run, in tests. */
export function builtFile(name: string): string {
  const own = import.meta.url;
  const beside = own.endsWith(".ts") ? `../../dist/store/${name}` : `./${name}`;
  return fileURLToPath(new URL(beside, own));
}

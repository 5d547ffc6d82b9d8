/** A small tree of real code: a part of a package that the tests have installed anyway. */

import { cpSync } from "node:fs";
import { join } from "node:path";

const SOURCE = join(import.meta.dirname, "../../node_modules/zod/src/v3");

export function sampleTree(root: string): void {
  const isNeeded = (path: string) => !/(?:tests|benchmarks)$/.test(path);
  cpSync(SOURCE, root, { recursive: true, filter: isNeeded });
}

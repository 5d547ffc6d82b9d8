/**
 * Bundles each program, and the worker thread, into one file: that loads in a third of the time of hundreds. What `tsc`
 * emitted of the engine stays beside it, for the threads of the database and for tests.
 */

import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundlePrograms } from "./bundle-programs.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** What only these programs use is in them, and not a second time beside them. */
const ONLY_IN_BUNDLES = [
  "cli",
  "lsp",
  "mcp",
  ...["command", "context-server", "language-server", "load-program", "remote-session"].flatMap(
    (name) => [`programs/${name}.js`, `programs/${name}.js.map`],
  ),
];

await bundlePrograms(ROOT);
for (const name of ONLY_IN_BUNDLES)
  rmSync(join(ROOT, "dist", name), { recursive: true, force: true });

/** The version of this program, as its package says. */

import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** `program` is a file in a folder of the package. */
export function versionOf(program: string): string {
  const manifest = readFileSync(join(dirname(program), "../package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

/** With the time of the build, so that in a checkout the newer one takes over from the engine of the older. */
export function buildOf(program: string): string {
  return `${versionOf(program)}+${Math.floor(statSync(program).mtimeMs / 1000)}`;
}

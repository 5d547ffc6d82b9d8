/** The version of this program, as its package says. */

import { readFileSync, statSync } from "node:fs";

const file = new URL("../../package.json", import.meta.url);

export const VERSION = (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;

/** With the time of the build, so that in a checkout the newer one takes over from the engine of the older. */
export function buildOf(program: string): string {
  return `${VERSION}+${Math.floor(statSync(program).mtimeMs / 1000)}`;
}

/** The version of this program, as its package says. */

import { readFileSync } from "node:fs";

const file = new URL("../package.json", import.meta.url);

export const VERSION = (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;

/** The entry point of the language server. */

import { setFlagsFromString } from "node:v8";
import { versionOf } from "../common/version.ts";
import { serve } from "../lsp/server.ts";
import { remoteSession } from "./remote-session.ts";

/**
 * The growth factor of V8's young generation; the default is 2. Messages are garbage at once, so a small young generation
 * is enough: 64 MB of memory instead of 70 after 200 requests.
 */
const SEMI_SPACE_GROWTH = 1;

/** Starts the server. The connection ends the process. `program` is the path of main.js. */
export function run(program: string): undefined {
  setFlagsFromString(`--semi-space-growth-factor=${SEMI_SPACE_GROWTH}`);
  serve({
    version: versionOf(program),
    makeSession: (log) => remoteSession(program, log),
    env: process.env,
  });
}

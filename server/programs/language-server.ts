/** The language server's process. */

import { setFlagsFromString } from "node:v8";
import { versionOf } from "../common/version.ts";
import { serve } from "../lsp/server.ts";
import { remoteSession } from "./remote-session.ts";

/**
 * How much larger the room for new objects becomes when it is full; V8 doubles it, up to 16 MB three times. What passes through
 * is garbage at once: 64 MB instead of 70 after two hundred requests.
 */
const ROOM_GROWTH = 1;

/** Stays in the event loop; the connection ends the process. `program` is the file that was started. */
export function run(program: string): undefined {
  setFlagsFromString(`--semi-space-growth-factor=${ROOM_GROWTH}`);
  serve({
    version: versionOf(program),
    makeSession: (log) => remoteSession(program, log),
    env: process.env,
  });
}

/** The language server's process. */

import { versionOf } from "../common/version.ts";
import { serve } from "../lsp/server.ts";
import { remoteSession } from "./remote-session.ts";

/** Stays in the event loop; the connection ends the process. `program` is the file that was started. */
export function run(program: string): undefined {
  serve({
    version: versionOf(program),
    makeSession: (log) => remoteSession(program, log),
    env: process.env,
  });
}

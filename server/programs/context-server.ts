/** The Model Context Protocol on stdin and stdout, or what configures a client to start it. */

import { silent } from "../common/log.ts";
import { versionOf } from "../common/version.ts";
import { runMcp } from "../mcp/run-mcp.ts";
import { remoteSession } from "./remote-session.ts";

/** Resolves to the exit code. `program` is the file that was started. */
export async function run(program: string, args: readonly string[]): Promise<number> {
  return await runMcp(args, {
    connect: () => remoteSession(program, silent),
    version: versionOf(program),
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    cwd: process.cwd(),
    env: process.env,
  });
}

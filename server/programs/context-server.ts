/** The entry point of the MCP server on stdin and stdout, and of the command that prints client configurations. */

import { noteClient } from "../common/client-times.ts";
import { silent } from "../common/log.ts";
import { versionOf } from "../common/version.ts";
import { homeOf } from "../daemon/home.ts";
import { runMcp } from "../mcp/run-mcp.ts";
import { remoteSession } from "./remote-session.ts";

/** Resolves to the exit code. `program` is the path of main.js. */
export async function run(program: string, args: readonly string[]): Promise<number> {
  return await runMcp(args, {
    connect: () => remoteSession(program, silent),
    version: versionOf(program),
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    cwd: process.cwd(),
    env: process.env,
    noteClient: (name) => noteClient(homeOf(process.env).clients, name),
  });
}

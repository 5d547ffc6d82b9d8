/** The entry point of CLI commands. */

import { dirname, join } from "node:path";
import { runCli } from "../cli/cli.ts";
import { silent } from "../common/log.ts";
import { versionOf } from "../common/version.ts";
import { homeOf } from "../daemon/home.ts";
import { remoteSession } from "./remote-session.ts";

/** Resolves to the exit code. `program` is the path of main.js. */
export async function run(program: string, args: readonly string[]): Promise<number> {
  const home = homeOf(process.env);
  return await runCli(args, {
    connect: () => remoteSession(program, silent),
    endEngine: async () => {
      const { endEngine } = await import("../daemon/end-engine.ts");
      return await endEngine(home);
    },
    version: versionOf(program),
    stdout: process.stdout,
    stderr: process.stderr,
    cwd: process.cwd(),
    env: process.env,
    logFile: home.log,
    clientsFolder: home.clients,
    installer: { models: home.models, programs: join(dirname(program), "models") },
  });
}

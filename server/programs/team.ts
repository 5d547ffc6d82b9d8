/** The entry point of the commands of a team's database. They index in their own process, without the engine of the user. */

import { runCli } from "../cli/cli.ts";
import { silent } from "../common/log.ts";
import { buildOf, versionOf } from "../common/version.ts";
import { homeOf, prepareHome } from "../daemon/home.ts";
import { createTeam } from "../engine/team/team.ts";
import { remoteSession } from "./remote-session.ts";

/** Resolves to the exit code. `program` is the path of main.js. */
export async function run(program: string, args: readonly string[]): Promise<number> {
  const home = homeOf(process.env);
  return await runCli(args, {
    connect: () => remoteSession(program, silent),
    team: (user) => {
      prepareHome(home);
      return createTeam({ user, home: home.root, log: silent, build: buildOf(program) });
    },
    version: versionOf(program),
    stdout: process.stdout,
    stderr: process.stderr,
    cwd: process.cwd(),
    env: process.env,
  });
}

/** Creates a session in this user's engine. The first request connects to the engine or starts it. */

import type { Log } from "../common/log.ts";
import { buildOf } from "../common/version.ts";
import type { Session } from "../contracts/session.ts";

/** `program` is the file that starts an engine. The modules are loaded here, so that the answer to `initialize` does not wait for them. */
export async function remoteSession(program: string, log: Log): Promise<Session> {
  const [{ homeOf }, { connectEngine }, { createRemoteSession }] = await Promise.all([
    import("../daemon/home.ts"),
    import("../daemon/connect.ts"),
    import("../daemon/remote-session.ts"),
  ]);
  const engineProgram = {
    home: homeOf(process.env),
    version: buildOf(program),
    command: [program, "engine"],
    env: process.env,
  };
  return createRemoteSession(() => connectEngine(engineProgram), log);
}

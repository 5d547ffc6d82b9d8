/** A session in the engine of this user, which is found or started at the first request. */

import type { Log } from "../common/log.ts";
import { buildOf } from "../common/version.ts";
import type { Session } from "../contracts/session.ts";

/** `program` is the file with which an engine is started. Loaded only here: the answer to `initialize` does not wait for it. */
export async function remoteSession(program: string, log: Log): Promise<Session> {
  const [{ homeOf }, { connectEngine }, { createRemoteSession }] = await Promise.all([
    import("../daemon/home.ts"),
    import("../daemon/connect.ts"),
    import("../daemon/remote-session.ts"),
  ]);
  const starting = {
    home: homeOf(process.env),
    version: buildOf(program),
    command: [program, "engine"],
    env: process.env,
  };
  return createRemoteSession(() => connectEngine(starting), log);
}

/** What the session tells without being asked: progress, its state, and sentences for the user. */

import type { IndexState, Session, SessionEvent } from "../contracts/session.ts";
import { runDetached } from "./handle-request.ts";
import type { ServerContext } from "./server-context.ts";

/** States in which answers are missing something, so that the reason is shown. */
const TROUBLE: readonly IndexState[] = ["unavailable", "degraded"];

type Told = Pick<ServerContext, "connection" | "log" | "notices" | "progress">;

export function listen(context: Told, session: Session): void {
  session.onEvent((event) => tell(context, event));
}

function tell(context: Told, event: SessionEvent): void {
  switch (event.kind) {
    case "progress":
      return context.progress.on(event);
    case "status":
      return tellState(context, event.state, event.reason);
    case "message":
      return context.notices.once(event.level, event.text);
  }
}

/** The notification cocosearch/statusChanged, and messages about what is wrong. */
export function tellState(context: Told, state: IndexState, reason?: string): void {
  const { connection, log, notices, progress } = context;
  if (state === "unavailable") progress.stop();
  if (TROUBLE.includes(state) && reason !== undefined) notices.now("warning", reason);
  runDetached("state not told", log, () =>
    connection.sendNotification("cocosearch/statusChanged", { state, reason }),
  );
}

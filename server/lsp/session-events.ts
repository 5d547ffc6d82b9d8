/** Forwards events of the session to the client: progress, states and messages. */

import type { IndexState, Session, SessionEvent } from "../contracts/session.ts";
import { runDetached } from "./handle-request.ts";
import type { ServerContext } from "./server-context.ts";

/** States whose reason is shown to the user, because answers are incomplete. */
const TROUBLE: readonly IndexState[] = ["unavailable", "degraded"];

type EventContext = Pick<ServerContext, "connection" | "log" | "notices" | "progress">;

export function listen(context: EventContext, session: Session): void {
  session.onEvent((event) => forward(context, event));
}

function forward(context: EventContext, event: SessionEvent): void {
  switch (event.kind) {
    case "progress":
      return context.progress.on(event);
    case "status":
      return reportState(context, event.state, event.reason);
    case "message":
      return context.notices.once(event.level, event.text);
    // The request that it is about listens itself.
    case "searched":
      return;
  }
}

/** Sends cocosearch/statusChanged, and shows the reason of a bad state. */
export function reportState(context: EventContext, state: IndexState, reason?: string): void {
  const { connection, log, notices, progress } = context;
  if (state === "unavailable") progress.stop();
  if (TROUBLE.includes(state) && reason !== undefined) notices.now("warning", reason);
  runDetached("state not sent", log, () =>
    connection.sendNotification("cocosearch/statusChanged", { state, reason }),
  );
}

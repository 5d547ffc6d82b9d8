/** Assigns the events about the progress of requests to the requests of a session. */

import { getOrCreate } from "../common/get-or-create.ts";
import type { Reported, Session, SessionEvent } from "./session.ts";

export type SearchedEvent = Extract<SessionEvent, { kind: "searched" }>;
type Listener = (event: SearchedEvent) => void;

interface Listeners {
  readonly ofRequests: Map<string, Listener>;
  requests: number;
}

const listenersOf = new WeakMap<object, Listeners>();

/** Runs a request, and calls `onReport` for each event about it. */
export async function withReports<T>(
  session: Pick<Session, "onEvent">,
  onReport: Listener,
  run: (reported: Required<Reported>) => Promise<T>,
): Promise<T> {
  const listeners = getOrCreate(listenersOf, session, listen);
  const reportAs = String(listeners.requests++);
  listeners.ofRequests.set(reportAs, onReport);
  try {
    return await run({ reportAs });
  } finally {
    listeners.ofRequests.delete(reportAs);
  }
}

/** A session has no way to end listening, so there is one listener for all requests. */
function listen(session: Pick<Session, "onEvent">): Listeners {
  const listeners: Listeners = { ofRequests: new Map(), requests: 0 };
  session.onEvent((event) => {
    if (event.kind === "searched") listeners.ofRequests.get(event.reportAs)?.(event);
  });
  return listeners;
}

/** The progress events of passes for a client: begin, report, end. */

import type { IndexState, SessionEvent } from "../../contracts/session.ts";
import { embeddingProgress } from "../indexes/embedding-progress.ts";
import type { OpenIndex } from "../indexes/open-index.ts";

/** Hundreds of files are indexed per second; an event for each would flood the client. */
const REPORT_EVERY_MS = 100;

/** The last event that the client got for an index, and its time. */
interface Shown {
  readonly state: IndexState;
  readonly read: number;
  /** Chunks without a vector. */
  readonly pending: number;
  readonly at: number;
}

/** The value before the first event. */
const NOTHING_SHOWN: Shown = { state: "ready", read: -1, pending: 0, at: 0 };

type ProgressEvent = Extract<SessionEvent, { kind: "progress" }>;

interface PassEvents {
  readonly progress?: ProgressEvent;
  /** Whether the state of the index differs from the last event. */
  readonly hasNewState: boolean;
}

export class PassReports {
  readonly #shown = new WeakMap<OpenIndex, Shown>();

  /** The events to send for an index now. Records them as sent. */
  nextEvents(index: OpenIndex): PassEvents {
    const before = this.#shown.get(index) ?? NOTHING_SHOWN;
    const { state } = index;
    const { read, pending } = index.workspace.status;
    const now = performance.now();
    // The size of the embedding work is sent before its first request, which may be slow.
    const isDue = state !== before.state || (pending > 0 && before.pending === 0);
    if (!isDue && now - before.at < REPORT_EVERY_MS) return { hasNewState: false };
    this.#shown.set(index, { state, read, pending, at: now });
    const phase = phaseOf(before, { state, read, pending });
    return {
      ...(phase === undefined ? {} : { progress: progressOf(index, phase) }),
      hasNewState: state !== before.state,
    };
  }

  /** The end event of a pass whose further events the client will not get; undefined if it knows of no pass. */
  end(index: OpenIndex): ProgressEvent | undefined {
    const { state } = this.#shown.get(index) ?? NOTHING_SHOWN;
    this.#shown.delete(index);
    return state === "indexing" ? progressOf(index, "end") : undefined;
  }
}

function phaseOf(before: Shown, now: Omit<Shown, "at">): ProgressEvent["phase"] | undefined {
  const [was, is] = [before.state === "indexing", now.state === "indexing"];
  if (!is) return was ? "end" : undefined;
  if (!was) return "begin";
  return before.read !== now.read || before.pending !== now.pending ? "report" : undefined;
}

function progressOf(index: OpenIndex, phase: ProgressEvent["phase"]): ProgressEvent {
  const { indexed, read, total, leftMs, pending } = index.workspace.status;
  const embedding = pending > 0 ? embeddingProgress(index, pending) : undefined;
  return {
    kind: "progress",
    root: index.root,
    phase,
    indexed,
    read,
    total,
    ...(leftMs === undefined ? {} : { leftMs }),
    ...(embedding === undefined ? {} : { embedding }),
  };
}

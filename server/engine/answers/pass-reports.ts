/** What a client is told of the passes over its indexes: that one has begun, how far it is, and that it has ended. */

import type { IndexState, SessionEvent } from "../../contracts/session.ts";
import { embeddingProgress } from "../indexes/embedding-progress.ts";
import type { OpenIndex } from "../indexes/open-index.ts";

/** Hundreds of files are indexed per second; reporting each would flood the client. */
const REPORT_EVERY_MS = 100;

/** What the client was last told of an index, and when. */
interface Shown {
  readonly state: IndexState;
  readonly read: number;
  /** Chunks without a vector. */
  readonly pending: number;
  readonly at: number;
}

/** Before anything of an index was shown. */
const NOTHING_SHOWN: Shown = { state: "ready", read: -1, pending: 0, at: 0 };

type ProgressEvent = Extract<SessionEvent, { kind: "progress" }>;

interface News {
  readonly progress?: ProgressEvent;
  /** Whether the index has another state than the client was told. */
  readonly isOtherState: boolean;
}

export class PassReports {
  readonly #shown = new WeakMap<OpenIndex, Shown>();

  /** What is to be told of an index now; it then counts as told. */
  news(index: OpenIndex): News {
    const before = this.#shown.get(index) ?? NOTHING_SHOWN;
    const { state } = index;
    const { read, pending } = index.workspace;
    const now = performance.now();
    // What embedding will take is told before its first request, which may be slow.
    const isNews = state !== before.state || (pending > 0 && before.pending === 0);
    if (!isNews && now - before.at < REPORT_EVERY_MS) return { isOtherState: false };
    this.#shown.set(index, { state, read, pending, at: now });
    const phase = phaseOf(before, { state, read, pending });
    return {
      ...(phase === undefined ? {} : { progress: progressOf(index, phase) }),
      isOtherState: state !== before.state,
    };
  }

  /** The end of a pass of which the client will hear no more; undefined where it knows of none. */
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
  const { indexed, read, total, leftMs, pending } = index.workspace;
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

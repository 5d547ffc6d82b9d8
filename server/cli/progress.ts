/** Shows how far indexing is while a command waits for it: a bar on a terminal, else a line now and then. */

import { SingleBar } from "cli-progress";
import type { Session } from "../session.ts";
import { duration, grouped } from "./format.ts";
import type { Output } from "./output.ts";

/** A wait that is over before a reader has looked up shows nothing. */
const PATIENCE_MS = 300;
/** Between two lines in a log. */
const LINE_MS = 5_000;

interface Progress {
  update(indexed: number, total: number): void;
  stop(): void;
}

/** Follows the session's progress from now until the returned function is called. */
export function showProgress(session: Session, output: Output): () => void {
  const start = performance.now();
  const progress = output.stderr.isTTY ? bar(output) : lines(output, start);
  let stopped = false;
  session.onEvent((event) => {
    if (stopped || event.kind !== "progress" || event.total === 0) return;
    if (performance.now() - start >= PATIENCE_MS) progress.update(event.indexed, event.total);
  });
  return () => {
    stopped = true;
    progress.stop();
  };
}

function bar({ stderr }: Output): Progress {
  const single = new SingleBar({
    stream: stderr,
    format: "indexing {bar} {percentage} %  {value}/{total} files",
    barCompleteChar: "\u2588",
    barIncompleteChar: "\u2591",
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    // The command line ends itself on a signal, and stops the bar before.
    gracefulExit: false,
  });
  let started = false;
  return {
    update: (indexed, total) => {
      if (!started) single.start(total, indexed);
      started = true;
      single.setTotal(total);
      single.update(indexed);
    },
    stop: () => {
      if (started) single.stop();
    },
  };
}

function lines({ note }: Output, start: number): Progress {
  let last = start;
  return {
    update: (indexed, total) => {
      const now = performance.now();
      if (now - last < LINE_MS) return;
      last = now;
      note(
        `indexing: ${grouped(indexed)} of ${grouped(total)} files after ${duration(now - start)}`,
      );
    },
    stop: () => undefined,
  };
}

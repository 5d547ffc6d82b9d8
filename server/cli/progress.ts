/** Shows the progress of indexing on stderr: a bar on a terminal, else a line every few seconds. */

import { SingleBar } from "cli-progress";
import { formatTokens } from "../common/format-tokens.ts";
import { formatRemainingTime } from "../common/remaining-time.ts";
import type { EmbeddingProgress, SessionEvent } from "../contracts/session.ts";
import type { Output } from "./command-context.ts";

/** Shorter work shows no bar. */
const SHOW_AFTER_MS = 300;
/** Minimum time between two lines. */
const LINE_INTERVAL_MS = 5_000;

interface ProgressLine {
  readonly onEvent: (event: SessionEvent) => void;
  /** Files that were read, of all files. */
  reading(read: number, total: number): void;
  /** All files are stored; this many chunks still wait for their vectors. */
  embedding(pending: number, tokens?: EmbeddingProgress): void;
  stop(): void;
}

export function createProgress(stream: Output, now: () => number = Date.now): ProgressLine {
  return stream.isTTY === true ? createBar(stream, now) : createLines(stream, now);
}

function createBar(stream: Output, now: () => number): ProgressLine {
  const startedAt = now();
  const bar = new SingleBar({
    stream,
    format: "{what} [{bar}] {percentage}% | {value} of {total}{left}",
    barsize: 30,
    clearOnComplete: true,
    hideCursor: true,
    emptyOnZero: true,
  });
  const show = (what: string, done: number, total: number, left = "") => {
    if (now() - startedAt < SHOW_AFTER_MS || total === 0) return;
    if (!bar.isActive) bar.start(total, done, { what, left });
    bar.setTotal(total);
    bar.update(done, { what, left });
  };
  let maxPending = 0;
  return {
    reading: (read, total) => show("indexing files", read, total),
    onEvent: (event) => {
      if (event.kind !== "progress") return;
      show("indexing files", event.read, event.total, leftOf(event));
    },
    embedding: (pending, tokens) => {
      maxPending = Math.max(maxPending, pending);
      show("embedding chunks", maxPending - pending, maxPending, tokensOf(tokens));
    },
    stop: () => bar.stop(),
  };
}

function createLines(stream: Output, now: () => number): ProgressLine {
  let lastLineAt = now();
  const writeLine = (line: string) => {
    if (now() - lastLineAt < LINE_INTERVAL_MS) return;
    lastLineAt = now();
    stream.write(`${line}\n`);
  };
  return {
    reading: (read, total) => writeLine(`indexing: ${read} of ${total} files`),
    onEvent: (event) => {
      if (event.kind !== "progress") return;
      writeLine(`indexing: ${event.read} of ${event.total} files${leftOf(event)}`);
    },
    embedding: (pending, tokens) =>
      writeLine(`embedding: ${pending} chunks left${tokensOf(tokens)}`),
    stop: () => undefined,
  };
}

function tokensOf(tokens: EmbeddingProgress | undefined): string {
  const text = tokens === undefined ? "" : formatTokens(tokens);
  return text === "" ? "" : `, ${text}`;
}

function leftOf({ leftMs }: { readonly leftMs?: number }): string {
  return leftMs === undefined ? "" : `, ${formatRemainingTime(leftMs)}`;
}

/** Shows how far indexing is: a bar on a terminal, a line now and then elsewhere. Always on stderr. */

import { SingleBar } from "cli-progress";
import { formatTokens } from "../common/format-tokens.ts";
import { formatRemainingTime } from "../common/remaining-time.ts";
import type { EmbeddingProgress, SessionEvent } from "../contracts/session.ts";
import type { Output } from "./command-context.ts";

/** What is done sooner needs no bar. */
const SHOW_AFTER_MS = 300;
/** Logs are read later; a line every few seconds tells enough. */
const LINE_INTERVAL_MS = 5_000;

export interface Progress {
  readonly onEvent: (event: SessionEvent) => void;
  /** All files are stored; this many chunks still wait for their vectors. */
  embedding(pending: number, tokens?: EmbeddingProgress): void;
  stop(): void;
}

export function createProgress(stream: Output, now: () => number = Date.now): Progress {
  return stream.isTTY === true ? createBar(stream, now) : createLines(stream, now);
}

function createBar(stream: Output, now: () => number): Progress {
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
  let most = 0;
  return {
    onEvent: (event) => {
      if (event.kind !== "progress") return;
      show("indexing files", event.read, event.total, leftOf(event));
    },
    embedding: (pending, tokens) => {
      most = Math.max(most, pending);
      show("embedding chunks", most - pending, most, tokensOf(tokens));
    },
    stop: () => bar.stop(),
  };
}

function createLines(stream: Output, now: () => number): Progress {
  let saidAt = now();
  const say = (line: string) => {
    if (now() - saidAt < LINE_INTERVAL_MS) return;
    saidAt = now();
    stream.write(`${line}\n`);
  };
  return {
    onEvent: (event) => {
      if (event.kind !== "progress") return;
      say(`indexing: ${event.read} of ${event.total} files${leftOf(event)}`);
    },
    embedding: (pending, tokens) => say(`embedding: ${pending} chunks left${tokensOf(tokens)}`),
    stop: () => undefined,
  };
}

function tokensOf(tokens: EmbeddingProgress | undefined): string {
  const said = tokens === undefined ? "" : formatTokens(tokens);
  return said === "" ? "" : `, ${said}`;
}

function leftOf({ leftMs }: { readonly leftMs?: number }): string {
  return leftMs === undefined ? "" : `, ${formatRemainingTime(leftMs)}`;
}

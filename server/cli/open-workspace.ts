/** Opens the workspace that a command is about, and waits for its index where the command needs it. */

import { setTimeout as delay } from "node:timers/promises";
import { count } from "../common/count.ts";
import { BadRequest } from "../common/errors.ts";
import type { Session, Status } from "../contracts/session.ts";
import type { CommandContext } from "./command-context.ts";

/** How often the engine is asked what is left besides files. */
const POLL_MS = 500;

/** BadRequest when the folder is missing, a file, or one that is not indexed (home, the whole disk). */
export async function openWorkspace(context: CommandContext, root: string): Promise<Session> {
  const session = await context.session();
  const sentences = await session.openFolders([root]);
  if (sentences.length === 0) return session;
  if ((await session.status()).state === "no-root") throw new BadRequest(sentences.join("\n"));
  for (const sentence of sentences) context.note(`warning: ${sentence}`);
  return session;
}

/** A stored index is read before it is searched; one of a hundred thousand chunks takes about this long. */
const READ_TIMEOUT_MS = 5_000;
const READ_POLL_MS = 50;

/** Waits until what is stored can be searched, not until it is up to date. */
export async function waitUntilSearchable(
  { signal }: CommandContext,
  session: Session,
): Promise<void> {
  const deadline = Date.now() + READ_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const { state, indexes } = await session.status();
    // A paused one is waited for no longer than until it can be searched.
    if (state === "paused") return await session.whenIdle(signal);
    if (state !== "indexing" || indexes.every(({ chunks }) => chunks > 0)) return;
    await delay(READ_POLL_MS, undefined, { signal });
  }
}

/** What a command waits for: vectors too, or only until every file can be found by its words. */
export type WaitFor = "everything" | "files";

/** Rejects with Unavailable when the index cannot be made. */
export async function waitForIndex(
  { stderr, signal, note }: CommandContext,
  session: Session,
  wanted: WaitFor,
): Promise<void> {
  // Its package takes a tenth of a search to load, and most searches wait for nothing.
  const { createProgress } = await import("./progress.ts");
  const progress = createProgress(stderr);
  session.onEvent(progress.onEvent);
  const settled = session.whenIdle(signal).then(
    () => ({}),
    (error: unknown) => ({ error }),
  );
  try {
    for (;;) {
      const outcome = await Promise.race([settled, delay(POLL_MS, undefined, { ref: false })]);
      if (outcome !== undefined && "error" in outcome) throw outcome.error;
      if (outcome !== undefined) return;
      const status = await session.status();
      const pending = pendingOf(status);
      if (pending === 0) continue;
      progress.embedding(pending, status.indexes.find(({ embedding }) => embedding)?.embedding);
      if (wanted === "files") {
        note(`note: ${count(pending, "chunk")} still to be embedded; found by words until then`);
        return;
      }
    }
  } finally {
    progress.stop();
  }
}

/** Chunks without a vector once all files are stored; 0 before. */
function pendingOf({ indexed, total, indexes }: Status): number {
  if (total === 0 || indexed < total) return 0;
  return indexes.reduce((sum, { pending }) => sum + pending, 0);
}

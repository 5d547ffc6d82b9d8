/** Opens the workspace of a command, and waits until its index is complete enough for the command. */

import { setTimeout as delay } from "node:timers/promises";
import { count } from "../common/count.ts";
import { BadRequest } from "../common/errors.ts";
import type { Session, Status } from "../contracts/session.ts";
import type { CommandContext } from "./command-context.ts";

/** Interval between polls for the number of chunks without a vector. */
const POLL_MS = 500;

/** Throws BadRequest if the folder is missing, a file, or never indexed (the home folder, a whole disk). */
export async function openWorkspace(context: CommandContext, root: string): Promise<Session> {
  const session = await context.session();
  const sentences = await session.openFolders([root]);
  if (sentences.length === 0) return session;
  if ((await session.status()).state === "no-root") throw new BadRequest(sentences.join("\n"));
  for (const sentence of sentences) context.note(`warning: ${sentence}`);
  return session;
}

/** Loading a stored index of 100,000 chunks takes about this long. */
const READ_TIMEOUT_MS = 5_000;
const READ_POLL_MS = 50;

/** One saved file is indexed within .1 s; a pass that takes longer is not waited for. */
const CATCH_UP_MS = 500;

/** Waits until the stored index can be searched, and briefly for files that were just saved. */
export async function waitUntilSearchable(
  { signal }: CommandContext,
  session: Session,
): Promise<void> {
  const deadline = Date.now() + READ_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const { state, indexes } = await session.status();
    // A paused index is idle as soon as it can be searched.
    if (state === "paused") return await session.whenIdle(signal);
    if (state !== "indexing" || indexes.every(({ chunks }) => chunks > 0)) break;
    await delay(READ_POLL_MS, undefined, { signal });
  }
  await session.catchUp(CATCH_UP_MS, signal);
}

/** `files`: every file can be found by keywords. `everything`: every chunk also has its vector. */
type WaitFor = "everything" | "files";

/** Rejects with Unavailable if indexing fails. */
export async function waitForIndex(
  { stderr, signal, note }: CommandContext,
  session: Session,
  target: WaitFor,
): Promise<void> {
  // Loaded lazily: it takes a tenth of the time of a search, and most searches do not wait.
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
      if (target === "files") {
        const isAnswered = status.indexes.some(({ substitute }) => substitute !== undefined);
        const meanwhile = isAnswered
          ? "the built-in model answers until then"
          : "only keyword search finds these";
        note(`note: ${count(pending, "chunk")} not embedded yet; ${meanwhile}`);
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

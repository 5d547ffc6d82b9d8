/** Shows on stderr what a command on a team's database does. */

import type { TeamWatcher } from "../contracts/published.ts";
import type { CommandContext } from "./command-context.ts";
import { createProgress } from "./progress.ts";

export async function watchTeam<T>(
  { signal, note, stderr }: CommandContext,
  run: (watcher: TeamWatcher) => Promise<T>,
): Promise<T> {
  const progress = createProgress(stderr);
  try {
    return await run({
      signal,
      note,
      progress: (read, total) => progress.reading(read, total),
      embedding: (pending) => progress.embedding(pending),
    });
  } finally {
    progress.stop();
  }
}

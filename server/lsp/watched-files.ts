/**
 * The client's file events, as hints.
 *
 * The engine watches by itself and no watcher is registered: editors watch what they like, some of them by one
 * inotify watch a folder, and some refuse the registration.
 */

import { DidChangeWatchedFilesNotification, type FileEvent } from "vscode-languageserver";
import { toPath } from "./convert.ts";
import { runDetached } from "./handle-request.ts";
import type { ServerContext } from "./server-context.ts";

export function register({ connection, folders, log, workspace }: ServerContext): void {
  connection.onNotification(
    DidChangeWatchedFilesNotification.method,
    ({ changes }: { changes: readonly FileEvent[] }) => {
      const paths = changes.map(({ uri }) => toPath(uri)).filter((path) => path !== undefined);
      if (paths.length === 0) return;
      runDetached("file events not told to the engine", log, async () => {
        const session = await workspace.make();
        await session.filesChanged(paths.map((path) => folders.toIndex(path)));
      });
    },
  );
}

/**
 * Forwards file events of the client to the engine, as hints.
 *
 * The server registers no watchers, because the engine watches the folders itself: editors watch different files, and
 * some use one inotify watch per folder or refuse the registration.
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
      runDetached("file events not sent to the engine", log, async () => {
        const session = await workspace.make();
        await session.filesChanged(paths.map((path) => folders.toIndex(path)));
      });
    },
  );
}

/** cocosearch/history: commits that answer a question about the past. */

import type { Location } from "vscode-languageserver";
import type {
  CommitHit,
  HistoryAnswer,
  HistoryRequest,
  HunkHit,
} from "../contracts/history-request.ts";
import { toRange, toUri } from "./convert.ts";
import type { Folders } from "./folders.ts";
import { onRequest } from "./requests.ts";
import type { ServerContext } from "./server-context.ts";

interface FoundHunk extends Omit<HunkHit, "now"> {
  /** In the working tree; the beginning of the file where only the file is known. */
  readonly now?: Location;
}

interface FoundCommit extends Omit<CommitHit, "hunks"> {
  readonly hunks: readonly FoundHunk[];
}

export interface FoundHistory extends Omit<HistoryAnswer, "commits"> {
  readonly commits: readonly FoundCommit[];
}

export function register(context: ServerContext): void {
  const { documents, folders, workspace } = context;
  onRequest(context, "cocosearch/history", async (params, signal) => {
    const request = await historyRequest(params);
    const session = await workspace.session();
    documents.flush(session);
    return toFoundHistory(folders, await session.history(request, signal));
  });
}

/** The check is loaded with the first question. */
async function historyRequest(params: unknown): Promise<HistoryRequest> {
  const { parseHistoryRequest } = await import("../contracts/history-request.ts");
  return parseHistoryRequest(params);
}

function toFoundHistory(folders: Folders, answer: HistoryAnswer): FoundHistory {
  const commits = answer.commits.map(({ hunks, ...commit }) => ({
    ...commit,
    hunks: hunks.map((hunk) => toFoundHunk(folders, commit.root, hunk)),
  }));
  return { ...answer, commits };
}

function toFoundHunk(folders: Folders, root: string, { now, ...hunk }: HunkHit): FoundHunk {
  if (now === undefined) return hunk;
  const range = toRange(now.lines ?? { start: 0, end: 0 });
  return { ...hunk, now: { uri: toUri(folders.toClient(root, now.path)), range } };
}

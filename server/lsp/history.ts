/** cocosearch/history searches commits; cocosearch/explain finds the commits that shaped some lines. */

import type { Location } from "vscode-languageserver";
import type {
  CommitHit,
  ExplainRequest,
  HistoryAnswer,
  HistoryRequest,
  HunkHit,
} from "../contracts/history-request.ts";
import { toLines, toRange, toUri } from "./convert.ts";
import type { Folders } from "./folders.ts";
import { filePath, onRequest } from "./requests.ts";
import type { ServerContext } from "./server-context.ts";

interface FoundHunk extends Omit<HunkHit, "now"> {
  /** The place in the working tree; line 0 if only the file is known. */
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
  onRequest(context, "cocosearch/explain", async (params, signal) => {
    const request = await explainRequest(folders, params);
    const session = await workspace.session();
    documents.flush(session);
    return await session.explain(request, signal);
  });
}

/** The schema is loaded with the first request. */
async function historyRequest(params: unknown): Promise<HistoryRequest> {
  const { parseHistoryRequest } = await import("../contracts/history-request.ts");
  return parseHistoryRequest(params);
}

/** The parameters are `{uri, range}`. A last line that ends at column 0 is not part of the range. */
async function explainRequest(folders: Folders, params: unknown): Promise<ExplainRequest> {
  const { parseExplainPlace } = await import("../contracts/client-requests.ts");
  const { uri, range } = parseExplainPlace(params);
  return { path: folders.toIndex(filePath("uri", uri)), lines: toLines(range) };
}

export function toFoundHistory(folders: Folders, answer: HistoryAnswer): FoundHistory {
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

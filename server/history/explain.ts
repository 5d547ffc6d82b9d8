/** Finds the commit that last changed each line of a file, with `git blame -w -C`. */

import type { GitDirectory } from "../contracts/history.ts";
import type { LineOrigin } from "../contracts/history-request.ts";
import type { Lines } from "../contracts/model.ts";
import { unquotePath } from "./quoted-path.ts";
import { GitError, gitOutput } from "./run-git.ts";

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64_000_000;

/** Zero-based lines of a file in commit `head`. The path is relative to the repository. */
interface BlameRequest {
  readonly head: string;
  readonly path: string;
  readonly ranges: readonly Lines[];
}

const HEADER = /^([0-9a-f]{40,64}) (\d+) (\d+)/;

/** One entry per line, in order. Rejects with GitError if the file or the lines do not exist. */
export async function blame(
  directory: GitDirectory,
  { head, path, ranges }: BlameRequest,
  signal?: AbortSignal,
): Promise<LineOrigin[]> {
  if (ranges.length === 0) return [];
  const wanted = ranges.flatMap(({ start, end }) => ["-L", `${start + 1},${end + 1}`]);
  const output = await gitOutput(
    directory,
    ["blame", "--porcelain", "-w", "-C", ...wanted, head, "--", path],
    { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal },
  );
  return parseBlame(output.toString("utf8"));
}

/** The bytes of a file in a commit; undefined if the commit has no such file. Rejects with GitError if git cannot read it. */
export async function bytesAt(
  directory: GitDirectory,
  head: string,
  path: string,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  try {
    return await gitOutput(directory, ["cat-file", "blob", `${head}:${path}`], {
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    });
  } catch (error) {
    if (error instanceof GitError && !(await hasFile(directory, head, path, signal))) {
      return undefined;
    }
    throw error;
  }
}

/** Whether the tree of a commit lists the file, even if its blob is missing, as in a partial clone. */
async function hasFile(
  directory: GitDirectory,
  head: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const output = await gitOutput(
    directory,
    ["ls-tree", "-z", "--full-tree", "--name-only", head, "--", path],
    { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal },
  );
  return output.toString("utf8").split("\0").includes(path);
}

function parseBlame(output: string): LineOrigin[] {
  const paths = new Map<string, string>();
  const origins: LineOrigin[] = [];
  let [sha, path, original, line] = ["", "", 0, 0];
  for (const text of output.split("\n")) {
    const header = HEADER.exec(text);
    if (text.startsWith("\t")) {
      const known = path || (paths.get(sha) ?? "");
      paths.set(sha, known);
      origins.push({ line, sha, path: known, originalLine: original });
      path = "";
    } else if (header !== null) {
      sha = header[1] ?? "";
      [original, line] = [Number(header[2]) - 1, Number(header[3]) - 1];
    } else if (text.startsWith("filename ")) path = unquotePath(text.slice("filename ".length));
  }
  return origins;
}

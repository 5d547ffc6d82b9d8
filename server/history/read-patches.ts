/** Reads the diffs of commits as hunks without context. */

import { StringDecoder } from "node:string_decoder";
import type { GitDirectory } from "../contracts/history.ts";
import { type FilePatch, PATCH_FORMAT, PatchParser } from "./patch-parser.ts";
import { PATCH_FLAGS, runGit } from "./run-git.ts";

const TIMEOUT_MS = 60_000;
/** Longer lines are cut, to bound memory. */
const MAX_LINE = 4_000_000;

export async function readPatches(
  directory: GitDirectory,
  shas: readonly string[],
  found: (sha: string, files: readonly FilePatch[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  const parser = new PatchParser(found);
  const decoder = new StringDecoder("utf8");
  let rest = "";
  await runGit(
    directory,
    ["log", "--no-walk=unsorted", "--stdin", `--format=${PATCH_FORMAT}`, ...PATCH_FLAGS, "-U0"],
    {
      input: `${shas.join("\n")}\n`,
      timeoutMs: TIMEOUT_MS,
      signal,
      onOutput: (bytes) => {
        const lines = (rest + decoder.write(bytes)).split("\n");
        rest = lines.pop() ?? "";
        if (rest.length > MAX_LINE) rest = rest.slice(0, MAX_LINE);
        for (const line of lines) parser.line(line);
      },
    },
  );
  if (rest !== "") parser.line(rest);
  parser.end();
}

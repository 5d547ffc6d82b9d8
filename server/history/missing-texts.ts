/** Tells which commits changed files whose texts are not there: in a partial clone, nearly all. */

import type { GitDirectory } from "../contracts/history.ts";
import { gitOutput, SHOW_FLAGS } from "./run-git.ts";

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64_000_000;

/** The texts before and after; that of a file that is new or gone is zero. */
const RAW = /^:\d{6} \d{6} ([0-9a-f]+) ([0-9a-f]+) /;
const NO_TEXT = /^0+$/;
/** Of a submodule, a commit is named, which another repository has. */
const SUBMODULE = /^:(?:160000|\d{6} 160000) /;

/** Without reading one of them. Rejects with GitError where a commit or its files cannot be listed. */
export async function commitsWithoutTexts(
  directory: GitDirectory,
  shas: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal };
  const flags = ["--raw", "--no-renames", "--no-abbrev", ...SHOW_FLAGS];
  const listed = await gitOutput(
    directory,
    ["log", "--no-walk=unsorted", "--stdin", "--format=%x00%H", ...flags],
    { ...options, input: `${shas.join("\n")}\n` },
  );
  const texts = new Map<string, string[]>();
  for (const commit of listed.toString("latin1").split("\0").slice(1)) {
    const [sha = "", ...lines] = commit.split("\n");
    const changed = lines.filter((line) => !SUBMODULE.test(line));
    const named = changed.flatMap((line) => RAW.exec(line)?.slice(1) ?? []);
    texts.set(
      sha,
      named.filter((text) => !NO_TEXT.test(text)),
    );
  }
  const asked = new Set([...texts.values()].flat());
  const checked = await gitOutput(directory, ["cat-file", "--batch-check=%(objectname)"], {
    ...options,
    input: [...asked].map((text) => `${text}\n`).join(""),
  });
  const answers = checked.toString("latin1").split("\n");
  const missing = new Set(answers.flatMap((line) => /^(\S+) missing$/.exec(line)?.[1] ?? []));
  const isIncomplete = (all: readonly string[]) => all.some((text) => missing.has(text));
  return new Set([...texts].flatMap(([sha, all]) => (isIncomplete(all) ? [sha] : [])));
}

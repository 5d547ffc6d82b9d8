/** Reads author, time, message and file list of commits, without their diffs. */

import type { GitDirectory, TouchedFile } from "../contracts/history.ts";
import { unquotePath } from "./quoted-path.ts";
import { gitOutput, RENAME_FLAGS, SHOW_FLAGS } from "./run-git.ts";

const TIMEOUT_MS = 60_000;
/** The raw lines of some hundred thousand files. A batch with more is read one commit at a time. */
const MAX_BYTES = 64_000_000;

const MAX_SUBJECT = 500;
const MAX_BODY = 16_000;
const MAX_AUTHOR = 200;

/** A merge is compared with its first parent. */
const RAW_FLAGS = ["--raw", "--no-abbrev", "-m", "--first-parent"];

/** How much to read of the files. Rename detection reads blobs, which a partial clone may not have. */
const FILE_FLAGS = {
  renames: [...RAW_FLAGS, ...RENAME_FLAGS],
  names: [...RAW_FLAGS, "--no-renames"],
  none: ["--no-patch"],
} as const;

export interface Metadata {
  readonly sha: string;
  readonly time: number;
  readonly author: string;
  readonly subject: string;
  readonly body: string;
  /** Regular files only, relative to the repository. */
  readonly files: readonly TouchedFile[];
}

/** NUL separates fields, because git allows none in messages and names. */
const FORMAT = "%x00%H%x00%ct%x00%an <%ae>%x00%B%x00";
const FIELDS = 5;

/** By hash; commits that git cannot read are missing. Rejects with GitError. */
export async function readMetadata(
  directory: GitDirectory,
  shas: readonly string[],
  files: keyof typeof FILE_FLAGS,
  signal?: AbortSignal,
): Promise<Map<string, Metadata>> {
  const output = await gitOutput(
    directory,
    [
      "log",
      "--no-walk=unsorted",
      "--stdin",
      `--format=${FORMAT}`,
      ...SHOW_FLAGS,
      ...FILE_FLAGS[files],
    ],
    { input: `${shas.join("\n")}\n`, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal },
  );
  const fields = output.toString("utf8").split("\0").slice(1);
  const found = new Map<string, Metadata>();
  for (let i = 0; i + FIELDS - 1 < fields.length; i += FIELDS) {
    const [sha = "", time = "", author = "", message = "", raw = ""] = fields.slice(i, i + FIELDS);
    found.set(sha, { sha, time: secondsOf(time), ...textOf(author, message), files: filesOf(raw) });
  }
  return found;
}

/** Seconds since 1970. A commit may have any time; one before 1970 or after the year 9999 becomes 0. */
function secondsOf(text: string): number {
  const seconds = Number(text);
  return Number.isSafeInteger(seconds) && seconds > 0 && seconds < 253_402_300_800 ? seconds : 0;
}

function textOf(author: string, message: string) {
  const text = message.replace(/^\s+/, "");
  const end = /\n\s*\n|$/.exec(text)?.index ?? text.length;
  return {
    author: author.slice(0, MAX_AUTHOR),
    subject: text.slice(0, end).replaceAll(/\s+/g, " ").trim().slice(0, MAX_SUBJECT),
    body: text.slice(end).trim().slice(0, MAX_BODY),
  };
}

const RAW = /^:(\d{6}) (\d{6}) [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*\t([^\t]*)(?:\t(.*))?$/;
const STATUS: Readonly<Record<string, TouchedFile["status"]>> = {
  A: "added",
  C: "added",
  D: "deleted",
  R: "renamed",
};

function filesOf(raw: string): TouchedFile[] {
  const files: TouchedFile[] = [];
  for (const line of raw.split("\n")) {
    const [, before = "", after = "", letter = "", first = "", second] = RAW.exec(line) ?? [];
    const mode = letter === "D" ? before : after;
    // Symbolic links and submodules have no text.
    if (!mode.startsWith("100")) continue;
    const status = STATUS[letter] ?? "modified";
    const path = unquotePath(second ?? first);
    files.push({ path, status, ...(status === "renamed" ? { from: unquotePath(first) } : {}) });
  }
  return files;
}

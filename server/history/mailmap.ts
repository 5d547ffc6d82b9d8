/** Maps the authors of stored commits to their current names by the repository's .mailmap. */

import type { OpenRepository } from "./open-repository.ts";
import { gitOutput, unlessFailed } from "./run-git.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 16_000_000;

/** Git rejects its whole input if one line has another form. */
const CONTACT = /^[^<>\n]*<[^<>\n]*>$/;

export type AuthorNames = (author: string) => string;

/** If git fails, authors keep the names in the commits. */
export async function namesByMailmap(
  { directory, head }: OpenRepository,
  authors: Iterable<string>,
  signal?: AbortSignal,
): Promise<AuthorNames> {
  const asked = [...new Set(authors)].filter((author) => CONTACT.test(author));
  if (asked.length === 0) return (author) => author;
  const args = ["-c", `mailmap.blob=${head.commit}:.mailmap`, "check-mailmap", "--stdin"];
  const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal };
  const mapping = gitOutput(directory, args, { ...options, input: `${asked.join("\n")}\n` });
  const lines = (await unlessFailed(mapping, signal))?.toString("utf8").split("\n") ?? [];
  const names = new Map(asked.map((author, i) => [author, lines[i] ?? author]));
  return (author) => names.get(author) ?? author;
}

/** Asks git for the commits that a question names exactly: by a name in their changes, a pull request, or a hash. */

import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { shortSha } from "../../common/short-sha.ts";
import { TimeLimitExceeded } from "../../common/time-limit.ts";
import type { CommitRow } from "../../contracts/history.ts";
import type { CommitIndex } from "../../history/commit-index.ts";
import { namesByMailmap } from "../../history/mailmap.ts";
import { hashesIn, isInHistory, readNamed } from "../../history/named-commits.ts";
import { pickaxe } from "../../history/pickaxe.ts";
import { pullRequestsIn } from "../../history/pull-requests.ts";
import { type CommitQuery, commitFilter } from "../../history/rank-commits.ts";
import { NoHistory } from "../../history/repository.ts";
import { GitError } from "../../history/run-git.ts";
import { maskSecrets } from "../../indexing/secrets/redact.ts";
import type { Query } from "../../search/query/query.ts";
import type { Folder } from "./folder.ts";
import type { HistoryContext } from "./show-commits.ts";

/** Each is looked for in the diff of every commit. */
const MAX_PICKED_TEXTS = 3;

/** The commits that added or removed the names in the question, or what it has in quotes. */
export async function pick(
  { index }: Folder,
  { identifiers, phrases }: Query,
  commits: CommitIndex,
  warnings: string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const texts = [...new Set([...phrases, ...identifiers])].slice(0, MAX_PICKED_TEXTS);
  if (texts.length === 0) {
    warnings.push("pickaxe: there is no name and nothing in quotes to look for");
    return [];
  }
  const shas: string[] = [];
  try {
    const { directory, repository, head } = await index.past.history.repository();
    const { prefix } = repository;
    for (const text of texts) {
      const request = { head: head.commit, text, prefix, limit: commits.size };
      const found = await pickaxe(directory, request, signal);
      shas.push(...found.shas);
      if (!found.isWhole) warnings.push(`pickaxe: not every commit was looked through for ${text}`);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof GitError) && !(error instanceof NoHistory)) throw error;
    warnings.push(`pickaxe: ${messageOf(error)}`);
  }
  return shas;
}

/** The commits of the pull requests in the question; none where git does not say. */
export async function findMerged(
  { index }: Folder,
  text: string,
  { log }: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const numbers = pullRequestsIn(text);
  if (numbers.length === 0) return [];
  try {
    const { history } = index.past;
    const { directory, head } = await history.repository();
    return await history.pullRequests.commitsOf(directory, head.commit, numbers, signal);
  } catch (error) {
    signal?.throwIfAborted();
    noteUnanswered("pull requests", error, log);
    return [];
  }
}

/** The commits of the hashes in the question that are not among those that were read. */
export async function findUnread(
  { index }: Folder,
  query: CommitQuery,
  commits: CommitIndex,
  warnings: string[],
  { log }: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<CommitRow[]> {
  const all = commits.allowed(undefined);
  const unread = hashesIn(query.text).filter(
    (hash) => commits.withHashes([hash], all).length === 0,
  );
  if (unread.length === 0) return [];
  try {
    const repository = await index.past.history.repository();
    const named = await readNamed(repository, unread, signal);
    const authors = named.map(({ author }) => author);
    const currentAuthor = await namesByMailmap(repository, authors, signal);
    const isAllowed = commitFilter({ ...query, currentAuthor }) ?? (() => true);
    const found = named.filter(({ time, author, files }) =>
      isAllowed({ time, author, paths: files.map(({ path }) => path) }),
    );
    for (const { sha } of found) {
      if (await isInHistory(repository, sha, signal)) continue;
      warnings.push(`${shortSha(sha)} is not in the history of HEAD`);
    }
    return found.map((row) => ({
      ...row,
      subject: maskSecrets(row.subject),
      // As of the commits that are read, what is left out of the index is not shown.
      files: row.files.filter(({ path }) => index.rules.decide(path, "file") === undefined),
    }));
  } catch (error) {
    signal?.throwIfAborted();
    noteUnanswered("hashes", error, log);
    return [];
  }
}

/** Where git does not say; what else was thrown is thrown on. */
function noteUnanswered(what: string, error: unknown, log: Log): void {
  const isExpected =
    error instanceof GitError || error instanceof NoHistory || error instanceof TimeLimitExceeded;
  if (!isExpected) throw error;
  log.debug(`${what} were not looked for`, { reason: messageOf(error) });
}

/** Asks git for the commits that a query names exactly: by a name in their diffs, a pull request, or a hash. */

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
import type { HistoryContext } from "./commit-hunks.ts";
import type { Folder } from "./folder.ts";

/** git searches the diff of every commit for each of them. */
const MAX_PICKED_TEXTS = 3;

/** The commits that added or removed the names, or the quoted text, of a query (`git log -S`). */
export async function pick(
  { index }: Folder,
  { identifiers, phrases }: Query,
  commits: CommitIndex,
  warnings: string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const texts = [...new Set([...phrases, ...identifiers])].slice(0, MAX_PICKED_TEXTS);
  if (texts.length === 0) {
    warnings.push("pickaxe: the query has no name and no quoted text");
    return [];
  }
  const shas: string[] = [];
  try {
    const { directory, repository, head } = await index.history.reader.repository();
    const { prefix } = repository;
    for (const text of texts) {
      const request = { head: head.commit, text, prefix, limit: commits.size };
      const found = await pickaxe(directory, request, signal);
      shas.push(...found.shas);
      if (!found.isWhole)
        warnings.push(`pickaxe: the search for ${text} stopped before all commits`);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof GitError) && !(error instanceof NoHistory)) throw error;
    warnings.push(`pickaxe: ${messageOf(error)}`);
  }
  return shas;
}

/** The commits of the pull requests in a query; none if git fails. */
export async function findMerged(
  { index }: Folder,
  text: string,
  { log }: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const numbers = pullRequestsIn(text);
  if (numbers.length === 0) return [];
  try {
    const { reader: history } = index.history;
    const { directory, head } = await history.repository();
    return await history.pullRequests.commitsOf(directory, head.commit, numbers, signal);
  } catch (error) {
    signal?.throwIfAborted();
    noteUnanswered("pull requests", error, log);
    return [];
  }
}

/** The commits of the hashes in a query that are not indexed. */
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
    const repository = await index.history.reader.repository();
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
      // As for indexed commits, excluded files are not shown.
      files: row.files.filter(({ path }) => index.rules.decide(path, "file") === undefined),
    }));
  } catch (error) {
    signal?.throwIfAborted();
    noteUnanswered("hashes", error, log);
    return [];
  }
}

/** Logs an expected failure of git; throws other errors. */
function noteUnanswered(what: string, error: unknown, log: Log): void {
  const isExpected =
    error instanceof GitError || error instanceof NoHistory || error instanceof TimeLimitExceeded;
  if (!isExpected) throw error;
  log.debug(`git could not look up ${what}`, { reason: messageOf(error) });
}

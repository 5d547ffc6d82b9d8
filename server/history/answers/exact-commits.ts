/** Asks git for the commits that a query names exactly: by a name in their diffs, a pull request, or a hash. */

import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { shortSha } from "../../common/short-sha.ts";
import { TimeLimitExceeded } from "../../common/time-limit.ts";
import type { CommitRow } from "../../contracts/history.ts";
import type { CommitIndex } from "../commit-index.ts";
import { namesByMailmap } from "../mailmap.ts";
import { hashesIn, isInHistory, readNamed } from "../named-commits.ts";
import { pickaxe } from "../pickaxe.ts";
import { pullRequestsIn } from "../pull-requests.ts";
import { type CommitQuery, commitFilter } from "../rank-commits.ts";
import { NoHistory } from "../repository.ts";
import { GitError } from "../run-git.ts";
import type { HistoryContext, HistoryIndex } from "./context.ts";

/** git searches the diff of every commit for each of them. */
const MAX_PICKED_TEXTS = 3;

/** The commits that added or removed one of the texts (`git log -S`). */
export async function pick(
  { history }: HistoryIndex,
  texts: readonly string[],
  commits: CommitIndex,
  warnings: string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (texts.length === 0) {
    warnings.push("pickaxe: the query has no name and no quoted text");
    return [];
  }
  const shas: string[] = [];
  try {
    const { directory, repository, head } = await history.reader.repository();
    const { prefix } = repository;
    for (const text of texts.slice(0, MAX_PICKED_TEXTS)) {
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
  { history: { reader } }: HistoryIndex,
  text: string,
  { log }: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const numbers = pullRequestsIn(text);
  if (numbers.length === 0) return [];
  try {
    const { directory, head } = await reader.repository();
    return await reader.pullRequests.commitsOf(directory, head.commit, numbers, signal);
  } catch (error) {
    signal?.throwIfAborted();
    noteUnanswered("pull requests", error, log);
    return [];
  }
}

/** The commits of the hashes in a query that are not indexed. */
export async function findUnread(
  { history, rules }: HistoryIndex,
  query: CommitQuery,
  commits: CommitIndex,
  warnings: string[],
  { log, tools }: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<CommitRow[]> {
  const all = commits.allowed(undefined);
  const unread = hashesIn(query.text).filter(
    (hash) => commits.withHashes([hash], all).length === 0,
  );
  if (unread.length === 0) return [];
  try {
    const repository = await history.reader.repository();
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
      subject: tools.maskSecrets(row.subject),
      // As for indexed commits, excluded files are not shown.
      files: row.files.filter(({ path }) => rules.decide(path, "file") === undefined),
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

/** Answers a question about commits over the folders of a session: ranks commits, then shows the best. */

import { BadRequest, messageOf, Unavailable } from "../../common/errors.ts";
import { formatAge } from "../../common/time-text.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { CommitRow, HistoryStatus } from "../../contracts/history.ts";
import type { CommitHit, HistoryAnswer } from "../../contracts/history-request.ts";
import type { CommitIndex } from "../commit-index.ts";
import { type AuthorNames, namesByMailmap } from "../mailmap.ts";
import { hashesIn } from "../named-commits.ts";
import { type CommitQuery, commitFilter, type FusedCommit, rankCommits } from "../rank-commits.ts";
import { readPatchesIfPossible, showCommits } from "./commit-hunks.ts";
import type { HistoryContext, HistoryFolder, HistoryIndex } from "./context.ts";
import { findMerged, findUnread, pick } from "./exact-commits.ts";
import { describeSameCommits, verifySameCommits } from "./group-same-commits.ts";

/** From the least complete state to `ready`. */
const BY_SEVERITY: readonly HistoryStatus["state"][] = [
  "reading",
  "waiting",
  "unavailable",
  "off",
  "ready",
];

/** The rank of a commit that the query names by its hash and that is not indexed. */
const NAMED = { score: 1, why: [{ name: "hash", contribution: 1 }] };

/** A history request, with its query parsed by the search. */
export interface HistoryQuestion {
  /** The part that is the same for every folder. */
  readonly base: CommitQuery;
  /** The stemmed words of the query, which the hunks to show are chosen by. */
  readonly terms: ReadonlySet<string>;
  /** The quoted text and the names in the query. */
  readonly texts: readonly string[];
  /** Whether the commits that added or removed these texts are searched. */
  readonly pickaxe: boolean;
  readonly withPatch: boolean;
}

interface Ranked extends FusedCommit {
  readonly folder: HistoryFolder;
  readonly commits: CommitIndex;
}

export async function answerHistory(
  folders: readonly HistoryFolder[],
  question: HistoryQuestion,
  context: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<HistoryAnswer> {
  const { base, texts, pickaxe } = question;
  const { text, limit } = base;
  const warnings: string[] = [];
  const ranked: Ranked[] = [];
  const unread = new Map<HistoryFolder, readonly CommitRow[]>();
  for (const folder of folders) {
    const { index } = folder;
    const { history, embedder } = index;
    history.reader.lookAgain();
    history.reader.prepare();
    await history.firstCommits(signal);
    const commits = await history.commits();
    const authors = base.author === undefined ? [] : commits.authors();
    const currentAuthor = await namesNow(index, authors, context, signal);
    const matchesPath = within(folder.part, base.matchesPath);
    const commitsQuery = { ...base, currentAuthor, matchesPath };
    unread.set(folder, await findUnread(index, commitsQuery, commits, warnings, context, signal));
    const vector = await embed(embedder, text, warnings, context, signal);
    const picked = pickaxe ? await pick(index, texts, commits, warnings, signal) : [];
    const merged = await findMerged(index, text, context, signal);
    const found = rankCommits(commits, { ...commitsQuery, vector, picked, merged });
    const separate = await verifySameCommits(index, commits, found);
    ranked.push(...separate.map((each) => ({ ...each, folder, commits })));
  }
  const named = [...unread.values()].flat();
  const isFiltered =
    commitFilter(base) !== undefined || folders.some(({ part }) => part !== undefined);
  if (named.length === 0 && !isFiltered) warnings.push(...missingHash(text, ranked));
  const best = ranked
    .toSorted((a, b) => b.score - a.score)
    .slice(0, Math.max(0, limit - named.length));
  const hits: CommitHit[] = [];
  for (const folder of folders) {
    const own = best.filter((each) => each.folder === folder);
    const found = { own, unread: unread.get(folder) ?? [] };
    hits.push(...(await showOwn(found, folder, question, context, signal)));
  }
  return {
    commits: hits.toSorted((a, b) => b.score - a.score).slice(0, limit),
    history: statusOf(folders),
    warnings,
  };
}

/** A query that is only a hash names one commit; other results are merely semantic neighbors. */
function missingHash(text: string, ranked: readonly Ranked[]): string[] {
  const [hash] = hashesIn(text);
  if (hash === undefined || hash !== text.trim().toLowerCase()) return [];
  const isNamed = ranked.some(({ why }) => why.some(({ name }) => name === "hash"));
  return isNamed ? [] : [`no commit hash begins with ${hash}`];
}

/** Limits a folder inside an index to the commits that touched it. */
function within(
  part: string | undefined,
  matches: ((path: string) => boolean) | undefined,
): ((path: string) => boolean) | undefined {
  if (part === undefined) return matches;
  return (path) => path.startsWith(`${part}/`) && (matches?.(path) ?? true);
}

async function embed(
  embedder: Embedder,
  text: string,
  warnings: string[],
  { log }: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<Float32Array | undefined> {
  if (text.trim() === "") return undefined;
  try {
    return await embedder.embedQuery(text, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof Unavailable) && !(error instanceof BadRequest)) throw error;
    log.debug("the query was not embedded", { reason: messageOf(error) });
    if (error instanceof Unavailable)
      warnings.push(`semantic search is unavailable: ${error.message}`);
    return undefined;
  }
}

/** Maps authors to their current names by `.mailmap`; to the names in the commits if git fails. */
async function namesNow(
  { history }: HistoryIndex,
  authors: Iterable<string>,
  { log }: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<AuthorNames> {
  try {
    return await namesByMailmap(await history.reader.repository(), authors, signal);
  } catch (error) {
    signal?.throwIfAborted();
    log.debug(".mailmap was not applied", { reason: messageOf(error) });
    return (author) => author;
  }
}

interface OwnCommits {
  readonly own: readonly Ranked[];
  /** Commits that the query names by hash and that are not indexed. */
  readonly unread: readonly CommitRow[];
}

async function showOwn(
  { own, unread }: OwnCommits,
  { index }: HistoryFolder,
  { terms, withPatch }: HistoryQuestion,
  context: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<CommitHit[]> {
  if (own.length + unread.length === 0) return [];
  const commits = own[0]?.commits ?? (await index.history.commits());
  const ranked = new Map(
    own.flatMap((each) => {
      const facts = each.commits.facts(each.commit);
      return facts === undefined ? [] : [[facts.sha, each] as const];
    }),
  );
  const shas = [...ranked.keys()];
  const [stored = [], patches] = await Promise.all([
    index.store?.history.commits(shas),
    readPatchesIfPossible(index, [...unread.map(({ sha }) => sha), ...shas], context, signal),
  ]);
  const rows = [...unread, ...stored];
  const authors = rows.map(({ author }) => author);
  const [shown, currentAuthor] = await Promise.all([
    showCommits({ index, commits, rows, patches, queryTerms: terms, withPatch }, context),
    namesNow(index, authors, context, signal),
  ]);
  const nowSeconds = Date.now() / 1000;
  return rows.map(({ sha, subject, author, time, files }, i) => {
    const { score, why, same }: Pick<FusedCommit, "score" | "why" | "same"> =
      ranked.get(sha) ?? NAMED;
    return {
      root: index.root,
      sha,
      subject,
      author: currentAuthor(author),
      time,
      age: formatAge(time, nowSeconds),
      files,
      hunks: shown[i] ?? [],
      same: describeSameCommits(commits, same, nowSeconds),
      score,
      why,
    };
  });
}

function statusOf(folders: readonly HistoryFolder[]): HistoryStatus {
  const all = folders.map(({ index }) => index.history.reader.status);
  const worst = BY_SEVERITY.flatMap((state) => all.find((status) => status.state === state) ?? []);
  return worst[0] ?? { state: "off", reason: "no folder is open", commits: 0, total: 0 };
}

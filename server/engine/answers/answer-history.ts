/** Answers questions about the past of the folders of a session: ranks commits, then shows the best ones. */

import { BadRequest, messageOf, Unavailable } from "../../common/errors.ts";
import { sayAge, secondsOf } from "../../common/moment.ts";
import { remember } from "../../common/remember.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { CommitRow, HistoryStatus } from "../../contracts/history.ts";
import type { CommitHit, HistoryAnswer, HistoryRequest } from "../../contracts/history-request.ts";
import { REQUEST_DEFAULTS } from "../../contracts/request-defaults.ts";
import type { CommitIndex } from "../../history/commit-index.ts";
import { type AuthorNames, namesByMailmap } from "../../history/mailmap.ts";
import { hashesIn } from "../../history/named-commits.ts";
import {
  type CommitQuery,
  commitFilter,
  type FusedCommit,
  rankCommits,
} from "../../history/rank-commits.ts";
import { categorize } from "../../languages/categories.ts";
import { detect } from "../../languages/detect.ts";
import { LANGUAGE_IDS, resolveLanguage } from "../../languages/table.ts";
import { termNumber } from "../../search/lanes/term-number.ts";
import { toFilter } from "../../search/query/filter.ts";
import { parseQuery, type Query } from "../../search/query/query.ts";
import { termsOf } from "../../search/query/stem.ts";
import { findMerged, findUnread, pick } from "./exact-commits.ts";
import type { Folder } from "./folder.ts";
import { keepSame, nameSame } from "./same-commits.ts";
import { type HistoryContext, readPatches, showCommits } from "./show-commits.ts";

/** The files of some hundred candidates are the same ones again and again. */
const REMEMBERED_PATHS = 20_000;

/** Least complete first. */
const BY_SEVERITY: readonly HistoryStatus["state"][] = [
  "reading",
  "waiting",
  "unavailable",
  "off",
  "ready",
];

/** How a commit is ranked that is named and not stored. */
const NAMED = { score: 1, why: [{ name: "hash", contribution: 1 }] };

interface Ranked extends FusedCommit {
  readonly folder: Folder;
  readonly commits: CommitIndex;
}

export async function answerHistory(
  folders: readonly Folder[],
  request: HistoryRequest,
  context: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<HistoryAnswer> {
  const query = parseQuery(request.query, resolveLanguage);
  const limit = request.limit ?? REQUEST_DEFAULTS.history.limit;
  const asked = commitQuery(query, request, limit);
  const warnings: string[] = [];
  const ranked: Ranked[] = [];
  const unread = new Map<Folder, readonly CommitRow[]>();
  for (const folder of folders) {
    const { past, embedder } = folder.index;
    past.history.lookAgain();
    past.history.prepare();
    await past.firstCommits(signal);
    const commits = await past.commits();
    const authors = asked.author === undefined ? [] : commits.authors();
    const currentAuthor = await namesNow(folder, authors, context, signal);
    const matchesPath = within(folder.part, asked.matchesPath);
    const isAsked = { ...asked, currentAuthor, matchesPath };
    unread.set(folder, await findUnread(folder, isAsked, commits, warnings, context, signal));
    const vector = await embed(embedder, query.text, warnings, context, signal);
    const picked =
      request.pickaxe === true ? await pick(folder, query, commits, warnings, signal) : [];
    const merged = await findMerged(folder, query.text, context, signal);
    const found = rankCommits(commits, { ...isAsked, vector, picked, merged });
    const separate = await keepSame(folder, commits, found);
    ranked.push(...separate.map((each) => ({ ...each, folder, commits })));
  }
  const named = [...unread.values()].flat();
  const isFiltered =
    commitFilter(asked) !== undefined || folders.some(({ part }) => part !== undefined);
  if (named.length === 0 && !isFiltered) warnings.push(...missingHash(query.text, ranked));
  const best = ranked
    .toSorted((a, b) => b.score - a.score)
    .slice(0, Math.max(0, limit - named.length));
  const hits: CommitHit[] = [];
  for (const folder of folders) {
    const own = best.filter((each) => each.folder === folder);
    const found = { own, unread: unread.get(folder) ?? [] };
    hits.push(...(await showOwn(found, folder, query, request, context, signal)));
  }
  return {
    commits: hits.toSorted((a, b) => b.score - a.score).slice(0, limit),
    history: statusOf(folders),
    warnings,
  };
}

/** A question that is a hash alone is about that commit; what else is found is only near in meaning. */
function missingHash(text: string, ranked: readonly Ranked[]): string[] {
  const [hash] = hashesIn(text);
  if (hash === undefined || hash !== text.trim().toLowerCase()) return [];
  const isNamed = ranked.some(({ why }) => why.some(({ name }) => name === "hash"));
  return isNamed ? [] : [`no commit has a hash that begins with ${hash}`];
}

/** What of a request is the same for every folder. */
function commitQuery(query: Query, request: HistoryRequest, limit: number): CommitQuery {
  const nowMs = Date.now();
  const moment = (given: string | number | undefined) =>
    given === undefined ? undefined : secondsOf(given, nowMs);
  const { languages, paths, author, without = [] } = request;
  const filter = toFilter(
    { query: "", languages, paths },
    query.filters,
    resolveLanguage,
    LANGUAGE_IDS,
  );
  const until = moment(request.until);
  const matchesPath = (path: string) =>
    (filter?.matchesPath?.(path) ?? true) && (filter?.languages?.has(detect(path, "")) ?? true);
  return {
    text: query.text,
    terms: termsOf(query.words).map(termNumber),
    vector: undefined,
    since: moment(request.since),
    until,
    author,
    currentAuthor: (name) => name,
    matchesPath: filter === undefined ? undefined : matchesPath,
    isCode,
    without,
    picked: [],
    merged: [],
    limit,
    now: until ?? nowMs / 1000,
  };
}

const isCode = remember((path) => {
  const category = categorize(path, detect(path, ""));
  return category === "implementation" || category === "test";
}, REMEMBERED_PATHS);

/** A folder that is a part of an index has the commits that touched it. */
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
    log.debug("the question was not embedded", { reason: messageOf(error) });
    if (error instanceof Unavailable) warnings.push(`searched without meaning: ${error.message}`);
    return undefined;
  }
}

/** What the authors of commits are called today; as the commits say where git does not answer. */
async function namesNow(
  { index }: Folder,
  authors: Iterable<string>,
  { log }: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<AuthorNames> {
  try {
    return await namesByMailmap(await index.past.history.repository(), authors, signal);
  } catch (error) {
    signal?.throwIfAborted();
    log.debug("authors are called as commits say", { reason: messageOf(error) });
    return (author) => author;
  }
}

interface OwnCommits {
  readonly own: readonly Ranked[];
  /** Named by their hashes, and not stored. */
  readonly unread: readonly CommitRow[];
}

async function showOwn(
  { own, unread }: OwnCommits,
  folder: Folder,
  query: Query,
  request: HistoryRequest,
  context: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<CommitHit[]> {
  if (own.length + unread.length === 0) return [];
  const { index } = folder;
  const commits = own[0]?.commits ?? (await index.past.commits());
  const ranked = new Map(
    own.flatMap((each) => {
      const facts = each.commits.facts(each.commit);
      return facts === undefined ? [] : [[facts.sha, each] as const];
    }),
  );
  const shas = [...ranked.keys()];
  const [stored = [], patches] = await Promise.all([
    index.store?.history.commits(shas),
    readPatches(index, [...unread.map(({ sha }) => sha), ...shas], context, signal),
  ]);
  const rows = [...unread, ...stored];
  const authors = rows.map(({ author }) => author);
  const [shown, currentAuthor] = await Promise.all([
    showCommits(
      { index, commits, rows, patches, query, withPatch: request.patch === true },
      context,
    ),
    namesNow(folder, authors, context, signal),
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
      age: sayAge(time, nowSeconds),
      files,
      hunks: shown[i] ?? [],
      same: nameSame(commits, same, nowSeconds),
      score,
      why,
    };
  });
}

function statusOf(folders: readonly Folder[]): HistoryStatus {
  const all = folders.map(({ index }) => index.past.history.status);
  const worst = BY_SEVERITY.flatMap((state) => all.find((status) => status.state === state) ?? []);
  return worst[0] ?? { state: "off", reason: "no folder is open", commits: 0, total: 0 };
}

/** Ranks commits: fuses the lanes, then weighs coverage, changed code and recency. Constants: test/ranking/history.md. */

import { createScoreScale, RANK_CONSTANT, reciprocalRank } from "../common/ranking/rank-fusion.ts";
import type { Reason } from "../contracts/model.ts";
import type {
  CommitFacts,
  CommitIndex,
  HistoryLane,
  LaneRanking,
  RankedCommit,
} from "./commit-index.ts";
import { hashesIn } from "./named-commits.ts";

/** Candidates per lane. Many, because recency reorders them afterwards. */
const CANDIDATES = 200;

/** How much of a lane's contribution is by rank; the rest is by score. */
const RANK_SHARE = 0.5;

const LANE_WEIGHTS: Readonly<Record<HistoryLane, number>> = {
  message: 1,
  diff: 1,
  symbols: 0.25,
  vector: 1,
};

/**
 * A query about a fix or a revert often means one of the last commits, so without regard to their words the newest ones are
 * candidates too: the first with the weight of a lane, halved at index `NEWEST_HALF`.
 */
const NEWEST = 20;
const NEWEST_HALF = 5;

/**
 * Coverage is the share of the query's words that a commit has in any lane. Without it, a commit with all words, some in
 * its message and some in its diff, ranks below commits that repeat one word in every lane. It counts less if no message
 * covers much of the query, because a large diff covers most words by accident.
 */
const COVERAGE_WEIGHT = 0.5;
const COVERAGE_FLOOR = 0.3;
/** For queries such as "how were timeouts added", whose words are less exact. */
const PATTERN_COVERAGE = 0.5;

/** Factor for commits that changed no code: changelogs, guides and tool settings mention what code does. */
const WITHOUT_CODE = 0.5;

const SECONDS_PER_DAY = 86_400;

/** How much the newest commit gains over an old one, and the half-life of that gain. */
interface Recency {
  readonly weight: number;
  readonly halfDays: number;
}

/** A query about a fix or follow-up means recent work: often of the last days, otherwise of the last months. */
const FOLLOWING: readonly Recency[] = [
  { weight: 2, halfDays: 2 },
  { weight: 2, halfDays: 90 },
];
/** For a query that looks for an example, age hardly matters. */
const PATTERN: readonly Recency[] = [{ weight: 0.1, halfDays: 365 }];

const ASKS_FOLLOWING =
  /\b(?:fix(?:e[sd]|ing)?|regress\w*|broken?|break(?:s|ing|age)?|revert\w*|follow[- ]?up|introduced|crash\w*|bugs?|lately|recently|last)\b/i;
const ASKS_TEXT = /\b(?:docs?|document(?:ation|ed)|readme|changelog|guides?)\b/i;
const ASKS_PATTERN =
  /^\s*(?:how|where|which|what|why|when|who)\b|\b(?:pattern|examples?|convention)\b/i;

export interface CommitQuery {
  readonly text: string;
  readonly terms: readonly number[];
  readonly vector: Float32Array | undefined;
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly author: string | undefined;
  /** The current name of an author, by .mailmap. */
  currentAuthor(author: string): string;
  readonly matchesPath: ((path: string) => boolean) | undefined;
  /** Whether a file is code or a test, rather than documentation or configuration. */
  isCode(path: string): boolean;
  readonly without: readonly string[];
  /** Hashes of commits that added or removed a name of the query (pickaxe); empty if not requested. */
  readonly picked: readonly string[];
  /** Hashes of the commits of pull requests that the query names. */
  readonly merged: readonly string[];
  readonly limit: number;
  /** Current time in seconds since 1970. */
  readonly now: number;
}

export interface FusedCommit {
  readonly commit: number;
  /** 0 to 1, relative to the best attainable score. */
  readonly score: number;
  readonly why: readonly Reason[];
  /** Lower-ranked commits that seem to be the same change. */
  readonly same?: readonly FusedCommit[];
}

/** Best first, at most `limit` commits. Without text, the newest commits that pass the filter. */
export function rankCommits(index: CommitIndex, query: CommitQuery): FusedCommit[] {
  const allowed = index.allowed(commitFilter(query));
  if (query.text.trim() === "") return newestFirst(index.newest(query.limit, allowed));
  const { terms, vector, without } = query;
  const ranking = index.rank({ terms, vector, limit: CANDIDATES, allowed, without });
  const newest = ASKS_FOLLOWING.test(query.text) ? index.newest(NEWEST, allowed) : [];
  const covered = weighCoverage(ranking, fuse(ranking.lanes, newest), query.text);
  const weighed = weighContents(index, covered, query);
  const ranked = weighAges(index, weighed, query);
  const picked = sortByRank(index.withHashes(query.picked, allowed), ranked);
  const named = index.withHashes(hashesIn(query.text), allowed);
  const merged = index.withHashes(query.merged, allowed);
  const withPicked = putFirst(picked, "pickaxe", ranked);
  const withMerged = putFirst(merged, "pull request", withPicked);
  return groupSameChanges(index, putFirst(named, "hash", withMerged), query.limit);
}

/** The filter on date, author and path; undefined if every commit passes. */
export function commitFilter(
  query: CommitQuery,
): ((facts: Omit<CommitFacts, "sha">) => boolean) | undefined {
  const { since = -Infinity, until = Infinity, matchesPath } = query;
  const author = query.author?.toLowerCase();
  const isAny = since === -Infinity && until === Infinity && author === undefined;
  if (isAny && matchesPath === undefined) return undefined;
  return ({ time, author: by, paths }) =>
    time >= since &&
    time < until &&
    (author === undefined || query.currentAuthor(by).toLowerCase().includes(author)) &&
    (matchesPath === undefined || paths.some(matchesPath));
}

/** Sorts by rank in `ranked`; commits that no lane found follow in their given order, newest first. */
function sortByRank(commits: readonly number[], ranked: readonly FusedCommit[]): number[] {
  const ranks = new Map(ranked.map(({ commit }, i) => [commit, i]));
  const rankOf = (commit: number) => ranks.get(commit) ?? ranked.length;
  return commits.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** The first `limit` changes. Later commits with the same change are listed under the first. */
function groupSameChanges(
  index: CommitIndex,
  ranked: readonly FusedCommit[],
  limit: number,
): FusedCommit[] {
  const found: FusedCommit[] = [];
  const same = new Map<number, FusedCommit[]>();
  for (const each of ranked) {
    const key = index.changeKey(each.commit);
    const known = same.get(key);
    if (known !== undefined) known.push(each);
    else if (found.length < limit) {
      const own: FusedCommit[] = [];
      if (key !== 0) same.set(key, own);
      found.push({ ...each, same: own });
    }
  }
  return found;
}

/** Puts exact matches before the ranked commits, with the full score. */
function putFirst(
  exact: readonly number[],
  name: string,
  ranked: readonly FusedCommit[],
): readonly FusedCommit[] {
  if (exact.length === 0) return ranked;
  const raised = exact.map((commit): FusedCommit => {
    const known = ranked.find((each) => each.commit === commit);
    const why = [...(known?.why ?? []), { name, contribution: 1 - (known?.score ?? 0) }];
    return { commit, score: 1, why };
  });
  return [...raised, ...ranked.filter(({ commit }) => !exact.includes(commit))];
}

export function recencyOf(text: string): readonly Recency[] {
  return isPattern(text) ? PATTERN : FOLLOWING;
}

function isPattern(text: string): boolean {
  return ASKS_PATTERN.test(text) && !ASKS_FOLLOWING.test(text);
}

/** For a query without words: as `git log` lists commits. */
function newestFirst(commits: readonly number[]): FusedCommit[] {
  return commits.map((commit, i) => ({ commit, score: 1 / (i + 1), why: [] }));
}

function fuse(
  lanes: Partial<Record<HistoryLane, RankedCommit[]>>,
  newest: readonly number[],
): FusedCommit[] {
  const fused = new Map<number, { score: number; why: Reason[] }>();
  const attainable = Object.values(LANE_WEIGHTS).reduce((sum, weight) => sum + weight, 0);
  const add = (commit: number, contribution: number, name: string, detail: string) => {
    const entry = fused.get(commit) ?? { score: 0, why: [] };
    entry.score += contribution;
    entry.why.push({ name, contribution, detail });
    fused.set(commit, entry);
  };
  for (const [lane, candidates] of Object.entries(lanes) as [HistoryLane, RankedCommit[]][]) {
    const toShare = createScoreScale(
      candidates[0]?.score,
      candidates.at(-1)?.score,
      lane === "vector",
    );
    candidates.forEach(({ commit, score }, i) => {
      const share =
        RANK_SHARE * reciprocalRank(i, RANK_CONSTANT + 1) + (1 - RANK_SHARE) * toShare(score);
      const contribution = (LANE_WEIGHTS[lane] / attainable) * share;
      add(commit, contribution, lane, `rank ${i + 1}, ${score.toFixed(3)}`);
    });
  }
  newest.forEach((commit, i) => {
    add(commit, 1 / attainable / (1 + i / NEWEST_HALF), "newest", `rank ${i + 1}`);
  });
  return sorted([...fused].map(([commit, entry]) => ({ commit, ...entry })));
}

/** Combines scores with coverage; the best attainable score stays 1. */
function weighCoverage(
  { coverage, messageCoverage }: LaneRanking,
  fused: readonly FusedCommit[],
  text: string,
): readonly FusedCommit[] {
  const best = fused.reduce((most, { commit }) => Math.max(most, messageCoverage.of(commit)), 0);
  const strength = Math.sqrt(best) * (isPattern(text) ? PATTERN_COVERAGE : 1);
  const weight = COVERAGE_WEIGHT * strength;
  const attainable = (1 + weight) * (1 + COVERAGE_FLOOR) ** (strength / 2);
  return fused.map(({ commit, score, why }) => {
    const share = coverage.of(commit);
    const factor = (share + COVERAGE_FLOOR) ** (strength / 2);
    const weighed = ((score + weight * share) * factor) / attainable;
    const detail = `${Math.round(share * 100)} % of the words by weight`;
    const reason = { name: "coverage", contribution: weighed - score, detail };
    return { commit, score: weighed, why: [...why, reason] };
  });
}

/** Lowers commits that changed no code, unless the query asks for documents. */
function weighContents(
  index: CommitIndex,
  fused: readonly FusedCommit[],
  { text, isCode }: CommitQuery,
): readonly FusedCommit[] {
  if (ASKS_TEXT.test(text)) return fused;
  return fused.map(({ commit, score, why }) => {
    if (index.facts(commit)?.paths.some((path) => isCode(path)) === true) {
      return { commit, score, why };
    }
    const contribution = score * (WITHOUT_CODE - 1);
    return {
      commit,
      score: score * WITHOUT_CODE,
      why: [...why, { name: "contents", contribution, detail: "changed no code" }],
    };
  });
}

/** A commit of this moment keeps its score; older ones lose up to the share of the recency weights. */
function weighAges(
  index: CommitIndex,
  fused: readonly FusedCommit[],
  { text, now }: CommitQuery,
): FusedCommit[] {
  const scales = recencyOf(text);
  const most = scales.reduce((sum, { weight }) => sum + weight, 1);
  return sorted(
    fused.map(({ commit, score, why }) => {
      const age = Math.max(0, now - (index.facts(commit)?.time ?? 0)) / SECONDS_PER_DAY;
      const factor =
        scales.reduce((sum, { weight, halfDays }) => sum + weight / (1 + age / halfDays), 1) / most;
      const contribution = score * (factor - 1);
      const detail = `${Math.round(age)} days old`;
      return {
        commit,
        score: score * factor,
        why: [...why, { name: "recency", contribution, detail }],
      };
    }),
  );
}

/** Best first; ties by number, that is, in reading order. */
function sorted(commits: readonly FusedCommit[]): FusedCommit[] {
  return commits.toSorted((a, b) => b.score - a.score || a.commit - b.commit);
}

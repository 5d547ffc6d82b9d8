/** Fuses the lanes over commits into one ranking, and weighs how old a commit is by what is asked. */

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

/** Of each lane. Nothing is cut before ages are weighed: among the first 50 alone, .452 of the answers are in the first 20, not .470. */
const CANDIDATES = 200;

/**
 * How much of a lane's contribution is by rank; the rest is by score. Measured on 462 pairs of commits of which one cites
 * the other, in eight repositories, MRR: 1 gives .208, 0.5 gives .219, both without recency.
 */
const RANK_SHARE = 0.5;

/** On the same pairs with recency: these give .279, a diff and a vector of half the weight .271; messages alone .172. */
const LANE_WEIGHTS: Readonly<Record<HistoryLane, number>> = {
  message: 1,
  diff: 1,
  symbols: 0.25,
  vector: 1,
};

/**
 * Who repairs or undoes something often means one of the last commits, whatever its words are: these many are candidates,
 * the last one with the weight of a lane, the sixth with half of it. MRR over pairs of 14 repositories where one commit cites
 * another, with and without them: .519 and .510. With half a lane's weight for each they fill the first 20 places: on subjects
 * with their own commit as the answer and messages left out, R@20 is redis .827 and curl .868, so .837 and .880.
 */
const NEWEST = 20;
const NEWEST_HALF = 5;

/**
 * A commit that has all words of a question, some in its message and others in what it changed, is below those that have
 * one word often in every lane. So the share that it has in any lane counts by itself, and what is missing takes from the
 * sum; less where no message has much of the question, as large diffs have all words. MRR / R@20 on the pairs with and
 * without it, and Postings' exponent: rails .437/.662 and .411/.630, redis .511/.764 and .482/.749, curl .614/.798 and
 * .578/.768, haproxy .463/.784 and .446/.738, git .322/.644 and .302/.630, sympy .469/.669 and .438/.645, without grading
 * diffs. All of these were seen while the form was chosen; 1,209 pairs of rails that were not: .402/.621 and .383/.606.
 */
const COVERAGE_WEIGHT = 0.5;
const COVERAGE_FLOOR = 0.3;
/** The words of such a question are less exact (`how were timeouts added`): of twelve on six repositories, more are answered. */
const PATTERN_COVERAGE = 0.5;

/**
 * What is left of the score of a commit that changed no code: changelogs, guides and settings of tools mention what code
 * does. On the same pairs .506/.688 for .498/.676, rails .402/.594 for .393/.587, redis .464/.713 for .458/.713.
 */
const WITHOUT_CODE = 0.5;

const SECONDS_PER_DAY = 86_400;

/** How much the newest commit gains over an old one, and after how many days half of that is left. */
interface Recency {
  readonly weight: number;
  readonly halfDays: number;
}

/**
 * Who repairs or continues something means what was done lately: often the last days, else the last months. MRR against
 * one scale (weight 2, 90 days): redis .426 for .411, rails .274 for .259, caddy .633 for .592, Catch2 .075 for .051,
 * pytest .335 for .350.
 */
const FOLLOWING: readonly Recency[] = [
  { weight: 2, halfDays: 2 },
  { weight: 2, halfDays: 90 },
];
/** Who looks for an example does not mind its age. */
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
  /** What an author of commits is called today. */
  authorNow(author: string): string;
  readonly matchesPath: ((path: string) => boolean) | undefined;
  /** Whether a file is code or a test, rather than documentation or configuration. */
  isCode(path: string): boolean;
  readonly without: readonly string[];
  /** Hashes of commits that added or removed a name of the question; empty where nobody asked. */
  readonly picked: readonly string[];
  /** Hashes of the commits of pull requests that the question names. */
  readonly merged: readonly string[];
  readonly limit: number;
  /** From which ages count, in seconds. */
  readonly now: number;
}

export interface FusedCommit {
  readonly commit: number;
  /** 0 to 1, of the best attainable. */
  readonly score: number;
  readonly why: readonly Reason[];
  /** Those behind it that seem to be the same change. */
  readonly same?: readonly FusedCommit[];
}

export function rankCommits(index: CommitIndex, query: CommitQuery): FusedCommit[] {
  const allowed = index.allowed(toCheck(query));
  if (query.text.trim() === "") return newestFirst(index.newest(query.limit, allowed));
  const { terms, vector, without } = query;
  const ranking = index.rank({ terms, vector, limit: CANDIDATES, allowed, without });
  const newest = ASKS_FOLLOWING.test(query.text) ? index.newest(NEWEST, allowed) : [];
  const covered = weighCoverage(ranking, fuse(ranking.lanes, newest), query.text);
  const weighed = weighContents(index, covered, query);
  const ranked = weighAges(index, weighed, query);
  const picked = inOrderOf(index.named(query.picked, allowed), ranked);
  const named = index.named(hashesIn(query.text), allowed);
  const merged = index.named(query.merged, allowed);
  const exact = first(merged, "pull request", first(picked, "pickaxe", ranked));
  return together(index, first(named, "hash", exact), query.limit);
}

/** What a commit must be; undefined where each may be an answer. */
export function toCheck(
  query: CommitQuery,
): ((facts: Omit<CommitFacts, "sha">) => boolean) | undefined {
  const { since = -Infinity, until = Infinity, matchesPath } = query;
  const author = query.author?.toLowerCase();
  const isAny = since === -Infinity && until === Infinity && author === undefined;
  if (isAny && matchesPath === undefined) return undefined;
  return ({ time, author: by, paths }) =>
    time >= since &&
    time < until &&
    (author === undefined || query.authorNow(by).toLowerCase().includes(author)) &&
    (matchesPath === undefined || paths.some(matchesPath));
}

/** Those that the lanes found too in their order, then the others, newest first as they came. */
function inOrderOf(commits: readonly number[], ranked: readonly FusedCommit[]): number[] {
  const places = new Map(ranked.map(({ commit }, i) => [commit, i]));
  const placeOf = (commit: number) => places.get(commit) ?? ranked.length;
  return commits.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The first ones, each with those that seem to be the same change. */
function together(
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

/** What is exact goes before what is alike. */
function first(
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

/** What git lists, for a question without words. */
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
    const toShare = createScoreScale(candidates, lane === "vector");
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

/** The best attainable stays 1. */
function weighCoverage(
  { coverage, told }: LaneRanking,
  fused: readonly FusedCommit[],
  text: string,
): readonly FusedCommit[] {
  const best = fused.reduce((most, { commit }) => Math.max(most, told.of(commit)), 0);
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

/** The newest possible commit keeps its score; an old one loses the share of the weights. */
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

/** Ties by number: the order in which commits were read. */
function sorted(commits: readonly FusedCommit[]): FusedCommit[] {
  return commits.toSorted((a, b) => b.score - a.score || a.commit - b.commit);
}

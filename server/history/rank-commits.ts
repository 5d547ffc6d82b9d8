/** Fuses the lanes over commits into one ranking, and weighs how old a commit is by what is asked. */

import type { Reason } from "../contracts/model.ts";
import type { CommitIndex, HistoryLane, RankedCommit } from "./commit-index.ts";

/** The constant of Cormack et al. (SIGIR 2009). */
const RANK_CONSTANT = 60;
const CANDIDATES = 100;
/** What is left of the fused lanes. */
const MAX_FUSED = 50;

const LANE_WEIGHTS: Readonly<Record<HistoryLane, number>> = {
  message: 1,
  diff: 0.5,
  symbols: 0.25,
  vector: 0.5,
};

const SECONDS_PER_DAY = 86_400;

/** How much a new commit gains over an old one, and after how many days a third of that is left. */
interface Recency {
  readonly weight: number;
  readonly days: number;
}

/** Who repairs or continues something mostly means what was done lately. */
const FOLLOWING: Recency = { weight: 1, days: 60 };
/** Who looks for an example does not mind its age. */
const PATTERN: Recency = { weight: 0.05, days: 365 };
const DEFAULT: Recency = { weight: 0.5, days: 365 };

const ASKS_FOLLOWING =
  /\b(?:fix(?:e[sd]|ing)?|regress\w*|broke(?:n)?|break(?:s|ing|age)?|revert\w*|follow[- ]?up|introduced|since when|crash\w*|bug)\b/i;
const ASKS_PATTERN =
  /\b(?:pattern|example|how (?:was|were|did|do|is|are)|before|convention|usually)\b/i;

export interface CommitQuery {
  readonly text: string;
  readonly terms: readonly number[];
  readonly vector: Float32Array | undefined;
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly author: string | undefined;
  readonly matchesPath: ((path: string) => boolean) | undefined;
  readonly without: readonly string[];
  readonly limit: number;
  /** From which ages count, in seconds. */
  readonly now: number;
}

export interface FusedCommit {
  readonly commit: number;
  /** 0 to 1, of the best attainable. */
  readonly score: number;
  readonly why: readonly Reason[];
}

export function rankCommits(index: CommitIndex, query: CommitQuery): FusedCommit[] {
  const { since = -Infinity, until = Infinity, matchesPath } = query;
  const author = query.author?.toLowerCase();
  const lanes = index.rank({
    terms: query.terms,
    vector: query.vector,
    limit: CANDIDATES,
    isAllowed: ({ time, author: by, paths }) =>
      time >= since &&
      time < until &&
      (author === undefined || by.toLowerCase().includes(author)) &&
      (matchesPath === undefined || paths.some(matchesPath)),
  });
  for (const lane of query.without) delete (lanes as Partial<typeof lanes>)[lane as HistoryLane];
  const fused = fuse(lanes).slice(0, Math.max(MAX_FUSED, query.limit));
  return weighAges(index, fused, query).slice(0, query.limit);
}

export function recencyOf(text: string): Recency {
  if (ASKS_FOLLOWING.test(text)) return FOLLOWING;
  return ASKS_PATTERN.test(text) ? PATTERN : DEFAULT;
}

function fuse(lanes: Partial<Record<HistoryLane, RankedCommit[]>>): FusedCommit[] {
  const fused = new Map<number, { score: number; why: Reason[] }>();
  const attainable = Object.values(LANE_WEIGHTS).reduce((sum, weight) => sum + weight, 0);
  for (const [lane, candidates] of Object.entries(lanes) as [HistoryLane, RankedCommit[]][]) {
    candidates.forEach(({ commit, score }, i) => {
      const contribution =
        (LANE_WEIGHTS[lane] / attainable) * ((RANK_CONSTANT + 1) / (RANK_CONSTANT + i + 1));
      const entry = fused.get(commit) ?? { score: 0, why: [] };
      entry.score += contribution;
      entry.why.push({ name: lane, contribution, detail: `rank ${i + 1}, ${score.toFixed(3)}` });
      fused.set(commit, entry);
    });
  }
  return sorted([...fused].map(([commit, entry]) => ({ commit, ...entry })));
}

/** The newest possible commit keeps its score; an old one loses the weight's share. */
function weighAges(
  index: CommitIndex,
  fused: readonly FusedCommit[],
  { text, now }: CommitQuery,
): FusedCommit[] {
  const { weight, days } = recencyOf(text);
  return sorted(
    fused.map(({ commit, score, why }) => {
      const age = Math.max(0, now - (index.facts(commit)?.time ?? 0)) / SECONDS_PER_DAY;
      const factor = (1 + weight * Math.exp(-age / days)) / (1 + weight);
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

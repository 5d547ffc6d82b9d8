/** Asks the server one question in each mode, and records the evidence of each hit and whether it is right. */

import type { Relevance } from "../../server/contracts/model.ts";
import { FEATURE_NAMES } from "../../server/search/results/features.ts";
import { type Analyzed, toResult } from "../evaluation/ask.ts";
import { covers, type Result, type Task } from "../evaluation/metrics.ts";
import type { Server } from "../evaluation/server.ts";

const LIMIT = 20;

export const MODES = {
  hybrid: {},
  semantic: { hybrid: false },
  keyword: { without: ["vector"] },
} as const;
export type Mode = keyof typeof MODES;

/** One list. */
export interface Listed {
  readonly repo: string;
  readonly kind: Kind;
  readonly mode: Mode;
  readonly id: string;
  readonly query: string;
  readonly hits: readonly ObservedHit[];
}

/** A question or a name of this repository, a question of another one, or one that nothing answers. */
export type Kind = "own" | "name" | "foreign" | "nonsense";

/** Whether the repository has the answer. */
export function isAnswerable({ kind }: Pick<Listed, "kind">): boolean {
  return kind === "own" || kind === "name";
}

/** One hit. */
export interface ObservedHit {
  /** Its lines overlap the lines of a right place. */
  readonly isRight: boolean;
  readonly isInRightFile: boolean;
  /** The score that the server showed. */
  readonly score: number;
  readonly relevance: Relevance;
  readonly features: readonly number[];
}

interface Question {
  readonly root: string;
  readonly repo: string;
  readonly kind: Kind;
  readonly task?: Task;
  readonly query?: string;
}

export async function askForEvidence(
  { connection }: Server,
  { root, repo, task, kind, query = task?.query ?? "" }: Question,
): Promise<string[]> {
  const lines: string[] = [];
  for (const [mode, parameters] of Object.entries(MODES)) {
    const { hits } = await connection.sendRequest<{ hits: readonly Analyzed[] }>(
      "cocosearch/analyze",
      { query, limit: LIMIT, ...parameters },
    );
    lines.push(
      JSON.stringify({
        repo,
        kind,
        mode,
        id: task?.id ?? `${kind} ${query}`,
        query,
        hits: hits.map(({ location, score, relevance, evidence }) => ({
          ...judge(toResult(location, root), task),
          score: Number(score.toFixed(5)),
          relevance,
          features: FEATURE_NAMES.map((name) => Number((evidence[name] ?? 0).toFixed(5))),
        })),
      }),
    );
  }
  return lines;
}

function judge(
  result: Result,
  task: Task | undefined,
): Pick<ObservedHit, "isRight" | "isInRightFile"> {
  if (task === undefined) return { isRight: false, isInRightFile: false };
  const targets = [...task.relevant, ...task.secondary];
  return {
    isRight: targets.some((target) => covers(result, target, task)),
    isInRightFile: targets.some(({ path, raw }) => covers(result, { path: raw ?? path }, task)),
  };
}

/** Asks the server one question in each mode, and records the evidence of each hit and whether it is right. */

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
  readonly kind: "own" | "foreign" | "nonsense";
  readonly mode: Mode;
  readonly id: string;
  readonly query: string;
  readonly hits: readonly { readonly isRight: boolean; readonly features: readonly number[] }[];
}

interface Question {
  readonly root: string;
  readonly repo: string;
  readonly task?: Task;
  readonly kind?: "foreign" | "nonsense";
  readonly query?: string;
}

export async function askForEvidence(
  { connection }: Server,
  { root, repo, task, kind = "foreign", query = task?.query ?? "" }: Question,
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
        kind: task === undefined ? kind : "own",
        mode,
        id: task?.id ?? `${kind} ${query}`,
        query,
        hits: hits.map(({ location, evidence }) => ({
          isRight: task !== undefined && isRight(toResult(location, root), task),
          features: FEATURE_NAMES.map((name) => Number((evidence[name] ?? 0).toFixed(5))),
        })),
      }),
    );
  }
  return lines;
}

function isRight(result: Result, task: Task): boolean {
  return [...task.relevant, ...task.secondary].some((target) => covers(result, target, task));
}

/** Asks the server one question, and records the chunks that the boosts `file-order` and `place-in-file` would compare, with their features. */

import {
  PLACE_FEATURES,
  PLACE_PREFIX,
  WORDS_IN_FILE,
} from "../../server/search/boosts/place-features.ts";
import { type Analyzed, toResult } from "../evaluation/ask.ts";
import { covers, type Result, type Task } from "../evaluation/metrics.ts";
import type { Server } from "../evaluation/server.ts";
import type { List } from "./list.ts";

/** The first 100 chunks, as the boost. Each lane gives 150 candidates up to this limit, as in a usual search. */
const LIMIT = 50;
const OFFSETS = [0, LIMIT];

/** The boosts and the stages after them are left out, so that the list is in the order that they read. */
const WITHOUT = ["file-order", "place-in-file", "saturation", "literal"];

/** Digits after the point. */
const DIGITS = 5;

/** One question, as it is stored. Lines from 1, both included. */
export interface Asked {
  readonly repo: string;
  readonly query: string;
  /** Whether the boost compares its places; if not, the only feature is the score as a share of the best. */
  readonly isOpen: boolean;
  readonly chunks: readonly (Required<Omit<Result, "places">> & {
    readonly features: readonly number[];
    readonly wordsInFile: number;
  })[];
}

export async function askForPlaces(
  { connection }: Server,
  root: string,
  { repo, query }: Pick<Task, "repo" | "query">,
): Promise<Asked> {
  const hits: Analyzed[] = [];
  for (const offset of OFFSETS) {
    const page = await connection.sendRequest<{ hits: readonly Analyzed[] }>("cocosearch/analyze", {
      query,
      limit: LIMIT,
      offset,
      minScore: 0,
      without: WITHOUT,
    });
    hits.push(...page.hits);
  }
  const all = PLACE_FEATURES.map((name) => `${PLACE_PREFIX}${name}`);
  const isOpen = hits.some(({ evidence }) => all.every((name) => name in evidence));
  // The score is among the features of any hit.
  const names = isOpen ? all : ["share"];
  const chunks = hits.map(({ location, evidence }) => ({
    ...toResult(location, root),
    features: names.map((name) => Number((evidence[name] ?? 0).toFixed(DIGITS))),
    wordsInFile: Number((evidence[WORDS_IN_FILE] ?? 0).toFixed(DIGITS)),
  }));
  return { repo, query, isOpen, chunks };
}

/** Marks the chunks that answer the question. */
export function toList({ repo, query, isOpen, chunks }: Asked, task: Task): List {
  const targets = [...task.relevant, ...task.secondary];
  return {
    repo,
    style: task.style ?? "",
    query,
    isOpen,
    chunks: chunks.map((chunk) => ({
      path: chunk.path,
      isRight: targets.some((target) => covers(chunk, target, task)),
      isInRightFile: targets.some(({ path }) => covers(chunk, { path }, task)),
      features: chunk.features,
      wordsInFile: chunk.wordsInFile,
    })),
  };
}

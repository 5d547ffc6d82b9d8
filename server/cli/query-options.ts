/** The options of `search` and `analyze`, and their conversion to a SearchRequest. */

import { type Command, Option } from "commander";
import { BadRequest } from "../common/errors.ts";
import { SYMBOL_TYPES } from "../contracts/model.ts";
import type { SearchRequest } from "../contracts/search-request.ts";
import { type CommonOptions, collectList, common, number } from "./command.ts";
import { anyWords } from "./query-words.ts";

export interface QueryOptions extends CommonOptions {
  readonly file?: string;
  readonly limit?: number;
  readonly minScore?: number;
  readonly lang?: string[];
  readonly type?: string[];
  readonly name?: string;
  readonly path?: string[];
  readonly index?: string[];
  readonly team?: boolean;
  readonly changedSince?: string;
  readonly terms?: string[];
  readonly semantic?: boolean;
  readonly keyword?: boolean;
  readonly hybrid?: boolean;
  /** False with --no-rerank. */
  readonly rerank: boolean;
  /** False with --no-wait. */
  readonly wait: boolean;
}

export const TERMS_HELP =
  "words or names that the code may use, separated by commas; repeatable: 'evict,LruCache'";

export function queryOptions(command: Command): Command {
  return common(
    anyWords(command).argument("[query...]", "a question, words or a name; - reads standard input"),
  )
    .option("--file <path>", "read the query from a file: a bug report, a log, a stack trace")
    .option(
      "--limit <n>",
      "at most this many hits, 1 to 200 (default: the setting search.limit)",
      number,
    )
    .option("--min-score <score>", "omit hits with a lower score (0 to 1)", number)
    .option("--lang <language>", "only this language; repeatable", collectList)
    .option(
      "--type <type>",
      `only definitions of this type: ${SYMBOL_TYPES.join(", ")}; repeatable`,
      collectList,
    )
    .option("--name <glob>", "only definitions whose name matches: 'get*'")
    .option("--path <glob>", "only files whose path matches: 'src/**'; repeatable", collectList)
    .option(
      "--changed-since <revision>",
      "only files changed since a revision, a date or an age: main, 30d",
    )
    .option("--terms <words>", TERMS_HELP, collectList)
    .option(
      "--index <name>",
      "search the stored index with this name instead; repeatable",
      collectList,
    )
    .option("--team", "search the published indexes of the team as well")
    .addOption(new Option("--semantic", "semantic search only").conflicts(["keyword", "hybrid"]))
    .addOption(
      new Option("--keyword", "keyword and symbol search only").conflicts(["semantic", "hybrid"]),
    )
    .option("--hybrid", "semantic, keyword and symbol search, for any kind of query")
    .option("--no-rerank", "do not ask the reranker of the settings")
    .option("--no-wait", "do not wait for indexing; search only indexed files");
}

/** Throws BadRequest for invalid options, before the engine starts. */
export async function toRequest(
  query: string,
  options: QueryOptions,
  more: Partial<SearchRequest> = {},
): Promise<SearchRequest> {
  const { limit, minScore, lang, type, name, path, index, semantic, keyword, hybrid } = options;
  const { changedSince, terms, rerank, team } = options;
  if (query.trim() === "") throw new BadRequest("the query is empty");
  const request = {
    query,
    limit,
    minScore,
    languages: lang,
    symbolTypes: type,
    symbolName: name,
    paths: path,
    indexes: team ? ["*", ...(index ?? [])] : index,
    changedSince,
    terms,
    ...(semantic ? { hybrid: false } : {}),
    ...(hybrid ? { hybrid: true } : {}),
    ...(rerank ? {} : { rerank: false }),
    ...(keyword ? { without: ["vector"] } : {}),
    ...more,
  };
  if (isPlain(request)) return request;
  const { parseSearchRequest } = await import("../contracts/search-request.ts");
  return parseSearchRequest(request);
}

const PLAIN_NAMES = ["query", "limit", "hybrid", "without", "includeText", "explain", "rerank"];

/** Whether the request needs no schema check. Loading the schema takes longer than a search. */
function isPlain(request: object): request is SearchRequest {
  return Object.entries(request).every(
    ([name, value]) =>
      value === undefined || (PLAIN_NAMES.includes(name) && (name !== "limit" || isLimit(value))),
  );
}

/** The same bounds as the schema. */
function isLimit(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 200;
}

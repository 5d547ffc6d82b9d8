/** What search and analyze are asked with: options of the command line as the request of a session. */

import { type Command, Option } from "commander";
import { BadRequest } from "../common/errors.ts";
import { SYMBOL_TYPES } from "../contracts/model.ts";
import type { SearchRequest } from "../contracts/search-request.ts";
import { type CommonOptions, common, list, number } from "./command.ts";
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
  readonly changedSince?: string;
  readonly semantic?: boolean;
  readonly keyword?: boolean;
  readonly hybrid?: boolean;
  /** False with --no-wait. */
  readonly wait: boolean;
}

export function queryOptions(command: Command): Command {
  return common(
    anyWords(command).argument(
      "[query...]",
      "what to look for, in your words or by name; - reads it from standard input",
    ),
  )
    .option("--file <path>", "read the query from a file: a bug report, a log, a stack trace")
    .option(
      "--limit <n>",
      "how many hits at most, 1 to 200 (default: the setting search.limit)",
      number,
    )
    .option("--min-score <score>", "leave out hits below this score (0 to 1)", number)
    .option("--lang <language>", "only this language; may be repeated", list)
    .option("--type <type>", `only definitions: ${SYMBOL_TYPES.join(", ")}; may be repeated`, list)
    .option("--name <glob>", "only definitions with such a name: 'get*'")
    .option("--path <glob>", "only files with such a path: 'src/**'; may be repeated", list)
    .option(
      "--changed-since <revision>",
      "only files that differ from a commit, or since a date or an age: main, 30d",
    )
    .option("--index <name>", "search stored indexes by name instead; may be repeated", list)
    .addOption(new Option("--semantic", "by meaning only").conflicts(["keyword", "hybrid"]))
    .addOption(new Option("--keyword", "by words and names only").conflicts(["semantic", "hybrid"]))
    .option("--hybrid", "by all three, however the query looks")
    .option("--no-wait", "do not wait for the index; answer with what is there");
}

/** Rejects with BadRequest before anything is started. */
export async function toRequest(
  query: string,
  options: QueryOptions,
  more: Partial<SearchRequest> = {},
): Promise<SearchRequest> {
  const { limit, minScore, lang, type, name, path, index, semantic, keyword, hybrid } = options;
  const { changedSince } = options;
  if (query.trim() === "") throw new BadRequest("the query is empty; say what to look for");
  const request = {
    query,
    limit,
    minScore,
    languages: lang,
    symbolTypes: type,
    symbolName: name,
    paths: path,
    indexes: index,
    changedSince,
    ...(semantic ? { hybrid: false } : {}),
    ...(hybrid ? { hybrid: true } : {}),
    ...(keyword ? { without: ["vector"] } : {}),
    ...more,
  };
  if (isPlain(request)) return request;
  const { parseSearchRequest } = await import("../contracts/search-request.ts");
  return parseSearchRequest(request);
}

const PLAIN_NAMES = ["query", "limit", "hybrid", "without", "includeText", "explain"];

/** Whether nothing can be wrong with it. To load the check of the rest takes longer than to search. */
function isPlain(request: object): request is SearchRequest {
  return Object.entries(request).every(
    ([name, value]) =>
      value === undefined || (PLAIN_NAMES.includes(name) && (name !== "limit" || isLimit(value))),
  );
}

/** As the check has it that is not loaded. */
function isLimit(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 200;
}

/** The options that commands share, and how their texts become values. */

import { type Command, InvalidArgumentError } from "commander";
import { BadRequest } from "../errors.ts";
import { parseSearchRequest, type SearchRequest } from "../session.ts";
import type { CommonOptions } from "./context.ts";

export function withCommon(command: Command): Command {
  return command
    .option("--root <dir>", "the workspace (default: the project around the current folder)")
    .option("--json", "print one JSON document");
}

/** What `search` and `analyze` take, as commander names it. */
export interface SearchOptions extends CommonOptions {
  readonly limit?: number;
  readonly minScore?: number;
  readonly lang?: string[];
  readonly type?: string[];
  readonly name?: string;
  readonly path?: string[];
  readonly index?: string[];
  readonly semantic?: true;
  readonly hybrid?: true;
  readonly contextBefore?: number;
  readonly contextAfter?: number;
  readonly wait: boolean;
}

export function withSearch(command: Command): Command {
  return withCommon(command)
    .option("--limit <n>", "how many hits at most", toNumber)
    .option("--min-score <score>", "leave out hits below it, 0 to 1", toNumber)
    .option("--lang <language...>", "only these languages")
    .option("--type <type...>", "only these: function, class, method, interface")
    .option("--name <glob>", "only definitions with such a name")
    .option("--path <glob...>", "only such paths")
    .option("--index <name...>", "these indexes instead of the workspace's")
    .option("--semantic", "by meaning only")
    .option("--hybrid", "by meaning and by word, whatever the query looks like")
    .option("--context-before <lines>", "lines to show before a hit", toNumber)
    .option("--context-after <lines>", "lines to show after a hit", toNumber)
    .option("--no-wait", "answer from what is indexed already");
}

/** Checks before a session is made, so that a slip is answered at once. */
export function searchRequest(words: readonly string[], options: SearchOptions): SearchRequest {
  const query = words.join(" ").trim();
  if (query === "") throw new BadRequest("the query is empty; say what to look for");
  if (options.semantic && options.hybrid) {
    throw new BadRequest("--semantic and --hybrid exclude each other");
  }
  const hybrid = options.semantic ? false : options.hybrid;
  return parseSearchRequest(
    defined({
      query,
      limit: options.limit,
      minScore: options.minScore,
      languages: options.lang,
      symbolTypes: options.type,
      symbolName: options.name,
      paths: options.path,
      indexes: options.index,
      hybrid,
      contextBefore: options.contextBefore,
      contextAfter: options.contextAfter,
      includeText: true,
    }),
  );
}

function defined(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function toNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) {
    throw new InvalidArgumentError(`"${text}" is not a number.`);
  }
  return value;
}

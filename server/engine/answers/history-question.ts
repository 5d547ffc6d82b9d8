/** Parses a history request into the question that the history answers. */

import { memoize } from "../../common/memoize.ts";
import { parseTime } from "../../common/time-text.ts";
import type { HistoryRequest } from "../../contracts/history-request.ts";
import { REQUEST_DEFAULTS } from "../../contracts/request-defaults.ts";
import type { HistoryQuestion } from "../../history/answers/answer-history.ts";
import type { TextTools } from "../../history/answers/context.ts";
import type { CommitQuery } from "../../history/rank-commits.ts";
import { decode } from "../../indexing/discovery/decode.ts";
import { maskSecrets } from "../../indexing/secrets/redact.ts";
import { categorize } from "../../languages/categories.ts";
import { detect } from "../../languages/detect.ts";
import { LANGUAGE_IDS, resolveLanguage } from "../../languages/table.ts";
import { termNumber } from "../../search/lanes/term-number.ts";
import { toFilter } from "../../search/query/filter.ts";
import { parseQuery, type Query } from "../../search/query/query.ts";
import { termsOf, termsOfText } from "../../search/query/stem.ts";

/** Path matches of a few hundred candidates repeat, so they are cached. */
const REMEMBERED_PATHS = 20_000;

/** Functions of the search and of indexing for the text of commits and files. */
export const TEXT_TOOLS: TextTools = { decode, maskSecrets, termsOf: termsOfText };

export function toHistoryQuestion(request: HistoryRequest): HistoryQuestion {
  const query = parseQuery(request.query, resolveLanguage);
  return {
    base: commitQuery(query, request),
    terms: new Set(termsOf(query.words)),
    texts: [...new Set([...query.phrases, ...query.identifiers])],
    pickaxe: request.pickaxe === true,
    withPatch: request.patch === true,
  };
}

function commitQuery(query: Query, request: HistoryRequest): CommitQuery {
  const nowMs = Date.now();
  const moment = (given: string | number | undefined) =>
    given === undefined ? undefined : parseTime(given, nowMs);
  const { languages, paths, author, without = [] } = request;
  const known = { resolveLanguage, languageIds: LANGUAGE_IDS };
  const filter = toFilter({ query: "", languages, paths }, query.filters, known);
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
    limit: request.limit ?? REQUEST_DEFAULTS.history.limit,
    now: until ?? nowMs / 1000,
  };
}

const isCode = memoize((path) => {
  const category = categorize(path, detect(path, ""));
  return category === "implementation" || category === "test";
}, REMEMBERED_PATHS);

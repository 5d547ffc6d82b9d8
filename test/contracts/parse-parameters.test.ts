/** The messages for invalid parameters. */

import { expect, it } from "vitest";
import { fromEnvironment, fromObject } from "../../server/config/settings.ts";
import {
  parseExplainPlace,
  parseMarkdownContext,
  parseReindexRequest,
  parseRelatedDocument,
  parseSimilarPlace,
} from "../../server/contracts/client-requests.ts";
import { parseContextRequest } from "../../server/contracts/context-request.ts";
import {
  parseCallsRequest,
  parseImpactRequest,
  parseRelatedRequest,
} from "../../server/contracts/graph-requests.ts";
import {
  parseExplainRequest,
  parseHistoryRequest,
} from "../../server/contracts/history-request.ts";
import { parseSearchRequest } from "../../server/contracts/search-request.ts";
import { parseSimilarRequest } from "../../server/contracts/similar-request.ts";

const MOMENT = "a date, an age such as 90d, or seconds since 1970 is expected";

it.each<[(value: unknown) => unknown, object, string]>([
  [parseHistoryRequest, { query: "x", until: "" }, `until: ${MOMENT}`],
  [parseHistoryRequest, { query: "x", since: "soon" }, `since: ${MOMENT}`],
  [parseHistoryRequest, { query: "x", since: true }, `since: ${MOMENT}`],
  [
    parseHistoryRequest,
    { query: "x", without: ["nope"] },
    "without.0: one of message, diff, symbols, vector is expected",
  ],
  [
    parseHistoryRequest,
    { query: "x", limit: 0 },
    "limit: a whole number from 1 to 200 is expected",
  ],
  [parseHistoryRequest, { query: "x", patch: 1 }, "patch: true or false is expected"],
  [parseHistoryRequest, {}, "query: a text is expected"],
  [
    parseExplainRequest,
    { path: "/a", lines: { start: -1, end: 0 } },
    "lines.start: a whole number, 0 or more is expected",
  ],
  [parseExplainRequest, { path: "/a" }, "lines: an object is expected"],
  [parseSearchRequest, { query: "x", minScore: 2 }, "minScore: a number from 0 to 1 is expected"],
  [
    parseSearchRequest,
    { query: "x", languages: [""] },
    "languages.0: a text of 1 to 1000 characters is expected",
  ],
  [
    parseSearchRequest,
    { query: "x", changedSince: "" },
    "changedSince: a revision, a date or an age such as 30d is expected",
  ],
  [
    parseContextRequest,
    { query: "x", strategy: "best" },
    "strategy: one of relevance, diversity, balanced is expected",
  ],
  [
    parseSimilarPlace,
    { uri: "file:///a", position: { line: -1 } },
    "position.line: a whole number, 0 or more is expected",
  ],
  [parseExplainPlace, { uri: "file:///a" }, "range: a range with a start and an end is expected"],
  [
    parseExplainPlace,
    { uri: "file:///a", range: { start: { line: 3 }, end: { line: 1 } } },
    "range: an end that is not before the start is expected",
  ],
  [
    parseMarkdownContext,
    { query: "x", format: "md" },
    'parameters: there is no "format", only query, terms, tokenBudget, strategy, recentFiles, recentTerms, paths, languages, indexes, auto',
  ],
  [parseReindexRequest, { folders: [] }, 'parameters: there is no "folders", only folder, full'],
  [parseSimilarRequest, { path: "", line: 1 }, "path: a text that is not empty is expected"],
  [
    parseRelatedRequest,
    { path: "a", types: ["uses"] },
    "types.0: one of import, call, reference is expected",
  ],
  [parseImpactRequest, {}, "parameters: give one of paths, diff and revision"],
  [parseImpactRequest, { paths: [] }, "paths: a list of 1 to 1000 values is expected"],
  [parseCallsRequest, { name: "a", top: 1 }, 'parameters: there is no "top", only name, limit'],
  [parseCallsRequest, [], "parameters: an object is expected"],
])("%o describes the allowed values instead of %o", (parse, value, message) => {
  expect(() => parse(value)).toThrow(expect.objectContaining({ name: "BadRequest", message }));
});

it.each<[(value: unknown) => unknown, object, object]>([
  [
    parseSearchRequest,
    { query: "x", languages: [], symbolTypes: [], paths: [], indexes: [], without: [] },
    { query: "x" },
  ],
  [
    parseHistoryRequest,
    { query: "x", paths: [], languages: ["go"] },
    { query: "x", languages: ["go"] },
  ],
  [parseContextRequest, { query: "x", recentFiles: [], indexes: [] }, { query: "x" }],
  [parseRelatedRequest, { path: "a", types: [] }, { path: "a" }],
  [parseRelatedDocument, { path: "a", types: [] }, { path: "a" }],
])("%o treats an empty list as missing: %o", (parse, value, expected) => {
  expect(parse(value)).toEqual(expected);
});

it("A setting with its own description uses it in the message", () => {
  const { problems } = fromObject({ search: { limit: 0 }, indexName: "a b" }, "editor");
  expect(problems).toEqual([
    'editor: "search.limit" is ignored: a whole number from 1 to 200 is expected',
    'editor: "indexName" is ignored: a name of up to 64 letters, digits, dots, dashes and underscores is expected',
  ]);
  expect(fromEnvironment({ COCOSEARCH_HISTORY_COMMITS: "many" }).problems).toEqual([
    expect.stringMatching(/^COCOSEARCH_HISTORY_COMMITS is ignored: a whole number.* is expected$/),
  ]);
});

/** Registers all tools, which are read-only, and implements search_code and get_context. */

import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { BadRequest } from "../common/errors.ts";
import { parseContextRequest } from "../contracts/context-request.ts";
import { SYMBOL_TYPES } from "../contracts/model.ts";
import { parseSearchRequest } from "../contracts/search-request.ts";
import {
  basisOf,
  hitLocation,
  relatedPaths,
  renderAlsoTry,
  renderHitList,
  renderRelated,
  withBasis,
} from "./answers.ts";
import { findPlaces } from "./occurrences.ts";
import type { RootedSession } from "./rooted-session.ts";
import {
  answer,
  type FailureOf,
  pathsShape,
  READ_ONLY,
  type ToolCall,
  tokensShape,
} from "./tool-parts.ts";
import { registerGraphTools } from "./tools-graph.ts";
import { registerHistoryTools } from "./tools-history.ts";

/** Upper bound of the footer with the state of the index and its warnings. */
const BASIS_TOKENS = 120;
const DEFAULT_LIMIT = 10;

const termsShape = z
  .array(z.string())
  .optional()
  .describe(
    "Up to 12 further words or names that may occur in the code; terms that no file contains are named in the answer.",
  );

const languagesShape = z.array(z.string()).optional();

const searchShape = z.strictObject({
  query: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Words and names that the code would use, rather than a sentence: "evict victim buffer clock sweep". Also a name, a path, an error message or a stack trace.',
    ),
  exact: z
    .string()
    .optional()
    .describe(
      "Instead of hits, counts and lists every place of this text, character by character, in one line of a file. A query beside it puts the best files first.",
    ),
  pattern: z
    .string()
    .optional()
    .describe(
      "The same for a regular expression (RE2: no look-around, no back references), matched line by line.",
    ),
  ignoreCase: z.boolean().optional().describe("With exact or pattern: in any letter case."),
  cursor: z.string().optional().describe("With exact or pattern: continues the list of an answer."),
  terms: termsShape,
  limit: z
    .number()
    .int()
    .min(1)
    .max(50)
    .optional()
    .describe(`Default: ${DEFAULT_LIMIT} hits, or as many places as fit.`),
  paths: pathsShape,
  languages: languagesShape,
  symbolTypes: z.array(z.enum(SYMBOL_TYPES)).optional(),
  related: z
    .boolean()
    .optional()
    .describe("Also list files that the hits depend on or that depend on them."),
  maxTokens: tokensShape,
});

const contextShape = z.strictObject({
  question: z.string().min(1).describe("The question or the whole message, verbatim."),
  terms: termsShape,
  paths: pathsShape,
  languages: languagesShape,
  maxTokens: tokensShape,
});

export function registerTools(
  server: McpServer,
  session: RootedSession,
  failureOf: FailureOf,
): void {
  server.registerTool(
    "search_code",
    {
      description:
        "Finds code by meaning and by name: ranked places as path:line with a few lines each. Use it to find where something is done. With exact or pattern it lists every occurrence, with counts. Do not use it to read a known file.",
      inputSchema: searchShape,
      annotations: READ_ONLY,
    },
    (input, context) =>
      answer("search_code", context, { session, failureOf }, (call) =>
        input.exact === undefined && input.pattern === undefined
          ? searchCode(session, input, call)
          : findPlaces(session, input, call),
      ),
  );
  server.registerTool(
    "get_context",
    {
      description:
        "Packs the code for a question into one answer: the best definitions in full, the next ones as signatures with path:line. Use it first for a broad question, instead of several searches and reads. For one name, use search_code, which is shorter.",
      inputSchema: contextShape,
      annotations: READ_ONLY,
    },
    (input, context) =>
      answer("get_context", context, { session, failureOf }, (call) =>
        getContext(session, input, call),
      ),
  );
  registerGraphTools(server, session, failureOf);
  registerHistoryTools(server, session, failureOf);
}

async function searchCode(
  session: RootedSession,
  {
    query,
    ignoreCase,
    cursor,
    terms = [],
    limit = DEFAULT_LIMIT,
    paths,
    languages,
    symbolTypes,
    related,
    maxTokens,
  }: z.infer<typeof searchShape>,
  call: ToolCall,
): Promise<CallToolResult> {
  if (query === undefined)
    throw new BadRequest("a query is expected, or exact or pattern", { parameter: "query" });
  if (ignoreCase !== undefined || cursor !== undefined)
    throw new BadRequest("it is for exact or pattern; pass one of them", {
      parameter: ignoreCase === undefined ? "cursor" : "ignoreCase",
    });
  const request = parseSearchRequest({
    query,
    terms,
    limit,
    paths,
    languages,
    symbolTypes,
    includeText: true,
    ...(related === true ? { expand: {} } : {}),
  });
  const open = await session.session();
  // Related files need the complete graph, because the answer cannot show that edges are missing.
  await call.whenReady(open, related === true ? "graph" : "search");
  const found = await open.search(request, call.signal);
  const { indexes } = await open.status();
  const basis = (omitted: number) => basisOf({ ...found, omitted, indexes }, session.warnings);
  const after = renderRelated(found.related, session.roots) + renderAlsoTry(found.alsoTry);
  const { text, shown } = await renderHitList(found.hits, session.roots, maxTokens, basis, after);
  return {
    content: [{ type: "text", text }],
    structuredContent: {
      state: found.state,
      ...(found.alsoTry === undefined ? {} : { alsoTry: found.alsoTry }),
      hits: shown.map((hit) => ({
        ...hitLocation(hit, session.roots),
        ...(hit.importers === undefined ? {} : { importers: hit.importers }),
      })),
      ...(found.related === undefined
        ? {}
        : { related: relatedPaths(found.related, session.roots) }),
    },
  };
}

async function getContext(
  session: RootedSession,
  { question, terms, paths, languages, maxTokens }: z.infer<typeof contextShape>,
  call: ToolCall,
): Promise<CallToolResult> {
  // Reserve room for the footer, which is known only after the search.
  const tokenBudget = maxTokens - BASIS_TOKENS;
  const request = parseContextRequest({ query: question, terms, tokenBudget, paths, languages });
  const open = await session.session();
  await call.whenReady(open, "search");
  const packed = await open.context(request, call.signal);
  const { indexes } = await open.status();
  const text = withBasis(
    packed.text.trimEnd(),
    basisOf({ ...packed, omitted: packed.leftOut, indexes }, session.warnings),
  );
  return {
    content: [{ type: "text", text }],
    structuredContent: {
      state: packed.state,
      intent: packed.intent,
      items: packed.items.map((item) => ({
        ...hitLocation(item, session.roots),
        level: item.level,
      })),
    },
  };
}

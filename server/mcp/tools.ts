/** Registers all tools, which are read-only, and implements search_code and get_context. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import { BadRequest } from "../common/errors.ts";
import { type ContextItem, parseContextRequest } from "../contracts/context-request.ts";
import { type Hit, SYMBOL_TYPES } from "../contracts/model.ts";
import { ALL_PUBLISHED } from "../contracts/published.ts";
import { parseSearchRequest } from "../contracts/search-request.ts";
import {
  hitLocation,
  passageOf,
  relatedPaths,
  renderAlsoTry,
  renderExact,
  renderHitList,
  renderMore,
  renderRelated,
} from "./answers.ts";
import { basisOf, outcomeOf, withBasis } from "./basis.ts";
import { hideSections } from "./context-sections.ts";
import { Pages } from "./cursor.ts";
import { findPlaces } from "./occurrences.ts";
import { contextOutput, searchOutput } from "./output-shapes.ts";
import type { RootedSession } from "./rooted-session.ts";
import type { ShownPassage } from "./shown-lines.ts";
import {
  addTool,
  cursorShape,
  pathsShape,
  seenShape,
  type ToolCall,
  type ToolSetup,
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
  .describe("Up to 12 more words or names of the code; unknown ones are named.");

const languagesShape = z.array(z.string()).optional();

const searchShape = z.strictObject({
  query: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Words and names that the code would use: "evict victim buffer clock sweep". Also a name, a path, an error message or a stack trace.',
    ),
  exact: z
    .string()
    .optional()
    .describe("Lists every place of this text; a query orders the files."),
  pattern: z.string().optional().describe("The same for an RE2 regular expression, line by line."),
  ignoreCase: z.boolean().optional().describe("For exact and pattern."),
  terms: termsShape,
  limit: z.number().int().min(1).max(50).optional().describe(`Default: ${DEFAULT_LIMIT} hits.`),
  paths: pathsShape,
  languages: languagesShape,
  symbolTypes: z.array(z.enum(SYMBOL_TYPES)).optional(),
  team: z.boolean().optional().describe("Also the team's other repositories."),
  related: z.boolean().optional().describe("Also files that import hits or are imported."),
  cursor: cursorShape,
  seen: seenShape,
  maxTokens: tokensShape,
});

const contextShape = z.strictObject({
  question: z.string().min(1).describe("The question or the whole message, verbatim."),
  terms: termsShape,
  paths: pathsShape,
  languages: languagesShape,
  seen: seenShape,
  maxTokens: tokensShape,
});

type SearchInput = z.infer<typeof searchShape>;

export function registerTools(setup: ToolSetup): void {
  addTool(
    setup,
    "search_code",
    {
      description:
        "Finds code by meaning and by name: ranked places as path:from-to, the best with code. Use it to find where something is done. With exact or pattern it lists every occurrence. Do not use it to read a known file.",
      inputSchema: searchShape,
      outputSchema: searchOutput,
    },
    (session, input, call) =>
      input.exact === undefined && input.pattern === undefined
        ? searchCode(session, input, call)
        : findPlaces(session, input, call),
  );
  addTool(
    setup,
    "get_context",
    {
      description:
        "Packs the code for a question into one answer: the best definitions in full, the next ones as signatures with path:line. Use it first for a broad question, instead of several searches and reads. For one name, use search_code.",
      inputSchema: contextShape,
      outputSchema: contextOutput,
    },
    getContext,
  );
  registerGraphTools(setup);
  registerHistoryTools(setup);
}

async function searchCode(
  session: RootedSession,
  { cursor, seen, maxTokens, query, ignoreCase, ...more }: SearchInput,
  call: ToolCall,
): Promise<CallToolResult> {
  if (query === undefined)
    throw new BadRequest("a query is expected, or exact or pattern", { parameter: "query" });
  if (ignoreCase !== undefined)
    throw new BadRequest("it is for exact or pattern; pass one of them", {
      parameter: "ignoreCase",
    });
  const open = await session.session();
  const { roots } = session;
  const asked = { ...more, query, limit: more.limit ?? DEFAULT_LIMIT };
  const pages = new Pages("search_code", roots, asked, cursor);
  const { terms = [], related, team, exact: _exact, pattern: _pattern, ...parameters } = asked;
  const request = parseSearchRequest({
    ...parameters,
    terms,
    offset: pages.offset,
    includeText: true,
    ...(team === true ? { indexes: [ALL_PUBLISHED] } : {}),
    ...(related === true ? { expand: {} } : {}),
  });
  // Related files need the complete graph, because the answer cannot show that edges are missing.
  const before = await call.whenReady(open, related === true ? "graph" : "search");
  const found = await open.search(request, call.signal);
  const { more: behind = 0, hits } = found;
  const status = await open.status();
  const paging = pages.between(before, status);
  const notes = [...paging.notes, ...session.warnings];
  const basis = () => basisOf({ ...found, omitted: 0, indexes: status.indexes }, notes);
  const moreOf = (shown: number) => paging.after(shown, hits.length - shown + behind);
  const after = (shown: readonly Hit[]) =>
    renderRelated(found.related, roots) +
    renderAlsoTry(found.alsoTry) +
    renderExact(query, hits.length + behind - shown.length > 0 && hits[0]?.relevance === "strong") +
    renderMore(moreOf(shown.length));
  const seenHits = new Set(
    seen === true ? hits.filter((hit) => session.shown.has(passageOf(hit))) : [],
  );
  const isSeen = (hit: Hit) => seenHits.has(hit);
  const { text, shown, given } = await renderHitList(hits, roots, maxTokens, basis, after, isSeen);
  for (const hit of given) session.shown.add(passageOf(hit));
  return {
    content: [{ type: "text", text }],
    structuredContent: {
      state: found.state,
      outcome: outcomeOf(basis(), hits.length),
      ...(found.alsoTry === undefined ? {} : { alsoTry: found.alsoTry }),
      hits: shown.map((hit) => ({
        ...hitLocation(hit, roots),
        ...(hit.importers === undefined ? {} : { importers: hit.importers }),
        ...(isSeen(hit) ? { shownBefore: true } : {}),
      })),
      ...moreOf(shown.length),
      ...paging.flags,
      ...(found.related === undefined ? {} : { related: relatedPaths(found.related, roots) }),
    },
  };
}

async function getContext(
  session: RootedSession,
  { question, terms, paths, languages, seen, maxTokens }: z.infer<typeof contextShape>,
  call: ToolCall,
): Promise<CallToolResult> {
  // Reserve room for the footer, which is known only after the search.
  const tokenBudget = maxTokens - BASIS_TOKENS;
  const request = parseContextRequest({ query: question, terms, tokenBudget, paths, languages });
  const open = await session.session();
  await call.whenReady(open, "search");
  const packed = await open.context(request, call.signal);
  const { indexes } = await open.status();
  const basis = basisOf({ ...packed, omitted: packed.leftOut, indexes }, session.warnings);
  const isSeen = (section: ShownPassage) => seen === true && session.shown.has(section);
  const { text: code, shown, hidden } = hideSections(packed.text.trimEnd(), isSeen);
  for (const section of shown) session.shown.add(section);
  const text = withBasis(code, basis);
  const isHidden = ({ path, lines }: ContextItem) =>
    hidden.some(
      (each) =>
        each.path === path &&
        each.start <= lines.start &&
        lines.end < each.start + each.lines.length,
    );
  return {
    content: [{ type: "text", text }],
    structuredContent: {
      state: packed.state,
      outcome: outcomeOf(basis, packed.items.length),
      intent: packed.intent,
      items: packed.items.map((item) => ({
        ...hitLocation(item, session.roots),
        level: item.level,
        ...(isHidden(item) ? { shownBefore: true } : {}),
      })),
    },
  };
}

/** The tool `related`: dependencies, dependents, impact, callers, callees and similar code. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import { count } from "../common/count.ts";
import { definitionTitle } from "../common/definition-title.ts";
import { BadRequest } from "../common/errors.ts";
import { explainNoCalls } from "../contracts/explain-no-calls.ts";
import {
  type CallSite,
  type ImpactFile,
  parseImpactRequest,
  parseRelatedRequest,
  type RelatedFile,
  type UsedPackage,
} from "../contracts/graph-requests.ts";
import { MAX_LIMIT } from "../contracts/request-defaults.ts";
import type { Session } from "../contracts/session.ts";
import { parseSimilarRequest } from "../contracts/similar-request.ts";
import { definitionOf, fileInRoots, renderItems, renderMore, shownInside } from "./answers.ts";
import { basisOf, outcomeOf } from "./basis.ts";
import { Pages } from "./cursor.ts";
import { relatedOutput } from "./output-shapes.ts";
import type { RootedSession } from "./rooted-session.ts";
import { addTool, cursorShape, type ToolCall, type ToolSetup, tokensShape } from "./tool-parts.ts";

const DEFAULT_LIMIT = 30;
const DIRECTIONS = { dependencies: "imports", dependents: "importedBy" } as const;

const relatedShape = z.strictObject({
  relation: z.enum(["dependencies", "dependents", "impact", "callers", "callees", "similar"]),
  of: z
    .string()
    .min(1)
    .max(1000)
    .describe(
      "A file; for callers and callees the name of a definition, such as Pool.open; for similar a place, such as src/pool.ts:40.",
    ),
  depth: z
    .number()
    .int()
    .min(1)
    .max(5)
    .optional()
    .describe("How many edges to follow from a file."),
  limit: z.number().int().min(1).max(100).default(DEFAULT_LIMIT),
  cursor: cursorShape,
  maxTokens: tokensShape,
});

type RelatedInput = z.infer<typeof relatedShape>;

/** One line of the answer, and its structured value. */
interface Item {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface FoundItems {
  /** The results of the page. */
  readonly items: readonly Item[];
  /** The number of results behind the page. */
  readonly behind: number;
  /** Remarks for the footer, such as why there are no results. */
  readonly notes?: readonly string[];
}

export function registerGraphTools(setup: ToolSetup): void {
  addTool(
    setup,
    "related",
    {
      description:
        "Follows imports and calls: dependencies and dependents of a file, the impact of its change with the tests to run, callers and callees of a definition, and similar code. Use it before changing or moving code. Do not use it to find code by meaning, or text and comments.",
      inputSchema: relatedShape,
      outputSchema: relatedOutput,
    },
    related,
  );
}

/** The path in the form of the answers; an empty list outside the roots. */
type Shown = (path: string) => string | readonly string[];

async function related(
  session: RootedSession,
  { cursor, maxTokens, ...input }: RelatedInput,
  call: ToolCall,
): Promise<CallToolResult> {
  const open = await session.session();
  const { roots } = session;
  const { relation } = input;
  // Refuse a wrong cursor or path before waiting for the index.
  const pages = new Pages("related", roots, input, cursor);
  if (relation in DIRECTIONS || relation === "impact") fileInRoots(input.of, roots);
  const before = await call.whenReady(open, relation === "similar" ? "search" : "graph");
  const asked = { ...input, offset: pages.offset };
  const { items, behind, notes = [] } = await find(open, roots, asked, call.signal);
  const status = await open.status();
  const paging = pages.between(before, status);
  const remarks = [...notes, ...paging.notes, ...session.warnings];
  const basis = () => basisOf({ ...status, warnings: [], omitted: 0 }, remarks);
  const moreOf = (shown: number) => paging.after(shown, items.length - shown + behind);
  const after = (shown: readonly Item[]) => renderMore(moreOf(shown.length));
  const { text, shown } = await renderItems(items, [(item) => item.text], maxTokens, basis, after);
  return {
    content: [{ type: "text", text }],
    structuredContent: {
      state: status.state,
      outcome: outcomeOf(basis(), items.length),
      relation,
      results: shown.map(({ value }) => value),
      ...moreOf(shown.length),
      ...paging.flags,
    },
  };
}

interface Asked extends Omit<RelatedInput, "cursor" | "maxTokens"> {
  readonly offset: number;
}

async function find(
  open: Session,
  roots: readonly string[],
  asked: Asked,
  signal: AbortSignal,
): Promise<FoundItems> {
  const { relation, of, depth, limit, offset } = asked;
  if (relation === "similar") return await findSimilar(open, roots, asked, signal);
  if (relation === "callers" || relation === "callees") {
    const request = { name: of, limit: Math.min(MAX_LIMIT, offset + limit) };
    const { calls, total } = await open[relation](request, signal);
    const items = calls.flatMap((site) => siteItem(site, relation, roots));
    const notes = total > 0 ? [] : [await explainNoCalls(open, relation, of)];
    return { ...pageOf([items], total - calls.length, asked), notes };
  }
  if (relation === "impact") return await findImpact(open, roots, asked, signal);
  const { root, path } = fileInRoots(of, roots);
  const shown = (name: string) => shownInside(root, name, roots) ?? [];
  const most = Math.min(MAX_LIMIT, offset + limit);
  const { files, packages, total } = await open.related(
    parseRelatedRequest({ path, direction: DIRECTIONS[relation], hops: depth, limit: most }),
    signal,
  );
  const [first, rest] = [files.slice(0, limit), files.slice(limit)];
  const items = [...first.flatMap((file) => fileItem(file, shown)), ...packages.map(packageItem)];
  const others = rest.flatMap((file) => fileItem(file, shown));
  return pageOf([items, others], total - files.length, asked);
}

/** Up to `limit` tests and as many files on the first page, then the next of both. */
async function findImpact(
  open: Session,
  roots: readonly string[],
  asked: Asked,
  signal: AbortSignal,
): Promise<FoundItems> {
  const { of, depth, limit, offset } = asked;
  const { root, path } = fileInRoots(of, roots);
  const shown = (name: string) => shownInside(root, name, roots) ?? [];
  // A block before the last one has at least `limit` rows.
  const blocks = Math.ceil((offset + limit) / limit);
  const { files, total, tests, testsTotal } = await open.impact(
    parseImpactRequest({ paths: [path], depth, limit: Math.min(MAX_LIMIT, blocks * limit) }),
    signal,
  );
  const items = Array.from({ length: blocks }, (_, i): Item[] => {
    const [start, end] = [i * limit, (i + 1) * limit];
    const named = tests.slice(start, end).flatMap(shown).map(testItem);
    return [...named, ...files.slice(start, end).flatMap((file) => impactItem(file, shown))];
  });
  const moreTests = testsTotal - tests.length;
  const notes =
    moreTests > 0
      ? [`${count(moreTests, "further result is a test", "further results are tests")} to run`]
      : [];
  return { ...pageOf(items, total - files.length + moreTests, asked), notes };
}

/** The first block is the first page. `unread` results are behind all blocks. */
function pageOf(
  [first = [], ...others]: readonly (readonly Item[])[],
  unread: number,
  { offset, limit }: Pick<Asked, "offset" | "limit">,
): FoundItems {
  const all = [...first, ...others.flat()];
  const items = all.slice(offset, offset + (offset === 0 ? first.length : limit));
  return { items, behind: Math.max(0, all.length - offset - items.length) + unread };
}

/** `of` is `src/pool.ts:40`; without a line, line 1. */
async function findSimilar(
  open: Session,
  roots: readonly string[],
  { of: place, limit, offset }: Asked,
  signal: AbortSignal,
): Promise<FoundItems> {
  const [, name = place, line] = /^(.+?):(\d+)(?:[:-]\d+)?$/.exec(place) ?? [];
  const { path } = fileInRoots(name, roots);
  const at = Math.max(0, Number(line ?? 1) - 1);
  const { hits, more = 0 } = await open
    .similar(parseSimilarRequest({ path, line: at, limit, offset }), signal)
    .catch((error: unknown) => {
      if (line !== undefined || !(error instanceof BadRequest)) throw error;
      const expected = "similar expects a file and a line, such as src/pool.ts:40";
      throw new BadRequest(`${error.message}; ${expected}`, { cause: error });
    });
  const items = hits.flatMap((hit): Item[] => {
    const file = shownInside(hit.root, hit.path, roots);
    if (file === undefined) return [];
    const { symbol, languageId } = hit;
    const found = (symbol?.nameLine ?? hit.lines.start) + 1;
    const shown = symbol === undefined ? "" : ` ${definitionTitle(symbol, languageId)}`;
    const named =
      symbol === undefined ? {} : { name: symbol.name, definition: definitionOf(symbol) };
    const value = { path: file, line: found, kind: "similar", ...named, score: hit.score };
    return [{ text: `${file}:${found}${shown}`, value }];
  });
  return { items, behind: more };
}

function testItem(path: string): Item {
  return { text: `${path}:1 test to run`, value: { path, kind: "test" } };
}

function impactItem(file: ImpactFile, shown: Shown): Item[] {
  if ("via" in file) return fileItem(file, shown);
  const path = shown(file.path);
  if (typeof path !== "string") return [];
  if (file.reason === "name")
    return [{ text: `${path} has a similar name`, value: { path, kind: "file" } }];
  const text = `${path} often changed in the same commits`;
  return [{ text, value: { path, kind: "file", coChange: file.coChange } }];
}

/** The line is in the dependent file. */
function fileItem({ path, via, line, hops, types, dependent }: RelatedFile, shown: Shown): Item[] {
  const [file, through] = [shown(path), shown(via)];
  if (typeof file !== "string" || typeof through !== "string") return [];
  const how = `${types.join(", ")}; ${count(hops, "step")}`;
  const text = dependent
    ? `${file}:${line + 1} uses ${through} (${how})`
    : `${file} is used by ${through}:${line + 1} (${how})`;
  const value = { path: file, kind: "file", via: through, line: line + 1, dependent, hops, types };
  return [{ text, value }];
}

function packageItem({ name, line }: UsedPackage): Item {
  const text = `package ${name} (line ${line + 1})`;
  return { text, value: { package: name, line: line + 1, kind: "package" } };
}

function siteItem(
  { root, path, line, caller, target, confidence }: CallSite,
  relation: "callers" | "callees",
  roots: readonly string[],
): Item[] {
  const file = shownInside(root, path, roots);
  const defined = shownInside(root, target.path, roots);
  if (file === undefined || defined === undefined) return [];
  const by = caller === "" ? "" : ` ${caller}`;
  const called = `${target.name} at ${defined}:${target.line + 1}`;
  const text =
    relation === "callers"
      ? `${file}:${line + 1}${by} calls ${called} (${confidence.toFixed(2)})`
      : `${defined}:${target.line + 1} ${target.name} is called at ${file}:${line + 1}${by} (${confidence.toFixed(2)})`;
  const to = { path: defined, line: target.line + 1, name: target.name };
  const value = { path: file, line: line + 1, kind: "call", caller, target: to, confidence };
  return [{ text, value }];
}

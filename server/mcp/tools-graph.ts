/** The tool `related`: dependencies, dependents, impact, callers, callees and similar code. */

import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
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
import type { Session } from "../contracts/session.ts";
import { parseSimilarRequest } from "../contracts/similar-request.ts";
import { definitionOf, fileInRoots, renderItems, shownInside } from "./answers.ts";
import { basisOf, outcomeOf } from "./basis.ts";
import { relatedOutput } from "./output-shapes.ts";
import type { RootedSession } from "./rooted-session.ts";
import { answer, type FailureOf, READ_ONLY, type ToolCall, tokensShape } from "./tool-parts.ts";

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
  maxTokens: tokensShape,
});

type RelatedInput = z.infer<typeof relatedShape>;

/** One line of the answer, and its structured value. */
interface Item {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface FoundItems {
  readonly items: readonly Item[];
  /** Number of results above the limit. */
  readonly cut: number;
  /** Remarks for the footer, such as why there are no results. */
  readonly notes?: readonly string[];
}

export function registerGraphTools(
  server: McpServer,
  session: RootedSession,
  failureOf: FailureOf,
): void {
  server.registerTool(
    "related",
    {
      description:
        "Follows imports and calls: dependencies and dependents of a file, the impact of its change with the tests to run, callers and callees of a definition, and similar code. Use it before changing or moving code. Do not use it to find code by meaning, or text and comments.",
      inputSchema: relatedShape,
      outputSchema: relatedOutput,
      annotations: READ_ONLY,
    },
    (input, context) =>
      answer("related", context, { session, failureOf }, (call) => related(session, input, call)),
  );
}

/** The path in the form of the answers; an empty list outside the roots. */
type Shown = (path: string) => string | readonly string[];

async function related(
  session: RootedSession,
  input: RelatedInput,
  call: ToolCall,
): Promise<CallToolResult> {
  const open = await session.session();
  const { relation } = input;
  // Refuse a wrong path before waiting for the index.
  if (relation in DIRECTIONS || relation === "impact") fileInRoots(input.of, session.roots);
  await call.whenReady(open, relation === "similar" ? "search" : "graph");
  const { items, cut, notes = [] } = await find(open, session.roots, input, call.signal);
  const status = await open.status();
  const basis = (omitted: number) =>
    basisOf({ ...status, warnings: [], omitted: omitted + cut }, [...notes, ...session.warnings]);
  const { text, shown } = await renderItems(items, [(item) => item.text], input.maxTokens, basis);
  return {
    content: [{ type: "text", text }],
    structuredContent: {
      state: status.state,
      outcome: outcomeOf(basis(0), items.length),
      relation,
      results: shown.map(({ value }) => value),
    },
  };
}

async function find(
  open: Session,
  roots: readonly string[],
  { relation, of, depth, limit }: RelatedInput,
  signal: AbortSignal,
): Promise<FoundItems> {
  if (relation === "callers" || relation === "callees") {
    const request = { name: of, limit };
    const { calls, total } = await open[relation](request, signal);
    const items = calls.flatMap((site) => siteItem(site, relation, roots));
    const notes = total > 0 ? [] : [await explainNoCalls(open, relation, of)];
    return { items, cut: total - calls.length, notes };
  }
  if (relation === "similar") return await findSimilar(open, roots, { place: of, limit }, signal);
  const { root, path } = fileInRoots(of, roots);
  const shown = (name: string) => shownInside(root, name, roots) ?? [];
  if (relation === "impact") {
    const { files, total, tests, testsTotal } = await open.impact(
      parseImpactRequest({ paths: [path], depth, limit }),
      signal,
    );
    const named = tests.flatMap(shown).map((test): Item => {
      return { text: `${test}:1 test to run`, value: { path: test, kind: "test" } };
    });
    const items = [...named, ...files.flatMap((file) => impactItem(file, shown))];
    const moreTests = testsTotal - tests.length;
    const notes = moreTests > 0 ? [`${moreTests} of these are tests to run`] : [];
    return { items, cut: total - files.length + moreTests, notes };
  }
  const direction = DIRECTIONS[relation];
  const { files, packages, total } = await open.related(
    parseRelatedRequest({ path, direction, hops: depth, limit }),
    signal,
  );
  const items = [...files.flatMap((file) => fileItem(file, shown)), ...packages.map(packageItem)];
  return { items, cut: total - files.length };
}

/** `place` is `src/pool.ts:40`; without a line, line 1. */
async function findSimilar(
  open: Session,
  roots: readonly string[],
  { place, limit }: { readonly place: string; readonly limit: number },
  signal: AbortSignal,
): Promise<FoundItems> {
  const [, name = place, line] = /^(.+?):(\d+)(?:[:-]\d+)?$/.exec(place) ?? [];
  const { path } = fileInRoots(name, roots);
  const at = Math.max(0, Number(line ?? 1) - 1);
  const { hits } = await open
    .similar(parseSimilarRequest({ path, line: at, limit }), signal)
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
  return { items, cut: 0 };
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

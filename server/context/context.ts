/** Packs the code that a message needs into a token budget: analyze -> retrieve -> rank -> pack -> format. Start reading here. */

import { createPause } from "../common/slices.ts";
import { estimateTokens, estimateWithin, tokensAtMost } from "../common/tokens.ts";
import {
  type ContextItem,
  type ContextParts,
  type ContextRequest,
  DEFAULT_TOKEN_BUDGET,
  MAX_MESSAGE_LENGTH,
} from "../contracts/context-request.ts";
import { analyzeMessage } from "./analyze.ts";
import { formatContext } from "./format.ts";
import { type KnownViews, type Packed, pack } from "./pack.ts";
import type { Passage } from "./passage.ts";
import { rankPassages } from "./rank.ts";
import { type Retrieved, retrieve } from "./retrieve.ts";
import type { ContextSources } from "./sources.ts";

const MAX_ATTEMPTS = 5;
/** From this share of the budget on it counts as full. */
const ENOUGH = 0.95;
/** Headers and references take less than they are counted for: with this, the first attempt is most often enough. */
const FIRST_BUDGET = 1.03;

type Filled = Pick<ContextParts, "text" | "items" | "tokensUsed" | "leftOut">;

export async function packContext(
  sources: ContextSources,
  request: ContextRequest,
  signal?: AbortSignal,
): Promise<ContextParts> {
  const tokenBudget = request.tokenBudget ?? DEFAULT_TOKEN_BUDGET;
  const isCut = request.query.length > MAX_MESSAGE_LENGTH;
  const message = isCut ? request.query.slice(0, MAX_MESSAGE_LENGTH) : request.query;
  const warnings = isCut ? ["the message is longer than 100,000 characters and was cut"] : [];

  const analysis = analyzeMessage(message, request);
  const { intent, confidence, signals, isWorthwhile } = analysis;
  const analyzed = { tokenBudget, intent, confidence, signals };
  if (request.auto === true && !isWorthwhile) {
    const nothing = { text: "", items: [], tokensUsed: 0, leftOut: 0 };
    return { ...nothing, ...analyzed, isSearched: false, warnings };
  }

  const found = await retrieve(sources, analysis, request, tokenBudget);
  signal?.throwIfAborted();
  const filled = await fill(found, request, tokenBudget);
  signal?.throwIfAborted();
  if (filled.text === "" && found.passages.length > 0) {
    warnings.push(`nothing that was found fits into ${tokenBudget} tokens`);
  }
  return {
    ...filled,
    ...analyzed,
    isSearched: true,
    warnings: [...warnings, ...found.warnings],
  };
}

/** Packs, and corrects the budget by what the format takes: down while it is exceeded, up while much of it is free. */
async function fill(
  { passages, siblings, neighbors, files }: Retrieved,
  { strategy = "balanced", format = "md" }: ContextRequest,
  tokenBudget: number,
): Promise<Filled> {
  const input = { passages: rankPassages(passages, strategy), siblings, neighbors, files };
  const views: KnownViews = new Map();
  const available = Math.max(0, estimateWithin(tokenBudget));
  let best: Filled = { text: "", items: [], tokensUsed: 0, leftOut: passages.length };
  let budget = available * FIRST_BUDGET;
  const pause = createPause();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await pause();
    const packed = pack(input, budget, views);
    const text = formatContext(packed, files, format);
    const tokens = estimateTokens(text);
    const isOver = tokens > available;
    const tokensUsed = Math.min(tokenBudget, tokensAtMost(tokens));
    if (!isOver && tokensUsed > best.tokensUsed) {
      best = { text, items: itemsOf(packed), tokensUsed, leftOut: packed.leftOut };
    }
    const isFull = !isOver && (tokens >= ENOUGH * available || isWhole(packed));
    if (isFull || (isOver && best.text !== "")) break;
    budget *= tokens === 0 ? 1.3 : (0.97 * available) / tokens;
  }
  return best;
}

/** Whether more room would show no more. */
function isWhole({ excerpts, leftOut, references }: Packed): boolean {
  return (
    leftOut === 0 && references.length === 0 && excerpts.every(({ level }) => level === "full")
  );
}

function itemsOf({ excerpts, references }: Packed): ContextItem[] {
  return [
    ...excerpts.map(({ passage, level, lines }) =>
      itemOf(passage, level, { start: lines[0] ?? 0, end: lines.at(-1) ?? 0 }),
    ),
    ...references.map(({ passage, level, line }) =>
      itemOf(passage, level, { start: line, end: line }),
    ),
  ];
}

function itemOf(
  { index, root, path, score, symbol }: Passage,
  level: ContextItem["level"],
  lines: ContextItem["lines"],
): ContextItem {
  const named =
    symbol === undefined
      ? {}
      : { symbol: { name: symbol.name, type: symbol.type, signature: symbol.signature } };
  return { index, root, path, lines, level, score, ...named };
}

/** Packs the code that a message needs into a token budget: analyze -> retrieve -> rank -> pack -> format. Start reading here. */

import { memoize } from "../common/memoize.ts";
import { createPause } from "../common/slices.ts";
import { loadTokenCounter, type TokenCounter } from "../common/tokens.ts";
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
import { type FileText, fileKey, type Passage } from "./passage.ts";
import { rankPassages } from "./rank.ts";
import { type Retrieved, retrieve } from "./retrieve.ts";
import type { ContextSources } from "./sources.ts";

const MAX_ATTEMPTS = 5;
/** A text that uses this share of the budget counts as full. */
const ENOUGH = 0.95;
/** Headers and references take fewer tokens than pack.ts assumes: with this factor, the first attempt is usually full. */
const FIRST_BUDGET = 1.03;
/** A text that exceeds the budget is counted up to this multiple of it, to scale the next attempt. */
const MAX_EXCESS = 2;
/** Paths and signatures, which each attempt counts again. */
const REMEMBERED_TEXTS = 5_000;

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

  const counter = await loadTokenCounter();
  const found = await retrieve(sources, analysis, request, tokenBudget, counter);
  signal?.throwIfAborted();
  const filled = await fill(found, request, tokenBudget, counter);
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

/**
 * Packs, counts the formatted text, and tries again with a smaller budget while the text exceeds the budget, or with a
 * larger one while much of the budget is free. The result never exceeds the budget.
 */
async function fill(
  { passages, places, siblings, neighbors, files }: Retrieved,
  { strategy = "balanced", format = "md" }: ContextRequest,
  tokenBudget: number,
  counter: TokenCounter,
): Promise<Filled> {
  const ranked = rankPassages(passages, strategy);
  const input = { passages: ranked, places, siblings, neighbors, files };
  const views: KnownViews = new Map();
  const tokensOf = memoize((text) => counter.count(text), REMEMBERED_TEXTS);
  const pause = createPause();
  await countLines(input.passages, files, tokenBudget, pause);
  let best: Filled = { text: "", items: [], tokensUsed: 0, leftOut: passages.length };
  let budget = tokenBudget * FIRST_BUDGET;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await pause();
    const packed = pack(input, budget, views, tokensOf);
    const text = formatContext(packed, files, format);
    const tokens = await counter.countInSlices(text, MAX_EXCESS * tokenBudget);
    const isOver = tokens > tokenBudget;
    if (!isOver && tokens > best.tokensUsed) {
      best = { text, items: itemsOf(packed), tokensUsed: tokens, leftOut: packed.leftOut };
    }
    const isFull = !isOver && (tokens >= ENOUGH * tokenBudget || isWhole(packed));
    if (isFull || (isOver && best.text !== "")) break;
    budget *= tokens === 0 ? 1.3 : (0.97 * tokenBudget) / tokens;
  }
  return best;
}

/** Counts the lines of the first passages, as many as may fit, with pauses: `pack` has none. */
async function countLines(
  passages: readonly Passage[],
  files: ReadonlyMap<string, FileText>,
  tokenBudget: number,
  pause: () => Promise<void>,
): Promise<void> {
  let tokens = 0;
  for (const passage of passages) {
    const file = files.get(fileKey(passage));
    const end = Math.min(passage.range.end, (file?.length ?? 0) - 1);
    for (let line = passage.range.start; file !== undefined && line <= end; line++) {
      if (tokens > tokenBudget) return;
      tokens += file.tokens(line);
      await pause();
    }
  }
}

/** Whether everything is shown in full, so that a larger budget adds nothing. */
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
  if (symbol === undefined) return { index, root, path, lines, level, score };
  const { name, type, signature } = symbol;
  const named = { name, type, signature, lines: symbol.lines };
  return { index, root, path, lines, level, score, symbol: named };
}

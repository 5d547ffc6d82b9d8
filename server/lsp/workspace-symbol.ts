/** workspace/symbol: the search that every editor already has a key for. */

import type { ServerCapabilities } from "vscode-languageserver";
import { messageOf, Unavailable } from "../common/errors.ts";
import { orAborted } from "../common/or-aborted.ts";
import { type TimeLimit, withTimeLimit } from "../common/time-limit.ts";
import type { Hit } from "../contracts/model.ts";
import { symbolQuery, withRank } from "./client-quirks.ts";
import { onRequest, requiredText } from "./requests.ts";
import type { ServerContext } from "./server-context.ts";
import { placeFirst, type ScoredSymbol, symbolOf } from "./symbol-of.ts";

export const capabilities: ServerCapabilities = { workspaceSymbolProvider: true };

/** As many as a picker shows without scrolling far; two digits number them. */
const MAX_SYMBOLS = 50;

/** Vim's tag jumps give up after a second, and pickers ask at each keystroke. */
const ANSWER_TIMEOUT_MS = 900;
const OPENING_POLL_MS = 100;

// The list itself has no place for it, and looks like a final one.
const TOO_EARLY = "the workspace is still being indexed; what is indexed already was searched";
const NOT_OPEN =
  "the index is still being opened, so that nothing was searched; ask again in a moment";

export function register(context: ServerContext): void {
  let latest = new AbortController();
  onRequest(context, "workspace/symbol", async (params, cancelled) => {
    const query = requiredText(params, "query");
    latest.abort();
    const own = new AbortController();
    latest = own;
    const { text, ranked } = symbolQuery(context.client(), query);
    if (text.trim() === "") return [];
    const endings = [cancelled, own.signal];
    const hits = await withTimeLimit(answerLimit(context), endings, (signal) =>
      find(context, text, signal),
    );
    // What the client itself cancelled is an error by the protocol; an old query is only out of date.
    cancelled.throwIfAborted();
    if (hits === undefined) {
      if (!own.signal.aborted && isOpening(context)) context.notices.now("info", NOT_OPEN);
      return [];
    }
    if (context.progress.isIndexing) context.notices.now("info", TOO_EARLY);
    const symbols = makeScoresMonotonic(distinct(hits.map((hit) => toSymbol(context, hit))));
    return ranked ? symbols.map(numbered) : symbols;
  });
}

/** The usual time, counted from when what is stored is open; that is waited for as long as the client waits. */
function answerLimit(context: ServerContext): TimeLimit {
  const start = performance.now();
  const { openingTimeoutMs } = context.client();
  let openSince = start;
  return {
    ms: openingTimeoutMs > 0 ? OPENING_POLL_MS : ANSWER_TIMEOUT_MS,
    leftMs: () => {
      const now = performance.now();
      if (isOpening(context) && now < start + openingTimeoutMs) openSince = now;
      return Math.min(OPENING_POLL_MS, openSince + ANSWER_TIMEOUT_MS - now);
    },
  };
}

/** The engine is being started, or it reads what is stored. */
function isOpening({ workspace, progress }: ServerContext): boolean {
  return !workspace.isOpen || progress.isOpening;
}

/** Undefined where nothing can be had in time: an error would be shown at each keystroke. */
async function find(
  context: ServerContext,
  text: string,
  signal: AbortSignal,
): Promise<readonly Hit[] | undefined> {
  const { documents, log, workspace } = context;
  try {
    const session = await orAborted(workspace.session(), signal);
    documents.flush(session);
    return await orAborted(session.symbols(text, MAX_SYMBOLS, signal), signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof Unavailable)) throw error;
    log.info("no symbols", { error: messageOf(error) });
    return [];
  }
}

function toSymbol({ client, folders }: ServerContext, hit: Hit): ScoredSymbol {
  const file = folders.toClient(hit.root, hit.path);
  const symbol = symbolOf(hit, file, client().encoding);
  return client().cutsFromTheRight ? placeFirst(symbol, hit) : symbol;
}

/** One entry per place: overlapping chunks lead to the same line. */
function distinct(symbols: readonly ScoredSymbol[]): ScoredSymbol[] {
  const places = new Map<string, ScoredSymbol>();
  for (const symbol of symbols) {
    const { uri, range } = symbol.location;
    const place = `${uri}:${range.start.line}`;
    if (!places.has(place)) places.set(place, symbol);
  }
  return [...places.values()];
}

/** Clients that sort by `score` then keep the order of the ranking, where exact names come first. */
function makeScoresMonotonic(symbols: readonly ScoredSymbol[]): ScoredSymbol[] {
  let best = 0;
  const backwards = symbols.toReversed().map((symbol) => {
    best = Math.max(best, symbol.score);
    return { ...symbol, score: best };
  });
  return backwards.toReversed();
}

function numbered(symbol: ScoredSymbol, index: number): ScoredSymbol {
  return { ...symbol, name: withRank(symbol.name, index + 1) };
}

/** workspace/symbol: search through the symbol picker of an editor. */

import type { ServerCapabilities } from "vscode-languageserver";
import { messageOf, Unavailable } from "../common/errors.ts";
import { orAborted } from "../common/or-aborted.ts";
import { type TimeLimit, withTimeLimit } from "../common/time-limit.ts";
import type { Hit } from "../contracts/model.ts";
import { symbolQuery, withRank } from "./client-quirks.ts";
import { onRequest, requiredText } from "./requests.ts";
import type { ServerContext } from "./server-context.ts";
import { documentSymbolOf, placeFirst, type ScoredSymbol } from "./symbol-of.ts";

export const capabilities: ServerCapabilities = { workspaceSymbolProvider: true };

/** A few screens of a picker; two digits number them. */
const MAX_SYMBOLS = 50;

/** Vim's tag jumps time out after 1 s, and pickers send a request at each keystroke. */
const ANSWER_TIMEOUT_MS = 900;
const OPENING_POLL_MS = 100;

// Shown as a message, because the list itself cannot say that it is incomplete.
const TOO_EARLY = "indexing is not finished; only indexed files were searched";
const NOT_OPEN = "the index is still loading and was not searched; search again in a moment";

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
    // A request cancelled by the client needs an error by the protocol; a superseded query gets an empty list.
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

/** ANSWER_TIMEOUT_MS, which starts when the stored index is loaded; loading may take up to openingTimeoutMs. */
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

/** Whether the engine is starting or loads a stored index. */
function isOpening({ workspace, progress }: ServerContext): boolean {
  return !workspace.isOpen || progress.isOpening;
}

/** Undefined after a timeout: an error would be shown at each keystroke. */
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
  const symbol = documentSymbolOf(hit, file, client().encoding);
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

/** Makes scores non-increasing, so that clients that sort by `score` keep the order, with exact names first. */
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

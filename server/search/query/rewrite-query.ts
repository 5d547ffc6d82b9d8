/** Stage 0 of the read path: a language model rewrites the query, which is searched in addition to the original. */

import { messageOf } from "../../common/errors.ts";
import type { ResolveLanguage } from "../../contracts/languages.ts";
import type { Rewriter } from "../../contracts/query-models.ts";
import type { SearchTrace } from "../lanes/ask-lanes.ts";
import { parseQuery, type Query } from "./query.ts";

/** Returns undefined if the query is searched as written: for names, paths and quoted phrases, and if the model fails. */
export async function rewriteQuery(
  query: Query,
  rewriter: Rewriter,
  resolveLanguage: ResolveLanguage,
  trace: SearchTrace,
  signal: AbortSignal | undefined,
): Promise<Query | undefined> {
  if (!isRewritable(query)) return undefined;
  if (!rewriter.isAvailable) {
    trace.isIncomplete = true;
    return undefined;
  }
  const start = performance.now();
  try {
    const answer = await rewriter.rewrite(query.text, signal);
    signal?.throwIfAborted();
    const notes = { model: rewriter.id, ...answer };
    trace.recorder.note("rewrite", performance.now() - start, { notes });
    if ("refused" in answer) return undefined;
    const { text } = answer;
    const rewritten = { ...parseQuery(text, resolveLanguage), filters: query.filters };
    const isNew = text.toLowerCase() !== query.text.toLowerCase();
    return isNew && rewritten.kind !== "empty" ? rewritten : undefined;
  } catch (error) {
    signal?.throwIfAborted();
    const reason = messageOf(error);
    trace.log.warn("the query was not rewritten", { model: rewriter.id, reason });
    trace.warnings.push(`searched without rewriting: ${reason}`);
    trace.recorder.note("rewrite", performance.now() - start, { notes: { failed: reason } });
    return undefined;
  }
}

function isRewritable({ kind, identifiers, paths, phrases }: Query): boolean {
  return (
    kind === "sentence" && identifiers.length === 0 && paths.length === 0 && phrases.length === 0
  );
}

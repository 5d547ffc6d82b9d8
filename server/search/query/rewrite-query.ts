/** Asks a language model for the words that code may use in place of a question; they are searched as terms beside it. */

import { messageOf } from "../../common/errors.ts";
import type { Rewriter } from "../../contracts/query-models.ts";
import type { SearchTrace } from "../lanes/ask-lanes.ts";
import type { Query } from "./query.ts";
import { readTerms } from "./terms.ts";

/** Returns no words if the query is searched as written: for names, paths and quoted phrases, and if the model fails. */
export async function rewriteQuery(
  query: Query,
  rewriter: Rewriter,
  trace: SearchTrace,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (!isRewritable(query)) return [];
  if (!rewriter.isAvailable) {
    trace.isIncomplete = true;
    return [];
  }
  const start = performance.now();
  try {
    const answer = await rewriter.rewrite(query.text, signal);
    signal?.throwIfAborted();
    const notes = { model: rewriter.id, ...answer };
    trace.recorder.note("rewrite", performance.now() - start, { notes });
    if ("refused" in answer) return [];
    const { terms } = readTerms(answer.text.split(/\s+/));
    return terms;
  } catch (error) {
    signal?.throwIfAborted();
    const reason = messageOf(error);
    trace.log.warn("the query was not rewritten", { model: rewriter.id, reason });
    trace.warnings.push(`searched without rewriting: ${reason}`);
    trace.recorder.note("rewrite", performance.now() - start, { notes: { failed: reason } });
    return [];
  }
}

/** Whether a model may be asked about it: it may not about names, paths and quoted phrases. */
export function isRewritable({ kind, identifiers, paths, phrases }: Query): boolean {
  return (
    kind === "sentence" && identifiers.length === 0 && paths.length === 0 && phrases.length === 0
  );
}

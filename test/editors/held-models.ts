/** A reranker that answers when a test lets it, a rewriting model beside it, and a project whose order the reranker changes. */

import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { modelServer } from "../support/model-server.ts";
import { SHOP } from "../support/shops.ts";

/** Several files about receipts; src/mail.go comes first. */
export const RECEIPTS = `${SHOP}
//- src/printer.py
def print_receipt(paper):
    """Prints on paper of the usual width."""
    return paper.feed()
//- src/archive.py
def archive_receipts(folder):
    """Keeps receipts for ten years."""
    return folder
`;

/** Longer than a client waits for the next key before it asks the models. */
const RESTED_MS = 1_500;

/** The requests that one question makes. */
export const ASKED_ONCE = ["/api/chat", "/v2/rerank"];

export const rested = () => delay(RESTED_MS);

/**
 * The reranker ranks the first chunk last: the second one comes first then. It waits for `release`, far longer than a user
 * would. The rewriting model answers at once, with the question.
 */
export async function heldModels() {
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await modelServer(async ({ path, body }) => {
    if (path === "/api/chat") return { message: (body["messages"] as unknown[]).at(-1) };
    const documents = body["documents"] as readonly string[];
    await released;
    const scores = documents.map((_, index) => (index === 0 ? 0 : 1 / index));
    return { results: scores.map((score, index) => ({ index, relevance_score: score })) };
  });
  onTestFinished(() => server.close());
  return {
    env: {
      COCOSEARCH_RERANK_URL: `${server.url}/v2/rerank`,
      COCOSEARCH_RERANK_TIMEOUT_MS: "60000",
      COCOSEARCH_REWRITE_PROVIDER: "ollama",
      COCOSEARCH_REWRITE_BASE_URL: server.url,
    },
    release: () => release(),
    /** The paths of the requests: both models are asked about a question, in this order. */
    asked: () => server.received.map(({ path }) => path),
  };
}

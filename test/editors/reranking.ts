/** A reranker that answers when a test lets it, and a project whose order it changes. */

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

/** Longer than a client waits for the next key before it asks the reranker. */
const RESTED_MS = 1_500;

export const rested = () => delay(RESTED_MS);

/** Ranks the first chunk last: the second one comes first then. Waits for `release`, far longer than a user would. */
export async function heldReranker() {
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await modelServer(async ({ body }) => {
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
    },
    release: () => release(),
    /** The questions that it was asked. */
    asked: () => server.received.map(({ body }) => body["query"]),
  };
}

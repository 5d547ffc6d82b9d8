/** Small engine answers, for tests that render them. */

import type { ExportedEdge, RelatedFile } from "../../server/contracts/graph-requests.ts";
import type { ContextAnswer } from "../../server/contracts/session.ts";

export const EMPTY_CONTEXT: ContextAnswer = {
  text: "",
  items: [],
  tokensUsed: 9,
  tokenBudget: 4000,
  intent: "how",
  confidence: 1,
  signals: [],
  isSearched: true,
  leftOut: 0,
  warnings: [],
  state: "ready",
  indexed: 3,
  total: 3,
};

export const NEAR_FILE: RelatedFile = {
  path: "src/pool.ts",
  hops: 1,
  via: "src/shop.ts",
  line: 4,
  types: ["import", "call"],
  dependent: false,
};

/** At the first line of `from`. */
export function importEdge(from: string, to: string): ExportedEdge {
  return { kind: "import", from, to, line: 0, confidence: 1, how: "relative" };
}

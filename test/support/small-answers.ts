/** Small engine answers, for tests that render them. */

import type { ExportedEdge, RelatedFile } from "../../server/contracts/graph-requests.ts";
import type { ContextAnswer, OccurrencesAnswer } from "../../server/contracts/session.ts";

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

/** Three of five matches, in a list with a cursor: of a long line, in an unsaved buffer, and of one without a definition. */
export function occurrencesIn(root: string): OccurrencesAnswer {
  return {
    matches: 1_205,
    matchingFiles: 3,
    isComplete: false,
    missing: [
      { reason: "excluded", files: 9, examples: ["build", "a.lock", "b.lock"] },
      { reason: "time limit", files: 1, examples: ["src/\u001b[2Jslow.ts"] },
    ],
    order: "category",
    files: [
      {
        root,
        path: "src/pool.ts",
        languageId: "typescript",
        matches: 2,
        places: [
          {
            line: 4,
            column: 2,
            length: 4,
            text: "\topen(é);",
            definition: { name: "Pool.open", type: "method", line: 3 },
          },
          {
            line: 6,
            column: 1_004,
            length: 4,
            text: "x".repeat(3) + "é open \u001b[31m",
            before: { units: 1_000, bytes: 1_010, characters: 990 },
            definition: { name: "Pool.open", type: "method", line: 3 },
          },
        ],
      },
      {
        root,
        path: "README.md",
        languageId: "markdown",
        matches: 1,
        isUnsaved: true,
        places: [{ line: 0, column: 2, length: 0, text: "# open" }],
      },
      { root, path: "docs/a.md", languageId: "markdown", matches: 1_202, places: [] },
    ],
    start: "0.1205.abc",
    cursor: "3.1205.abc",
    warnings: ["it is slow"],
    state: "ready",
    indexed: 3,
    total: 3,
  };
}

/** The answer for a text that is nowhere. */
export const NO_OCCURRENCES: OccurrencesAnswer = {
  matches: 0,
  matchingFiles: 0,
  isComplete: true,
  missing: [],
  order: "category",
  files: [],
  start: "0.0.abc",
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

/** `context` on the command line. */

import { expect, it } from "vitest";
import type { ContextAnswer } from "../../server/contracts/session.ts";
import { run } from "./run-cli.ts";

const ANSWER: ContextAnswer = {
  text: "## src/pool.ts:1-2\n```typescript\nx\n```\n",
  items: [],
  tokensUsed: 20,
  tokenBudget: 4000,
  intent: "how",
  confidence: 0.7,
  signals: [],
  isSearched: true,
  leftOut: 3,
  state: "ready",
  indexed: 1,
  total: 1,
  warnings: [],
};
const ready = {
  status: async () => ({ state: "ready", indexes: [], indexed: 1, total: 1 }) as never,
};

it("`context` prints the code, and notes the used budget", async () => {
  const asked: unknown[] = [];
  const session = {
    ...ready,
    context: async (request: unknown) => {
      asked.push(request);
      return ANSWER;
    },
  };
  const args = ["context", "how", "is", "it", "--tokens", "900", "--format", "xml"];
  const { code, out, err } = await run(args, { session });
  expect({ code, out }).toEqual({ code: 0, out: ANSWER.text });
  expect(err).toContain("20 of 4000 tokens, 3 results omitted");
  expect(asked).toEqual([{ query: "how is it", tokenBudget: 900, format: "xml" }]);
});

it('`context` does not report "nothing found" if no result fits the budget', async () => {
  const warnings = ["nothing that was found fits into 9 tokens"];
  const session = { ...ready, context: async () => ({ ...ANSWER, text: "", warnings }) };
  const { code, err } = await run(["context", "x", "--tokens", "9"], { session });
  expect([code, err]).toEqual([1, `warning: ${warnings[0]}\n`]);
});

it.each([
  [["--tokens", "0"], "error: --tokens: "],
  [["--tokens", "-5"], "error: --tokens: "],
  [["--tokens=10000000"], "error: --tokens: "],
  [["--format", "pdf"], "md, json, xml"],
  [["--strategy", "random"], "balanced"],
])("`context` refuses %j", async (args, named) => {
  const { code, err } = await run(["context", "x", ...args], { session: ready });
  expect(code).toBe(2);
  expect(err).toContain(named);
});

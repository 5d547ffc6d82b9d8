/** cocosearch/context. */

import { expect, it } from "vitest";
import { ANSWER, connectClient, fakeSession } from "./test-client.ts";

it("cocosearch/context answers with Markdown and locations", async () => {
  const { state, indexed, total, warnings } = ANSWER;
  const packed = {
    intent: "how",
    confidence: 0.7,
    signals: [],
    isSearched: true,
    leftOut: 0,
  } as const;
  const rest = { ...packed, tokensUsed: 9, tokenBudget: 50, state, indexed, total, warnings };
  const lines = { start: 2, end: 4 };
  const item = { index: "project", level: "full", score: 0.5 } as const;
  const items = [{ ...item, root: "/project", path: "src/a.py", lines }];
  const client = connectClient(
    fakeSession({ context: async () => ({ ...rest, text: "## a", items }) }),
  );
  await client.start();
  expect(await client.request("cocosearch/context", { query: "q" })).toEqual({
    ...rest,
    markdown: "## a",
    items: [
      {
        ...item,
        location: {
          uri: "file:///project/src/a.py",
          range: { start: { line: 2, character: 0 }, end: { line: 5, character: 0 } },
        },
      },
    ],
  });
});

it.each([
  [{}, "query"],
  [{ query: "q", tokenBudget: 0 }, "tokenBudget"],
  [{ query: "q", strategy: "best" }, "strategy"],
  [{ query: "q", format: "xml" }, "format"],
])("cocosearch/context refuses %j and names %s", async (params, name) => {
  const { start, request } = connectClient(fakeSession({}));
  await start();
  await expect(request("cocosearch/context", params)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(name),
  });
});

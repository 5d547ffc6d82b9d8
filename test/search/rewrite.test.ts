/** The words of a rewriting model are searched beside the words of the question. */

import { describe, expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import type { Rewriter, Rewritten } from "../../server/contracts/query-models.ts";
import { analyze, search } from "../../server/search/search.ts";
import { contextOf, embedded, indexOf, lanesOf } from "./support.ts";

const LANES = lanesOf(
  embedded("src/auth.ts", "where tokens are renewed in the end"),
  embedded("src/expiry.ts", "session expiry refresh credential"),
  embedded("src/other.ts", "tokens of the parser"),
);
const QUESTION = "where are tokens renewed";

function fake(answer: Rewritten | Error, isAvailable = true) {
  const asked: string[] = [];
  const rewriter: Rewriter = {
    id: "fake:chat",
    isAvailable,
    rewrite: async (query) => {
      asked.push(query);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { asked, context: { ...contextOf(indexOf("app", LANES)), rewriter } };
}

const pathsOf = (hits: readonly { readonly path: string }[]) => hits.map(({ path }) => path);
const rewritten = { text: "session expiry refresh credential" };

it("finds code that has only the words of the model", async () => {
  const request = { query: QUESTION, without: ["vector", "thesaurus"] };
  const plain = await search(contextOf(indexOf("app", LANES)), request);
  const { hits } = await search(fake(rewritten).context, request);
  expect(pathsOf(plain.hits)).not.toContain("src/expiry.ts");
  expect(pathsOf(hits)).toEqual(expect.arrayContaining(["src/expiry.ts", "src/auth.ts"]));
});

it("counts no word of the question twice, and no word that no file contains", async () => {
  const plain = await search(contextOf(indexOf("app", LANES)), { query: QUESTION });
  const same = fake({ text: "Tokens renewed zebra quagga" });
  const { hits, warnings } = await search(same.context, { query: QUESTION });
  expect([hits, warnings]).toEqual([plain.hits, []]);
});

it.each([
  ["a name", "renewToken"],
  ["a name in a sentence", "where is renewToken called"],
  ["a path", "src/auth.ts"],
  ["a path in a sentence", "tokens in src/auth.ts"],
  ["a quoted phrase", 'where is "tokens are" said'],
  ["a message", "TypeError: tokens is not iterable"],
])("is not asked about %s", async (_, query) => {
  const { asked, context } = fake(rewritten);
  await search(context, { query });
  expect(asked).toEqual([]);
});

it("leaves the answer as it was where the text is refused or the same", async () => {
  const plain = await search(contextOf(indexOf("app", LANES)), { query: QUESTION });
  for (const answer of [
    { refused: "too long" },
    { text: QUESTION.toUpperCase() },
    { text: "?!" },
  ]) {
    const { hits, warnings } = await search(fake(answer).context, { query: QUESTION });
    expect([hits, warnings]).toEqual([plain.hits, []]);
  }
});

describe("while the user types", () => {
  it("is not asked, the answer says that it may change, and is cached apart", async () => {
    const { asked, context } = fake(rewritten);
    const request = { query: QUESTION, without: ["vector", "thesaurus"] };
    const typed = await search(context, { ...request, typing: true });
    expect([asked, typed.canImprove]).toEqual([[], true]);
    expect(pathsOf(typed.hits)).not.toContain("src/expiry.ts");
    const atRest = await search(context, request);
    expect([asked, atRest.canImprove]).toEqual([[QUESTION], undefined]);
    expect(pathsOf(atRest.hits)).toContain("src/expiry.ts");
  });

  it.each([
    ["it failed before", QUESTION, false],
    ["a name is searched as written", "renewToken", true],
    ["nothing is found, as while files are indexed", "where are tokens renewed lang:python", true],
  ])("the answer does not say so if %s", async (_, query, isAvailable) => {
    const { context } = fake(rewritten, isAvailable);
    expect(await search(context, { query, typing: true })).not.toHaveProperty("canImprove");
  });
});

describe("a failure", () => {
  it("leaves the answer as it was, with one warning, and is not cached", async () => {
    const plain = await search(contextOf(indexOf("app", LANES)), { query: QUESTION });
    const { context } = fake(new Unavailable("the model does not answer", "start it"));
    const { hits, warnings } = await search(context, { query: QUESTION });
    expect(hits).toEqual(plain.hits);
    expect(warnings).toEqual(["searched without rewriting: the model does not answer: start it"]);
    expect((await search(context, { query: QUESTION })).cache).toBe("miss");
  });

  it("is not waited for again while the model is left alone", async () => {
    const { asked, context } = fake(rewritten, false);
    const { warnings } = await search(context, { query: QUESTION });
    expect([warnings, asked]).toEqual([[], []]);
    expect((await search(context, { query: QUESTION })).cache).toBe("miss");
  });
});

it("keeps the filters of the question", async () => {
  const query = `${QUESTION} path:src/auth.ts`;
  const { hits } = await search(fake(rewritten).context, { query });
  expect(pathsOf(hits)).toEqual(["src/auth.ts"]);
});

it("shows the text and the time of each of its stages", async () => {
  const { stages } = await analyze(fake(rewritten).context, { query: QUESTION });
  expect(stages.find(({ name }) => name === "rewrite")?.notes).toEqual({
    model: "fake:chat",
    text: rewritten.text,
  });
});

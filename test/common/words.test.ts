/** Text is split into words: identifiers as a whole and in parts, in any script. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eachToken, wordsOf } from "../../server/common/words.ts";

const check = (text: string, words: string) => expect(wordsOf(text).join(" ")).toBe(words);

describe("wordsOf", () => {
  it.each([
    ["getUserById", "get user by id getuserbyid"],
    ["HTTPServer2", "http server 2 httpserver2"],
    ["user_repository", "user repository user_repository"],
    ["MAX_RETRIES", "max retries max_retries"],
    ["plain words, twice: plain", "plain words twice plain"],
    ["$scope.__init__", "scope init"],
    ["Größe_μ ПользовательИмя", "größe μ größe_μ пользователь имя пользовательимя"],
    ["用户认证", "用户 户认 认证 用户认证"],
    ["ユーザー名", "ユー ーザ ザー ー名 ユーザー名"],
    ["e\u0301tat nume\u0301roTotal", "\u00e9tat num\u00e9ro total num\u00e9rototal"],
    ["", ""],
    ["-> { } ;", ""],
  ])("splits %j into %j", (text, words) => check(text, words));

  it("drops a run of data", () => check(`a ${"x".repeat(100)} b`, "a b"));
  it("splits ASCII text the same alone as beside other scripts", () => {
    const parts = ["get", "URL", "_", "$", "7", "1234", " ", ".", "{", "x".repeat(79), "\n", "A"];
    const text = fc.string({ unit: fc.constantFrom(...parts), maxLength: 12 });
    const isSame = fc.property(text, (one) => {
      expect(wordsOf(one)).toEqual(wordsOf(`${one} ü`).slice(0, -1));
    });
    fc.assert(isSame, { seed: 3, numRuns: 500 });
  });
  it("cuts the tokens of mixed scripts as one expression does", () => {
    const parts = [
      "a",
      "Z9",
      "_$",
      " ",
      "-",
      "é",
      "e\u0301",
      "用",
      "ー",
      "𝒳",
      "😀",
      "\ud800",
      "\udc00",
      "—",
      "\n",
    ];
    const text = fc.string({ unit: fc.constantFrom(...parts), maxLength: 14 });
    const isSame = fc.property(text, (one) => {
      const tokens: [number, string][] = [];
      eachToken(one, (start, end) => tokens.push([start, one.slice(start, end)]));
      const expected = [...one.matchAll(/[\p{L}\p{N}\p{M}_$]+/gu)].map((found) => [
        found.index,
        found[0],
      ]);
      expect(tokens).toEqual(expected);
    });
    fc.assert(isSame, { seed: 5, numRuns: 2_000 });
  });
  it("skips a lone surrogate", () => check("a \ud800 b", "a b"));
});

it("wordsOf splits a path into its folders and its name", () => {
  expect(wordsOf(".github/workflows/releaseNotes.yaml").join(" ")).toBe(
    "github workflows release notes releasenotes yaml",
  );
});

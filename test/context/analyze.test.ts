/** The intent and the names of a message, and whether searching the code helps to answer it. */

import { expect, it } from "vitest";
import { analyzeMessage } from "../../server/context/analyze.ts";
import { messageMentions } from "../../server/context/signals.ts";

it.each([
  "How do I handle async errors?",
  "Where are auth tokens refreshed?",
  "UserService.getUser",
  "wo werden Tokens erneuert?",
  "где обновляются токены",
  "在哪里刷新令牌",
  "fix the timeout in the retry loop",
  "Traceback (most recent call last):\n  File \"app/x.py\", line 3, in load\nKeyError: 'a'",
  "look at src/main.rs",
])("finds a search worthwhile for %j", (message) =>
  expect(analyzeMessage(message, {}).isWorthwhile).toBe(true),
);

it.each([
  "thanks!",
  "ok, go ahead",
  "yes please",
  "hello there",
  "tell me a joke",
  "e.g. this",
  "да",
  "谢谢",
  "thanks, the segmentation fault is gone, feel free to merge",
])("finds no search worthwhile for %j", (message) =>
  expect(analyzeMessage(message, {}).isWorthwhile).toBe(false),
);

it("needs the earlier messages for a short reply", () => {
  expect(analyzeMessage("and for mobile", {}).isWorthwhile).toBe(false);
  const { isWorthwhile, signals } = analyzeMessage("and for mobile", { recentFiles: ["a.ts"] });
  expect(isWorthwhile).toBe(true);
  expect(signals.map(({ name }) => name)).toEqual(["shortReply"]);
});

it.each([
  ["parseQuery", "symbol"],
  ["where is the cookie signed", "where"],
  ["how are cookies signed", "how"],
  ["who calls parseQuery and from where", "impact"],
  ["which commit changed the retry delay", "history"],
  ["panic: x\ngoroutine 1 [running]:", "error"],
  ["build fails with error TS2345: wrong type", "error"],
])("takes %j for a question of the kind %s", (message, intent) =>
  expect(analyzeMessage(message, {}).intent).toBe(intent),
);

it.each([
  ["see src/a.rs, ./b.py and lib/x/y.", ["src/a.rs", "b.py", "lib/x/y"]],
  ["--- a/src/x.go\n+++ b/src/x.go\n@@ -1 +1 @@", ["src/x.go"]],
  ["*** Begin Patch\n*** Update File: src/y.ts", ["src/y.ts"]],
  ["run `cat src/lib/foo.rb | head -3`", ["src/lib/foo.rb"]],
  ["e.g. version v1.5 of https://x.org/a/b.js at example.com/a/b/c", []],
])("finds the paths of %j", (message, paths) =>
  expect(messageMentions(message).paths.toSorted()).toEqual(paths.toSorted()),
);

/** The counts of tokens against the tokenizer itself, on the samples of languages, other scripts and hostile texts. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { loadTokenCounter } from "../../server/common/tokens.ts";

const GRAMMARS = join(import.meta.dirname, "../../grammars");
const files = readdirSync(GRAMMARS, { recursive: true, encoding: "utf8" });
const counter = await loadTokenCounter();

it("count and countInSlices give the tokenizer's count for code", async () => {
  const samples = files.filter((file) => /sample\.[a-z]+$/.test(file));
  expect(samples.length).toBeGreaterThan(20);
  for (const sample of samples) {
    const text = readFileSync(join(GRAMMARS, sample), "utf8");
    const tokens = encode(text).length;
    expect([sample, counter.count(text)]).toEqual([sample, tokens]);
    expect([sample, await counter.countInSlices(text)]).toEqual([sample, tokens]);
  }
});

it.each([
  "",
  "这是一个用于搜索代码的语言服务器",
  "Где обновляются токены авторизации",
  "🎉🎉🎉 done 🚀",
  "토큰은 어디에서 갱신됩니까 설정 파일을 읽는 처리",
  Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 7919) % 251)).toString("base64"),
])("count gives the tokenizer's count for %s", (text) =>
  expect(counter.count(text)).toBe(encode(text).length),
);

it("count takes a special token for ordinary text", () =>
  expect(counter.count("<|endoftext|>")).toBeGreaterThan(1));

it("count stops above the maximum", () => {
  const text = "word ".repeat(10_000);
  expect(counter.count(text, 100)).toBeGreaterThan(100);
  expect(counter.count(text, 100)).toBeLessThan(120);
});

it.each([
  ["a letter", "a".repeat(1_000_000)],
  ["a mark", "=".repeat(1_000_000)],
  ["spaces", `x${" ".repeat(1_000_000)}y`],
  ["blank lines", `x\n${`${" ".repeat(400)}\n`.repeat(2_000)}y`],
  ["letters and digits", "a1".repeat(200_000)],
])("count bounds the tokens of a repeated text from above, in linear time: %s", (_name, text) => {
  const start = performance.now();
  const tokens = counter.count(text);
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(tokens).toBeGreaterThan(text.length / 200);
  expect(tokens).toBeLessThanOrEqual(text.length + 3);
});

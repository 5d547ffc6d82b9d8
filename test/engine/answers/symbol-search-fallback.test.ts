/** The race between symbol search and keyword search for a picker. */

import { setTimeout as delay } from "node:timers/promises";
import { it, vi } from "vitest";
import type { Hit } from "../../../server/contracts/model.ts";
import { symbolsWithFallback } from "../../../server/engine/answers/symbol-search-fallback.ts";
import { hit } from "../../lsp/test-client.ts";

const SYMBOLS = [hit({ path: "symbols.py" })];
const WORDS = [hit({ path: "words.py" })];

const never = () => new Promise<never>(() => undefined);
const after = (ms: number, hits: readonly Hit[]) => () => delay(ms, hits);
const failing = () => Promise.reject(new Error("failed"));

it.concurrent("Symbol hits win if they arrive soon, without a keyword search", async ({
  expect,
}) => {
  const words = vi.fn<() => Promise<readonly Hit[]>>(after(0, WORDS));
  expect(await symbolsWithFallback(after(0, SYMBOLS), words)).toBe(SYMBOLS);
  expect(words).not.toHaveBeenCalled();
});

it.concurrent("Keyword hits win if embedding takes too long", async ({ expect }) => {
  expect(await symbolsWithFallback(never, after(0, WORDS))).toBe(WORDS);
});

it.concurrent("Symbol hits win if they arrive before the keyword hits", async ({ expect }) => {
  expect(await symbolsWithFallback(after(450, SYMBOLS), never)).toBe(SYMBOLS);
});

it.concurrent("Symbol hits are awaited if the keyword search finds nothing", async ({ expect }) => {
  expect(await symbolsWithFallback(after(600, SYMBOLS), after(0, []))).toBe(SYMBOLS);
});

it.concurrent("A failed symbol search rejects", async ({ expect }) => {
  await expect(symbolsWithFallback(failing, after(0, WORDS))).rejects.toThrow("failed");
});

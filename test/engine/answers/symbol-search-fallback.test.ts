/** Which of two searches answers a picker. */

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

it.concurrent("answers with the symbols, and asks for nothing else, when they come soon", async ({
  expect,
}) => {
  const words = vi.fn<() => Promise<readonly Hit[]>>(after(0, WORDS));
  expect(await symbolsWithFallback(after(0, SYMBOLS), words)).toBe(SYMBOLS);
  expect(words).not.toHaveBeenCalled();
});

it.concurrent("answers by words when meaning takes too long", async ({ expect }) => {
  expect(await symbolsWithFallback(never, after(0, WORDS))).toBe(WORDS);
});

it.concurrent("takes the symbols that come before the words do", async ({ expect }) => {
  expect(await symbolsWithFallback(after(450, SYMBOLS), never)).toBe(SYMBOLS);
});

it.concurrent("waits for the symbols where the words find nothing", async ({ expect }) => {
  expect(await symbolsWithFallback(after(600, SYMBOLS), after(0, []))).toBe(SYMBOLS);
});

it.concurrent("fails as the symbols fail", async ({ expect }) => {
  await expect(symbolsWithFallback(failing, after(0, WORDS))).rejects.toThrow("failed");
});

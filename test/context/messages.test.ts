/**
 * How well a message is read: whether searching the code helps to answer it, and which paths it names. The messages are
 * modeled on public threads, which each names, in words of our own; the signals were tuned on one half only.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { analyzeMessage } from "../../server/context/analyze.ts";

interface Labeled {
  readonly half: "tune" | "judge";
  readonly thread: string;
  readonly isWorthwhile: boolean;
  readonly paths: readonly string[];
  readonly text: string;
}

const MESSAGES = readFileSync(join(import.meta.dirname, "messages.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Labeled);

it("has two hundred messages and more", () => {
  expect(MESSAGES.length).toBeGreaterThanOrEqual(200);
  expect(MESSAGES.filter(({ half }) => half === "judge").length).toBe(MESSAGES.length / 2);
});

describe.each(["tune", "judge"] as const)("the half to %s on", (half) => {
  const own = MESSAGES.filter((message) => message.half === half);

  it("distinguishes messages about code from others", () => {
    const found = own.filter(({ text }) => analyzeMessage(text, {}).isWorthwhile);
    const right = found.filter(({ isWorthwhile }) => isWorthwhile).length;
    const wanted = own.filter(({ isWorthwhile }) => isWorthwhile).length;
    expect(right / found.length).toBeGreaterThanOrEqual(0.93);
    expect(right / wanted).toBeGreaterThanOrEqual(0.93);
  });

  it("finds the paths, and nothing else", () => {
    const found = own.flatMap(({ text, thread }) =>
      analyzeMessage(text, {}).paths.map((path) => `${thread} ${path}`),
    );
    const wanted = own.flatMap(({ paths, thread }) => paths.map((path) => `${thread} ${path}`));
    const right = found.filter((path) => wanted.includes(path)).length;
    expect(right / found.length).toBeGreaterThanOrEqual(0.93);
    expect(right / wanted.length).toBeGreaterThanOrEqual(0.97);
  });
});

/** Progress on a terminal and in a log. */

import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createProgress } from "../../server/cli/progress.ts";

/** Not zero: a time is not a duration. */
const BEGIN = 1_000_000;

describe("progress", () => {
  function shown(isTTY: boolean, atMs: readonly number[]): string {
    let now = BEGIN;
    const chunks: string[] = [];
    const write = (chunk: unknown, _: unknown, done: () => void) => {
      chunks.push(String(chunk));
      done();
    };
    const stream = Object.assign(new Writable({ write }), { isTTY });
    const progress = createProgress(stream, () => now);
    for (const ms of atMs) {
      now = BEGIN + ms;
      progress.onEvent({
        kind: "progress",
        root: "/",
        phase: "report",
        indexed: 0,
        read: ms / 100,
        total: 120,
        ...(ms > 5_000 ? { leftMs: 12_000 - ms } : {}),
      });
    }
    progress.stop();
    return chunks.join("");
  }

  it("shows nothing for short work", () => {
    expect(shown(true, [0, 200])).toBe("");
    expect(shown(false, [0, 200])).toBe("");
  });
  it("shows a bar on a terminal and clears it at the end", () => {
    const text = shown(true, [0, 400]);
    expect(text).toContain("4 of 120");
    expect(text.lastIndexOf("\u001b[?25h")).toBeGreaterThan(text.lastIndexOf("\u001b[?25l"));
  });
  it("prints a line every few seconds without a terminal", () =>
    expect(shown(false, [0, 4_900, 5_000, 5_100, 10_000])).toBe(
      "indexing: 50 of 120 files\nindexing: 100 of 120 files, a few seconds left\n",
    ));
  it("shows the tokens and the rate of a remote model", () => {
    const chunks: string[] = [];
    const write = (chunk: unknown, _: unknown, done: () => void) => {
      chunks.push(String(chunk));
      done();
    };
    let now = BEGIN;
    const progress = createProgress(new Writable({ write }), () => now);
    now = BEGIN + 6_000;
    progress.embedding(300, {
      tokens: 1_200_000,
      tokensPerSecond: 3_400,
      remainingTokens: 50_000,
    });
    expect(chunks.join("")).toBe(
      "embedding: 300 chunks left, 1,200,000 tokens embedded, 3,400 per second; " +
        "about 50,000 tokens to embed\n",
    );
  });
});

/** $/progress, against a clock that the test holds. */

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Connection } from "vscode-languageserver";
import { silent } from "../../server/common/log.ts";
import { clientOf } from "../../server/lsp/client-quirks.ts";
import { Progress } from "../../server/lsp/progress.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Shown {
  readonly kind: string;
  readonly percentage?: number;
  readonly message?: string;
}

/** Progress with a client that records each notification: `begin 0`, `report 50`, `end`. */
function watched({ shows = true, refuses = false } = {}) {
  const shown: string[] = [];
  const messages: (string | undefined)[] = [];
  const tokens: string[] = [];
  const connection = {
    sendRequest: async (_type: unknown, { token }: { token: string }) => {
      tokens.push(token);
      if (refuses) throw new Error("no");
    },
    sendProgress: async (_type: unknown, token: string, { kind, percentage, message }: Shown) => {
      expect(token).toBe(tokens.at(-1));
      shown.push([kind, percentage].filter((part) => part !== undefined).join(" "));
      messages.push(message);
    },
  } as unknown as Connection;
  const client = clientOf({
    processId: null,
    rootUri: null,
    capabilities: { window: { workDoneProgress: shows } },
  });
  const progress = new Progress({ connection, log: silent, client: () => client });
  const say = (phase: "begin" | "report" | "end", indexed: number, total = 100, root = "/a") =>
    progress.on({ kind: "progress", root, phase, indexed, read: indexed, total });
  return { progress, say, shown, messages, tokens };
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** The first pass is over; later ones are of interest. */
async function afterFirst() {
  const made = watched();
  made.progress.whenIdle();
  await wait(0);
  made.shown.length = 0;
  made.tokens.length = 0;
  return made;
}

it("the first pass is shown from begin to end", async () => {
  const { say, shown, messages, tokens } = watched();
  say("begin", 0);
  await wait(600);
  say("report", 50, 2_300);
  say("end", 2_300, 2_300);
  expect(shown).toEqual(["begin 0", "report 2", "end"]);
  expect(messages.slice(1)).toEqual(["50 of 2,300 files", "2,300 of 2,300 files"]);
  expect(tokens).toEqual([expect.stringMatching(/^cocosearch-/)]);
});

it("a later pass counts only its own files", async () => {
  const { say, messages } = watched();
  say("begin", 0);
  await wait(600);
  say("end", 100);
  messages.length = 0;
  say("begin", 0, 10, "/b");
  await wait(10_000);
  say("report", 5, 10, "/b");
  await wait(600);
  say("end", 10, 10, "/b");
  expect(messages.at(-1)).toBe("10 of 10 files");
});

it("the message has the remaining time of the slowest folder", async () => {
  const { progress, say, messages } = watched();
  say("begin", 0);
  await wait(600);
  const event = { kind: "progress", phase: "report", indexed: 5, read: 5, total: 100 } as const;
  progress.on({ ...event, root: "/a", leftMs: 40_000 });
  await wait(600);
  progress.on({ ...event, root: "/b", indexed: 20, read: 20, leftMs: 130_000 });
  expect(messages.slice(1)).toEqual([
    "5 of 100 files, about 40 s left",
    "25 of 200 files, about 2 min left",
  ]);
  say("end", 100);
});

it("the message has the done and remaining tokens of a remote model", async () => {
  const { progress, say, messages } = watched();
  say("begin", 0);
  await wait(600);
  const event = { kind: "progress", phase: "report", indexed: 5, read: 5, total: 5 } as const;
  const before = { tokens: 0, tokensPerSecond: 0, remainingTokens: 40_000 };
  progress.on({ ...event, root: "/a", embedding: before });
  await wait(600);
  const after = { tokens: 12_000, tokensPerSecond: 900, remainingTokens: 28_000 };
  progress.on({ ...event, root: "/a", leftMs: 0, embedding: after });
  await wait(600);
  progress.on({ ...event, root: "/b", embedding: before });
  expect(messages.slice(1)).toEqual([
    "5 of 5 files, about 40,000 tokens to embed",
    "5 of 5 files, 12,000 tokens embedded, 900 per second; about 28,000 tokens to embed",
    "10 of 10 files, 12,000 tokens embedded, 900 per second; about 68,000 tokens to embed",
  ]);
  say("end", 5, 5);
});

it("reports come twice a second and only for visible changes", async () => {
  const { say, shown } = watched();
  say("begin", 0, 10_000);
  await wait(0);
  for (let indexed = 0; indexed < 10_000; indexed += 10) {
    say("report", indexed, 10_000);
    await wait(2);
  }
  say("end", 10_000, 10_000);
  expect(shown).toEqual(["begin 0", "report 22", "report 44", "report 67", "report 89", "end"]);
});

it("the percentage counts files that are read but not stored", async () => {
  const { progress, say, shown, messages } = watched();
  say("begin", 0);
  await wait(600);
  for (const read of [1, 2, 3, 40]) {
    progress.on({
      kind: "progress",
      root: "/a",
      phase: "report",
      indexed: 0,
      read,
      total: 100,
    });
    await wait(250);
  }
  await wait(450);
  say("end", 100);
  expect(shown).toEqual(["begin 0", "report 0", "report 1", "report 20", "end"]);
  expect(messages.slice(1, -1)).toEqual(["1 of 100 files", "2 of 100 files", "40 of 100 files"]);
});

it("the percentage never decreases", async () => {
  const { say, shown } = watched();
  say("begin", 60);
  await wait(600);
  say("report", 70, 200);
  await wait(600);
  say("report", 150, 200);
  expect(shown).toEqual(["begin 60", "report 60", "report 75"]);
});

it("short later work shows no progress", async () => {
  const { say, tokens } = await afterFirst();
  say("begin", 0);
  await wait(400);
  say("end", 100);
  await wait(1_000);
  expect(tokens).toEqual([]);
});

it("longer later work shows progress with its own token", async () => {
  const { say, shown, tokens } = await afterFirst();
  say("begin", 0);
  await wait(600);
  say("end", 100);
  expect(shown).toEqual(["begin 0", "end"]);
  expect(tokens).toHaveLength(1);
});

it("several folders share one progress", async () => {
  const { say, shown } = watched();
  say("begin", 0, 100, "/a");
  say("begin", 0, 300, "/b");
  await wait(600);
  say("end", 100, 100, "/a");
  say("report", 100, 300, "/b");
  say("end", 300, 300, "/b");
  expect(shown).toEqual(["begin 0", "report 25", "end"]);
});

it("progress begins and ends even without work", async () => {
  const { progress, shown } = watched();
  progress.whenIdle();
  await wait(0);
  progress.whenIdle();
  await wait(0);
  expect(shown).toEqual(["begin 0", "end"]);
});

it("a progress that the client accepts late still ends", async () => {
  const { say, shown } = watched();
  say("begin", 0);
  say("end", 100);
  await wait(0);
  expect(shown).toEqual(["begin 100", "end"]);
});

it("progress ends when the engine becomes unavailable", async () => {
  const { progress, say, shown } = watched();
  say("begin", 0);
  await wait(600);
  progress.stop();
  expect(shown).toEqual(["begin 0", "end"]);
});

it("a client that refuses the token gets no progress", async () => {
  const { say, shown } = watched({ refuses: true });
  say("begin", 0);
  await wait(600);
  say("report", 50);
  say("end", 100);
  expect(shown).toEqual([]);
});

it("a client without the capability gets no progress", async () => {
  const { progress, say, tokens } = watched({ shows: false });
  say("begin", 0);
  await wait(600);
  progress.whenIdle();
  expect(tokens).toEqual([]);
});

leaveNothingBehind();

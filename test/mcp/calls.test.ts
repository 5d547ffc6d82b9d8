/** A call of a tool ends: when the client cancels it, and at its time limit. */

import type { Client } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Session, SessionEvent } from "../../server/contracts/session.ts";
import { RootedSession } from "../../server/mcp/rooted-session.ts";
import { MAX_RUN_MS } from "../../server/mcp/tool-parts.ts";
import { ANSWER, INDEX, STATUS } from "../cli/run-cli.ts";
import { eventually } from "../support/eventually.ts";
import { connectClient } from "../support/linked-mcp-client.ts";
import { occurrencesIn } from "../support/small-answers.ts";

/** A client of a server whose engine answers only this. */
async function connect(session: Partial<Session>, waitSeconds = "45"): Promise<Client> {
  const engine: Partial<Session> = {
    configure: async () => undefined,
    openFolders: async () => [],
    status: async () => STATUS,
    catchUp: async () => undefined,
    ...session,
  };
  const rooted = new RootedSession({
    connect: async () => engine as Session,
    env: { COCOSEARCH_MCP_WAIT_SECONDS: waitSeconds },
    folder: "/code/shop",
    isNamed: true,
    note: () => undefined,
  });
  const client = await connectClient(rooted);
  onTestFinished(() => client.close());
  return client;
}

const search = { name: "search_code", arguments: { query: "pool" } };
const never = () => new Promise<never>(() => {});

it("A cancelled call that waits for the index stops waiting", async () => {
  let looks = 0;
  const client = await connect({
    status: async () => {
      looks++;
      return { ...STATUS, indexes: [{ ...INDEX, state: "indexing", indexed: 1 }] };
    },
    search: () => Promise.reject(new Error("the call was cancelled")),
  });
  const controller = new AbortController();
  const call = client.callTool(search, { signal: controller.signal });
  const ended = Promise.allSettled([call]);
  await eventually(() => {
    expect(looks).toBeGreaterThan(2);
    return Promise.resolve();
  });
  controller.abort();
  expect((await ended)[0].status).toBe("rejected");
  // A look that had begun may still end; then they end, whose pauses are at most half a second.
  await new Promise((done) => setTimeout(done, 100));
  const before = looks;
  await new Promise((done) => setTimeout(done, 1_200));
  expect(looks).toBe(before);
});

it.each<[string, Record<string, unknown>, keyof Session]>([
  ["search_code", { query: "pool" }, "search"],
  ["get_context", { question: "pool" }, "context"],
  ["related", { relation: "callers", of: "open" }, "callers"],
  ["related", { relation: "impact", of: "src/a.ts" }, "impact"],
  ["find_pattern", { query: "pool" }, "history"],
  ["explain_change", { path: "src/a.ts" }, "explain"],
])("A cancelled %s %j is cancelled in the engine", async (name, args, method) => {
  let signal: AbortSignal | undefined;
  const engine = {
    [method]: (_request: unknown, given: AbortSignal) => {
      signal = given;
      return never();
    },
  };
  const client = await connect(engine, "0");
  const controller = new AbortController();
  const call = client.callTool({ name, arguments: args }, { signal: controller.signal });
  const ended = Promise.allSettled([call]);
  await eventually(() => {
    expect(signal?.aborted).toBe(false);
    return Promise.resolve();
  });
  controller.abort();
  expect((await ended)[0].status).toBe("rejected");
  await eventually(() => {
    expect(signal?.aborted).toBe(true);
    return Promise.resolve();
  });
});

it.each<[string, Partial<Session>]>([
  ["searches", { search: never }],
  ["opens the folders", { openFolders: never }],
  ["asks for the status", { status: never }],
])("A call ends at its time limit while the engine %s", async (_name, session) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const client = await connect(session, "5");
  const call = client.callTool(search, { timeout: 10 * MAX_RUN_MS });
  await vi.advanceTimersByTimeAsync(5_000 + MAX_RUN_MS - 1);
  const early = await Promise.race([call, Promise.resolve("still running")]);
  expect(early).toBe("still running");
  await vi.advanceTimersByTimeAsync(1);
  const { isError, content } = await call;
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain(
    "Error: search_code did not finish within 35 s: call again",
  );
});

it("A long scan shows the number of searched files as the progress of its call", async () => {
  const listeners: ((event: SessionEvent) => void)[] = [];
  const shown: (string | undefined)[] = [];
  const client = await connect({
    onEvent: (listener) => void listeners.push(listener),
    occurrences: async ({ reportAs = "" }) => {
      for (const listener of listeners)
        listener({ kind: "searched", reportAs, searched: 1, total: 3 });
      await eventually(() => {
        expect(shown).toContain("searched 1 of 3 files");
        return Promise.resolve();
      });
      return occurrencesIn("/code/shop");
    },
  });
  const exact = { name: "search_code", arguments: { exact: "open" } };
  const { isError } = await client.callTool(exact, {
    onprogress: ({ message }) => void shown.push(message),
  });
  expect(isError).toBeUndefined();
});

it("A call that was answered leaves no timer behind", async () => {
  const client = await connect({ search: async () => ANSWER }, "0");
  await client.callTool(search);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await client.callTool(search);
  expect(vi.getTimerCount()).toBe(0);
});

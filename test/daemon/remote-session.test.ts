/** A session over a real socket: the calls that it sends, and the state that it replays to a new engine. */

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setImmediate as tick } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { createMessageConnection, type MessageConnection } from "vscode-jsonrpc/node";
import { BadRequest, Unavailable } from "../../server/common/errors.ts";
import { createLog, type Log, silent } from "../../server/common/log.ts";
import {
  SESSION_METHOD_NAMES,
  type SearchAnswer,
  type Session,
} from "../../server/contracts/session.ts";
import { connectEngine } from "../../server/daemon/connect.ts";
import { homeOf } from "../../server/daemon/home.ts";
import { createRemoteSession } from "../../server/daemon/remote-session.ts";
import { requestShutdown } from "../../server/daemon/rpc.ts";
import { runEngine } from "../../server/daemon/serve.ts";
import { type FakeSession, fakeSession } from "../lsp/test-client.ts";
import { eventually } from "../support/eventually.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";

type Call = readonly [name: string, ...args: unknown[]];

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Runs an engine in this process, whose sessions answer as given, and a client of it. */
function connect(given: Partial<Session> = {}, log: Log = silent, freeMemoryMs = 60_000) {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-daemon-"));
  const home = homeOf({ COCOSEARCH_HOME: folder });
  const version = "1.2.3";
  /** The calls that each connection received. */
  const received: (readonly Call[])[] = [];
  const sessions: FakeSession[] = [];
  let rests = 0;
  const load = async () => ({
    session: () => {
      const session = fakeSession(given);
      received.push(session.calls);
      sessions.push(session);
      return session;
    },
    freeMemory: async () => void rests++,
    close: async () => undefined,
  });
  const connections: MessageConnection[] = [];
  const ended = runEngine({ home, version, log, idleMs: 60_000, freeMemoryMs, load });
  const starting = { home, version, command: [], env: {} };
  const session = createRemoteSession(async () => {
    const connection = await connectEngine(starting);
    connections.push(connection);
    return connection;
  }, silent);
  cleanups.push(async () => {
    await session.dispose();
    const connection = await connectEngine(starting);
    connection.sendRequest(requestShutdown, null).catch(() => undefined);
    await ended;
    connection.dispose();
    rmSync(folder, { recursive: true });
  });
  /** Closes the connection as a dying engine would. The next request, or the open folders, need a new one. */
  const lose = () => connections.at(-1)?.end();
  return { session, sessions, received, lose, home, starting, rests: () => rests };
}

const asked = (calls: readonly Call[] | undefined) =>
  calls?.filter(([name]) => name !== "dispose") ?? [];

it("A client sends each call once, including the calls before the first connection", async () => {
  const { session, received } = connect({ openFolders: async () => ["a sentence"] });
  await session.configure({ "search.limit": 7 });
  expect(await session.openFolders(["/project"])).toEqual(["a sentence"]);
  await session.buffer("/project/a.ts", undefined);
  expect(received.map(asked)).toEqual([
    [
      ["configure", { "search.limit": 7 }],
      ["openFolders", ["/project"]],
      ["buffer", "/project/a.ts", undefined],
    ],
  ]);
});

it("A request that waits for many indexes causes no warning of a leak", async () => {
  const warned = vi.fn<(warning: Error) => void>();
  process.on("warning", warned);
  const search: Session["search"] = async (_, signal) => {
    for (let i = 0; i < 20; i++) signal?.addEventListener("abort", () => undefined);
    return { hits: [] } as unknown as SearchAnswer;
  };
  const { session } = connect({ search });
  await session.search({ query: "retry" });
  await tick();
  process.off("warning", warned);
  expect(warned).not.toHaveBeenCalled();
});

it("A client replays the desired state to a new engine, settings and folders first", async () => {
  const { session, received, lose } = connect();
  await session.buffer("/project/a.ts", "a");
  await session.buffer("/project/b.ts", "b");
  await session.pause();
  await session.openFolders(["/project"]);
  await session.configure({ "search.limit": 7 });
  await session.buffer("/project/a.ts", undefined);
  await session.status();
  lose();
  await eventually(() =>
    expect(asked(received[1])).toEqual([
      ["configure", { "search.limit": 7 }],
      ["openFolders", ["/project"]],
      ["pause"],
      ["buffer", "/project/b.ts", "b"],
    ]),
  );
});

it("A client does not replay a state that was reset", async () => {
  const { session, received, lose } = connect();
  await session.openFolders(["/project"]);
  await session.openFolders([]);
  await session.pause();
  await session.resume();
  await session.status();
  lose();
  await session.status();
  expect(asked(received[1])).toEqual([["status"]]);
});

it("A client opens one connection for a lost one, even if several requests fail", async () => {
  const { session, received, lose } = connect();
  await session.openFolders(["/project"]);
  for (let round = 2; round <= 4; round++) {
    lose();
    await Promise.all([session.status(), session.status(), session.status()]);
    await session.status();
    expect(received).toHaveLength(round);
  }
});

it("The later of two calls before the first connection wins", async () => {
  const { session, received } = connect();
  await Promise.all([session.resume(), session.pause()]);
  expect(asked(received[0])).toEqual([["pause"]]);
});

it("The engine logs a bug, and does not log a BadRequest", async () => {
  const noted: unknown[] = [];
  const errors = [new TypeError("x is undefined"), new BadRequest("no such folder")];
  const log: Log = { ...silent, error: (...said) => void noted.push(said) };
  const { session } = connect({ search: () => Promise.reject(errors.shift()) }, log);
  await expect(session.search({ query: "x" })).rejects.toThrow("x is undefined");
  await expect(session.search({ query: "x" })).rejects.toThrow("no such folder");
  const error: unknown = expect.stringContaining("TypeError: x is undefined");
  expect(noted).toEqual([["bug in search", { error }]]);
});

it("A BadRequest keeps its parameter across the socket", async () => {
  const refusal = new BadRequest("too many", { parameter: "limit" });
  const { session } = connect({ search: () => Promise.reject(refusal) });
  const refused = await session.search({ query: "x" }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BadRequest);
  expect(refused).toMatchObject({
    message: "limit: too many",
    parameter: "limit",
    problem: "too many",
  });
});

it("A replayed BadRequest rejects its own call, and the replay continues", async () => {
  const { session, received } = connect({
    openFolders: async () => {
      throw new BadRequest("/gone is not a folder");
    },
  });
  const opening = session.openFolders(["/gone"]);
  const pausing = session.pause();
  await expect(opening).rejects.toThrow(new BadRequest("/gone is not a folder"));
  await pausing;
  expect(asked(received[0]).map(([name]) => name)).toEqual(["openFolders", "pause"]);
});

it("A cancelled request aborts its signal in the engine", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const { session } = connect({
    symbols: (_query, _limit, signal) => {
      signals.push(signal);
      return new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    },
  });
  const controller = new AbortController();
  const answer = session.symbols("q", 5, controller.signal);
  answer.catch(() => undefined);
  await eventually(() => expect(signals).toHaveLength(1));
  controller.abort();
  await expect(answer).rejects.toThrow("aborted");
  await eventually(() => expect(signals[0]?.aborted).toBe(true));
});

it("The remote session has every method of SESSION_METHODS", () => {
  const { session } = connect();
  for (const name of SESSION_METHOD_NAMES) expect(session[name]).toBeTypeOf("function");
});

it("The engine listens again after its socket was deleted", async () => {
  const { session, home, starting } = connect();
  await session.status();
  rmSync(home.socket);
  await eventually(() => expect(existsSync(home.socket)).toBe(true));
  (await connectEngine(starting)).dispose();
});

it.each([
  ["a file", (path: string) => writeFileSync(path, "")],
  ["a folder", (path: string) => mkdirSync(join(path, "in it"), { recursive: true })],
  ["a link", (path: string) => symlinkSync("nowhere", path)],
  [
    "the socket of a process that has ended",
    (path: string) => {
      const program = `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 9))`;
      spawnSync(process.execPath, ["-e", program]);
    },
  ],
])("The engine listens again after its socket was replaced by %s", async (_, put) => {
  const { session, home, starting } = connect();
  await session.status();
  rmSync(home.socket);
  put(home.socket);
  const replaced = lstatSync(home.socket);
  await eventually(() => {
    const { ino, birthtimeMs } = lstatSync(home.socket);
    expect([ino, birthtimeMs]).not.toEqual([replaced.ino, replaced.birthtimeMs]);
  });
  (await connectEngine(starting)).dispose();
});

it("A request fails after four lost engines", async () => {
  let connected = 0;
  const dying = async () => {
    connected++;
    const [there, back] = [new PassThrough(), new PassThrough()];
    const engine = createMessageConnection(there, back);
    engine.onRequest(() => {
      there.destroy();
      back.end();
      return new Promise(() => undefined);
    });
    engine.listen();
    const connection = createMessageConnection(back, there);
    connection.listen();
    return connection;
  };
  const session = createRemoteSession(dying, silent);
  cleanups.push(() => session.dispose());
  await expect(session.status()).rejects.toThrow(/closed|disposed/i);
  expect(connected).toBe(4);
});

it("A client closes the connection to an engine that does not answer a ping", async () => {
  let connected = 0;
  const stuck = async () => {
    connected++;
    if (connected > 1) throw new Unavailable("the engine (process 7) does not answer", "end it");
    const connection = createMessageConnection(new PassThrough(), new PassThrough());
    connection.listen();
    return connection;
  };
  const session = createRemoteSession(stuck, silent, { everyMs: 5, timeoutMs: 20 });
  cleanups.push(() => session.dispose());
  await expect(session.status()).rejects.toThrow("process 7");
});

it("A client waits for a busy engine that answers pings", async () => {
  let finish: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  const { session, starting } = connect({ whenIdle: () => held });
  const connection = await connectEngine(starting);
  const sent = vi.spyOn(connection, "sendRequest");
  const patient = createRemoteSession(async () => connection, silent, {
    everyMs: 5,
    timeoutMs: 10_000,
  });
  cleanups.push(() => patient.dispose());
  await session.status();
  const waiting = patient.whenIdle();
  await eventually(() => expect(sent.mock.calls.length).toBeGreaterThan(5));
  finish();
  await expect(waiting).resolves.toBeNull();
});

it("The engine frees memory each time the last client disconnects", async () => {
  const { session, rests } = connect({}, silent, 0);
  await session.status();
  const before = rests();
  await session.dispose();
  await eventually(() => expect(rests()).toBe(before + 1));
});

it("The engine logs little about a client that dies with unread messages", async () => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), "debug");
  const { sessions, home } = connect({}, log);
  await eventually(() => expect(existsSync(home.socket)).toBe(true));
  const socket = createConnection(home.socket).pause();
  await once(socket, "connect");
  const emitted = await eventually(() => {
    const [session] = sessions;
    expect(session).toBeDefined();
    return session as FakeSession;
  });
  const before = lines.length;
  const reason = "x".repeat(10_000);
  const emit = () => {
    for (let i = 0; i < 500; i++) emitted.emit({ kind: "status", state: "indexing", reason });
  };
  emit();
  socket.destroy();
  emit();
  await eventually(() => expect(emitted.calls).toContainEqual(["dispose"]));
  emit();
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines.slice(before).length).toBeLessThan(5);
});

leaveNothingBehind();

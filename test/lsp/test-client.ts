/** A client and a server in one process, over two streams, before a session that a test makes. */

import { PassThrough } from "node:stream";
import { afterEach } from "vitest";
import {
  createMessageConnection,
  type InitializeParams,
  type InitializeResult,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { Hit } from "../../server/contracts/model.ts";
import {
  SESSION_METHOD_NAMES,
  type SearchAnswer,
  type Session,
  type SessionEvent,
} from "../../server/contracts/session.ts";
import { Lifecycle } from "../../server/lsp/lifecycle.ts";
import { attach } from "../../server/lsp/server.ts";

/** A message that the server sent by itself. */
interface Told {
  readonly method: string;
  readonly params: unknown;
}

export interface TestClient {
  readonly connection: MessageConnection;
  readonly input: PassThrough;
  /** Exit codes of the server. */
  readonly exits: readonly number[];
  /** Notifications and requests of the server, in order. */
  readonly told: readonly Told[];
  initialize(params?: Partial<InitializeParams>): Promise<InitializeResult>;
  /** initialize and initialized, resolved when the session has been opened. */
  start(params?: Partial<InitializeParams>): Promise<void>;
  request(method: string, params?: unknown): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
  /** The next message of that method, or one that came already. */
  next(method: string): Promise<unknown>;
  /** How the client answers the server's requests. */
  answers: Record<string, (params: never) => unknown>;
}

/** Emits session events. */
export interface FakeSession extends Session {
  emit(event: SessionEvent): void;
  /** Everything that was asked of it. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[];
}

export const ANSWER: SearchAnswer = {
  hits: [],
  state: "ready",
  indexed: 3,
  total: 3,
  mode: "hybrid",
  cache: "miss",
  warnings: [],
};

const ENGINE = {
  version: "0.0.0",
  pid: 1,
  startedAt: "",
  clients: 1,
  memoryBytes: 0,
  store: "",
  log: "",
};

export function hit(changes: Partial<Hit> = {}): Hit {
  return {
    index: "project",
    root: "/project",
    path: "src/users.py",
    lines: { start: 4, end: 9 },
    contextRange: { start: 2, end: 12 },
    score: 0.5,
    relevance: "strong",
    matchType: "both",
    languageId: "python",
    ...changes,
  };
}

export const METHOD = {
  name: "UserService.get_user",
  type: "method",
  signature: "def get_user(self)",
  lines: { start: 4, end: 9 },
  nameLine: 5,
} as const;

/** A fake session: a test passes the methods that it needs, the methods below do nothing, and others throw. */
export function fakeSession(given: Partial<Session> = {}): FakeSession {
  const calls: [string, ...unknown[]][] = [];
  const listeners: ((event: SessionEvent) => void)[] = [];
  const nothing: Partial<Session> = {
    configure: async () => undefined,
    openFolders: async () => [],
    search: async () => ANSWER,
    analyze: async () => ({ ...ANSWER, query: "", stages: [], hits: [] }),
    symbols: async () => [],
    status: async () => ({ ...ANSWER, indexes: [], engine: ENGINE }),
    reindex: async () => undefined,
    clear: async () => true,
    pause: async () => undefined,
    resume: async () => undefined,
    whenIdle: () => new Promise<void>(() => undefined),
    filesChanged: async () => undefined,
    buffer: async () => undefined,
    dispose: async () => undefined,
  };
  const unexpected = SESSION_METHOD_NAMES.map((name) => {
    return [name, () => Promise.reject(new Error(`the test does not answer ${name}`))] as const;
  });
  const recorded = Object.fromEntries(
    Object.entries({ ...Object.fromEntries(unexpected), ...nothing, ...given }).map(
      ([name, run]) => [
        name,
        (...args: unknown[]) => {
          calls.push([name, ...args]);
          return Reflect.apply(run, undefined, args);
        },
      ],
    ),
  ) as unknown as Omit<Session, "onEvent">;
  return {
    ...recorded,
    calls,
    onEvent: (listener) => void listeners.push(listener),
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
  };
}

/** All that the editors that matter can do. */
export const ABLE = {
  window: { workDoneProgress: true, showDocument: { support: true } },
} as const;

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

export function connectClient(
  makeSession: Session | (() => Promise<Session>) = fakeSession(),
  env: Record<string, string> = {},
): TestClient {
  const input = new PassThrough();
  const output = new PassThrough();
  const exits: number[] = [];
  const told: Told[] = [];
  const waiting: { method: string; resolve: (params: unknown) => void }[] = [];
  const answers: TestClient["answers"] = {};
  const context = attach(
    { reader: new StreamMessageReader(input), writer: new StreamMessageWriter(output) },
    {
      version: "1.2.3",
      env,
      makeSession: typeof makeSession === "function" ? makeSession : async () => makeSession,
    },
    new Lifecycle((code) => exits.push(code)),
  );
  const connection = createMessageConnection(
    new StreamMessageReader(output),
    new StreamMessageWriter(input),
  );
  const hear = (method: string, params: unknown) => {
    told.push({ method, params });
    for (const each of waiting.filter((one) => one.method === method)) each.resolve(params);
  };
  connection.onNotification((method, params) => hear(method, params));
  connection.onUnhandledProgress((params) => hear("$/progress", params));
  connection.onRequest((method, params) => {
    hear(method, params);
    return answers[method]?.(params as never) ?? null;
  });
  connection.listen();
  cleanups.push(() => {
    context.documents.dispose();
    connection.dispose();
    context.connection.dispose();
  });
  const initialize: TestClient["initialize"] = (params) =>
    connection.sendRequest("initialize", {
      processId: null,
      rootUri: "file:///tmp",
      capabilities: {},
      ...params,
    });
  return {
    connection,
    input,
    exits,
    told,
    answers,
    initialize,
    start: async (params) => {
      await initialize(params);
      await connection.sendNotification("initialized", {});
      await context.workspace.session().catch(() => undefined);
    },
    request: (method, params) =>
      params === undefined
        ? connection.sendRequest(method)
        : connection.sendRequest(method, params),
    notify: (method, params) => connection.sendNotification(method, params),
    next: (method) => {
      const known = told.find((one) => one.method === method);
      if (known !== undefined) return Promise.resolve(known.params);
      return new Promise((resolve) => waiting.push({ method, resolve }));
    },
  };
}

/** Runs the command line in this process, against a session that a test made up. */

import { Readable, Writable } from "node:stream";
import { runCli } from "../../server/cli/cli.ts";
import type { CliOptions } from "../../server/cli/command-context.ts";
import type { Hit, LanguageInfo } from "../../server/contracts/model.ts";
import type { Team } from "../../server/contracts/published.ts";
import type {
  Analysis,
  IndexStatus,
  SearchAnswer,
  Session,
  Status,
} from "../../server/contracts/session.ts";
import { SESSION_METHOD_NAMES } from "../../server/contracts/session.ts";

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Setting {
  /** The answers of the session; any other request of a command fails. */
  readonly session?: Partial<Session>;
  readonly terminal?: boolean;
  /** Why nothing can be written. */
  readonly writeError?: Error;
  /** The text of standard input. */
  readonly input?: string | Uint8Array;
  /** The answer that a user types at the terminal, after some other work. */
  readonly typed?: () => string;
  readonly clientsFolder?: string;
  readonly installer?: CliOptions["installer"];
  /** The commands of a team's database. */
  readonly team?: Partial<Team>;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile?: string;
}

/** Runs `cocosearch-lsp` with these arguments. */
export async function run(args: readonly string[], setting: Setting = {}): Promise<Outcome> {
  const [out, err] = [sink(setting.terminal, setting.writeError), sink(setting.terminal)];
  const code = await runCli(args, {
    connect: () => Promise.resolve(sessionOf(setting.session ?? {})),
    ...(setting.team === undefined ? {} : { team: () => setting.team as Team }),
    version: "1.2.3",
    stdin: stdinOf(setting),
    stdout: out.stream,
    stderr: err.stream,
    cwd: setting.cwd ?? import.meta.dirname,
    env: setting.env ?? {},
    ...(setting.installer === undefined ? {} : { installer: setting.installer }),
    ...(setting.logFile === undefined ? {} : { logFile: setting.logFile }),
    ...(setting.clientsFolder === undefined ? {} : { clientsFolder: setting.clientsFolder }),
  });
  return { code, out: out.text(), err: err.text() };
}

function stdinOf({ input, typed }: Setting): NodeJS.ReadableStream {
  if (typed === undefined) return Readable.from([input ?? ""]);
  const stream = Readable.from(
    (async function* () {
      yield await Promise.resolve(typed());
    })(),
  );
  return Object.assign(stream, { isTTY: true });
}

function sink(isTTY = false, problem?: Error) {
  const chunks: string[] = [];
  const writable = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      chunks.push(chunk);
      done(problem);
    },
  });
  return { stream: Object.assign(writable, { isTTY }), text: () => chunks.join("") };
}

/** A command must not ask for anything that the test does not answer. */
function sessionOf(answers: Partial<Session>): Session {
  const unasked = SESSION_METHOD_NAMES.map((method) => {
    return [method, () => Promise.reject(new Error(`the test does not answer ${method}`))];
  });
  const quiet: Partial<Session> = {
    configure: () => Promise.resolve(),
    openFolders: () => Promise.resolve([]),
    catchUp: () => Promise.resolve(),
    whenIdle: () => Promise.resolve(),
    reindex: () => Promise.resolve(),
    onEvent: () => undefined,
    dispose: () => Promise.resolve(),
  };
  return { ...Object.fromEntries(unasked), ...quiet, ...answers };
}

export const HIT: Hit = {
  index: "shop",
  root: import.meta.dirname,
  path: "src/pool.ts",
  lines: { start: 9, end: 12 },
  contextRange: { start: 9, end: 12 },
  score: 0.834,
  relevance: "strong",
  matchType: "both",
  languageId: "typescript",
  symbol: {
    name: "openPool",
    type: "function",
    signature: "function openPool(url: string): Pool",
    lines: { start: 10, end: 12 },
    nameLine: 10,
  },
  text: "/** Opens it. */\nfunction openPool(url: string): Pool {\n\treturn new Pool(url);\n}",
};

/** One language with calls, one with imports only, and one without graph support. */
export const LANGUAGES: readonly LanguageInfo[] = [
  languageOf("typescript", "*.ts", "calls"),
  languageOf("elixir", "*.ex", "imports"),
  languageOf("swift", "*.swift", "none"),
  { ...languageOf("yaml", "*.yaml", "none"), category: "config" },
];

function languageOf(id: string, files: string, graph: LanguageInfo["graph"]): LanguageInfo {
  return { id, aliases: [], files: [files], category: "implementation", symbols: "query", graph };
}

export const ANSWER: SearchAnswer = {
  hits: [HIT],
  state: "ready",
  indexed: 12,
  total: 12,
  mode: "hybrid",
  cache: "miss",
  warnings: [],
};

export const ANALYSIS: Analysis = {
  ...ANSWER,
  query: "where is the pool opened",
  stages: [
    { name: "query", ms: 0.25, notes: { kind: "sentence", words: ["pool", "open"] } },
    { name: "keyword", ms: 1.5, count: 2 },
    { name: "fusion", ms: 0.1, count: 2 },
  ],
  hits: [
    { ...HIT, ranks: { vector: 4, keyword: 1, fusion: 2, definition: 1 }, evidence: {} },
    {
      ...HIT,
      path: "src/other.ts",
      score: 0.5,
      ranks: { keyword: 2, fusion: 1, definition: 2 },
      evidence: {},
    },
  ],
};

export const INDEX: IndexStatus = {
  name: "shop",
  root: import.meta.dirname,
  clients: 1,
  model: "builtin",
  state: "ready",
  indexed: 12,
  total: 12,
  files: 12,
  chunks: 1234,
  pending: 0,
  secrets: 0,
  bytes: 2_500_000,
  commit: "0123456789abcdef",
  branch: "main",
  behind: 2,
  parse: [
    {
      languageId: "python",
      ok: 9,
      partial: 1,
      error: 0,
      noGrammar: 2,
      worst: [
        { path: "legacy/old.py", message: "12 % of the text could not be parsed, first in line 3" },
      ],
    },
  ],
  guessedEncodings: {},
  excluded: { binary: 2, ".gitignore:3 dist/": 40 },
  history: { state: "ready", commits: 0, total: 0 },
  compatibility: { kind: "usable" },
};

export const STATUS: Status = {
  state: "ready",
  indexed: 12,
  total: 12,
  indexes: [INDEX],
  engine: {
    version: "1.2.3",
    pid: 4321,
    startedAt: "2026-01-01T00:00:00.000Z",
    clients: 1,
    memoryBytes: 210_000_000,
    store: "/home/me/postgres",
    postgres: "18.6",
    pgvector: "0.8.7",
    log: "/home/me/engine.log",
  },
  warnings: [],
};

/** The record of the tests' workspace in the catalog. */
export const RECORD = {
  name: "shop",
  root: import.meta.dirname,
  modelId: "builtin",
  dimension: 256,
  chunkerVersion: "1",
  schemaVersion: 1,
  state: "complete",
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-02T10:20:30.000Z",
} as const;

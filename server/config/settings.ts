/** The settings as one table, and the merging of their sources. The page server/docs/settings.md and the client schemas are generated from it. */

import * as z from "zod";
import { isObject } from "../common/is-object.ts";
import { repositoryNamed } from "../common/repository-url.ts";
import { CHUNK_STRATEGIES } from "../contracts/model.ts";
import { describeExpected } from "../contracts/parse-parameters.ts";
import type { PartialSettings, SettingName, Settings } from "../contracts/settings.ts";
import { unknownVariables } from "./unknown-variables.ts";
import {
  address,
  apiKey,
  globs,
  grammar,
  indexName,
  indexNames,
  isHttpUrl,
  NOWHERE,
  names,
  plainValue,
  postgresUrl,
  text,
  wholeNumber,
} from "./value-checks.ts";

/**
 * The sources that may set it: a `workspace` setting also the file of the workspace; a `user` setting, which decides where
 * code is sent, only the user; an `engine` setting only the environment of the process that starts the shared engine.
 */
type Scope = "workspace" | "user" | "engine";

interface Setting<T> {
  readonly fallback: T;
  readonly check: z.ZodType<T>;
  readonly scope: Scope;
  readonly about: string;
  /** The environment variable that sets it. */
  readonly env?: string;
  /** Replaces an invalid value. Without it, an invalid value counts as not set. */
  readonly instead?: T;
}

export const SETTINGS: { readonly [N in SettingName]: Setting<Settings[N]> } = {
  indexName: {
    fallback: "",
    check: z.literal("").or(indexName),
    scope: "workspace",
    about: "Name of the workspace's index. Default: the folder's name.",
    env: "COCOSEARCH_INDEX_NAME",
  },
  linkedIndexes: {
    fallback: [],
    check: indexNames,
    scope: "workspace",
    about: "Names of other indexes that every search of this workspace includes.",
  },
  "indexing.enabled": {
    fallback: true,
    check: z.boolean(),
    scope: "workspace",
    about: "Whether the workspace is indexed at all.",
    env: "COCOSEARCH_INDEXING_ENABLED",
  },
  "indexing.includePatterns": {
    fallback: [],
    check: globs,
    scope: "workspace",
    about: "Globs of files to index; empty means every text file that no rule excludes.",
  },
  "indexing.excludePatterns": {
    fallback: [],
    check: globs,
    scope: "workspace",
    about: "Lines in the syntax of .gitignore that exclude files, applied after all ignore files.",
  },
  "indexing.nestedWorktrees": {
    fallback: false,
    check: z.boolean(),
    scope: "workspace",
    about: "Whether worktrees of git below the root are a part of its index.",
  },
  "indexing.chunkSize": {
    // 1000 makes the index a quarter smaller, and loses .012 on subjects of commits as queries.
    fallback: 1500,
    check: wholeNumber(100, 20_000),
    scope: "workspace",
    about: "Size of a chunk in bytes. Definitions stay whole where they fit.",
  },
  "indexing.chunkOverlap": {
    fallback: 300,
    check: wholeNumber(0, 10_000),
    scope: "workspace",
    about: "Bytes that two neighboring pieces of one long definition share.",
  },
  "indexing.chunkStrategy": {
    fallback: "adaptive",
    check: z.enum(CHUNK_STRATEGIES),
    scope: "workspace",
    about:
      "How files are cut: along their definitions (adaptive), one definition per chunk (semantic), by size (fixed), by size with overlap (sliding).",
  },
  "indexing.maxFileBytes": {
    fallback: 1_000_000,
    check: wholeNumber(1_000, 100_000_000),
    scope: "workspace",
    about:
      "Larger files are excluded and counted. Of a notebook only its cells count, without outputs.",
  },
  "indexing.workers": {
    fallback: 0,
    check: wholeNumber(0, 64),
    scope: "engine",
    about:
      "Worker threads of the engine; 0 means one fewer than the processor has cores, at least two and at most four.",
    env: "COCOSEARCH_WORKERS",
  },
  "embedding.provider": {
    fallback: "builtin",
    check: z.enum(["builtin", "local", "ollama", "openai"]),
    scope: "user",
    about:
      "What computes embeddings: the built-in model, a model that `cocosearch-lsp model install` has installed (local), an Ollama, or any OpenAI-compatible service.",
    env: "COCOSEARCH_EMBEDDING_PROVIDER",
  },
  "embedding.model": {
    fallback: "",
    check: text,
    scope: "user",
    about:
      "Name of the model at the provider. Default: all-MiniLM-L6-v2 (local), nomic-embed-text (ollama), text-embedding-3-small (openai).",
    env: "COCOSEARCH_EMBEDDING_MODEL",
  },
  "embedding.baseUrl": {
    fallback: "",
    check: address,
    scope: "user",
    about: "Address of the provider. Default: the local Ollama, or api.openai.com.",
    env: "COCOSEARCH_EMBEDDING_BASE_URL",
    instead: NOWHERE,
  },
  "embedding.ollamaUrl": {
    fallback: "http://127.0.0.1:11434",
    check: text.refine(isHttpUrl, "an http or https URL"),
    scope: "user",
    about: "Address of the Ollama where embedding.baseUrl is not set.",
    env: "COCOSEARCH_OLLAMA_URL",
  },
  "embedding.apiKey": {
    fallback: "",
    check: apiKey,
    scope: "user",
    about: "API key for the provider; prefer the environment variable.",
    env: "COCOSEARCH_EMBEDDING_API_KEY",
  },
  "embedding.dialect": {
    fallback: "auto",
    check: z.enum(["auto", "openai", "jina", "voyage", "cohere"]),
    scope: "user",
    about: "The form of requests to a service that is not Ollama; auto chooses it by the address.",
    env: "COCOSEARCH_EMBEDDING_DIALECT",
  },
  "embedding.context": {
    fallback: "none",
    check: z.enum(["none", "header", "late"]),
    scope: "user",
    about:
      "The context of a chunk that a remote model gets besides its path: nothing, a header (language, enclosing definitions, lines), or the whole file (late chunking, by Jina and by local models that average the vectors of all tokens). Changing it embeds everything again.",
    env: "COCOSEARCH_EMBEDDING_CONTEXT",
  },
  "embedding.dimensions": {
    fallback: 0,
    check: wholeNumber(0, 8192),
    scope: "user",
    about:
      "Dimensions to ask a Matryoshka model for; 0 leaves them to the model. Changing it embeds everything again.",
    env: "COCOSEARCH_EMBEDDING_DIMENSIONS",
  },
  "rerank.provider": {
    fallback: "auto",
    check: z.enum(["auto", "none", "http", "local"]),
    scope: "user",
    about:
      "What reranks the best chunks: nothing, the endpoint at rerank.url (http), or the installed model rerank.model (local). auto means http if rerank.url is set.",
    env: "COCOSEARCH_RERANK_PROVIDER",
  },
  "rerank.url": {
    fallback: "",
    check: address,
    scope: "user",
    about:
      "The whole address of a rerank endpoint (Cohere, Jina, Voyage, vLLM, llama.cpp, text-embeddings-inference); empty means none. It is sent the best chunks. Ollama has no such endpoint.",
    env: "COCOSEARCH_RERANK_URL",
  },
  "rerank.model": {
    fallback: "",
    check: text,
    scope: "user",
    about: "Name of the reranking model: of an installed one, or at a service that serves several.",
    env: "COCOSEARCH_RERANK_MODEL",
  },
  "rerank.apiKey": {
    fallback: "",
    check: apiKey,
    scope: "user",
    about: "Key for the reranker; better kept in the environment.",
    env: "COCOSEARCH_RERANK_API_KEY",
  },
  "rerank.dialect": {
    fallback: "auto",
    check: z.enum(["auto", "standard", "voyage", "tei"]),
    scope: "user",
    about:
      "The form of the requests: of Cohere and most others (standard), Voyage, or text-embeddings-inference (tei); auto chooses it by the address.",
    env: "COCOSEARCH_RERANK_DIALECT",
  },
  "rerank.candidates": {
    fallback: 50,
    check: wholeNumber(2, 200),
    scope: "user",
    about: "How many of the best chunks are reranked.",
    env: "COCOSEARCH_RERANK_CANDIDATES",
  },
  "rerank.timeoutMs": {
    fallback: 1_500,
    check: wholeNumber(50, 60_000),
    scope: "user",
    about:
      "How long a search waits for the reranker, in milliseconds. Chunks that a local model has not scored by then keep their place.",
    env: "COCOSEARCH_RERANK_TIMEOUT_MS",
  },
  "rewrite.provider": {
    fallback: "none",
    check: z.enum(["none", "ollama", "openai"]),
    scope: "user",
    about:
      "A language model that says a question in other words, which are searched beside it: none, an Ollama, or an OpenAI-compatible service.",
    env: "COCOSEARCH_REWRITE_PROVIDER",
  },
  "rewrite.model": {
    fallback: "",
    check: text,
    scope: "user",
    about: "Name of that model. Default: qwen2.5:3b (ollama), gpt-4o-mini (openai).",
    env: "COCOSEARCH_REWRITE_MODEL",
  },
  "rewrite.baseUrl": {
    fallback: "",
    check: address,
    scope: "user",
    about: "Its address. Default: embedding.ollamaUrl, or api.openai.com.",
    env: "COCOSEARCH_REWRITE_BASE_URL",
    instead: NOWHERE,
  },
  "rewrite.apiKey": {
    fallback: "",
    check: apiKey,
    scope: "user",
    about: "Its key; better kept in the environment.",
    env: "COCOSEARCH_REWRITE_API_KEY",
  },
  "database.url": {
    fallback: "",
    check: postgresUrl,
    scope: "user",
    about:
      "URL of a Postgres 15 or later with pgvector 0.7 or later, used instead of the built-in database.",
    env: "COCOSEARCH_DATABASE_URL",
  },
  "team.url": {
    fallback: "",
    check: postgresUrl,
    scope: "user",
    about:
      "URL of the Postgres with the indexes that your team publishes; your own indexes are stored as before.",
    env: "COCOSEARCH_TEAM_URL",
  },
  "team.linkTemplate": {
    fallback: "https://{repository}/blob/{commit}/{path}#L{startLine}-L{endLine}",
    check: text.refine((link) => link === "" || /^https?:\/\//.test(link), "an http or https URL"),
    scope: "user",
    about:
      "The link of a hit in a published index; empty means none. The default is the form of GitHub; GitLab has https://{repository}/-/blob/{commit}/{path}#L{startLine}-{endLine}.",
    env: "COCOSEARCH_TEAM_LINK_TEMPLATE",
  },
  repository: {
    fallback: "",
    check: text.refine(
      (name) => name === "" || repositoryNamed(name) !== undefined,
      "host/path or the URL of a remote",
    ),
    scope: "workspace",
    about:
      "The repository whose published index this is, as host/path. Default: the remote origin.",
  },
  "languages.grammars": {
    fallback: [],
    check: z.array(grammar).max(50),
    scope: "user",
    about:
      "Additional grammars: per grammar a language, the absolute path of a tree-sitter wasm, and optionally a query (symbols) and extensions.",
  },
  trustedWorkspaces: {
    fallback: [],
    check: names,
    scope: "user",
    about: "Folders whose own cocosearch.yaml may set everything, including where code is sent.",
  },
  "history.commits": {
    fallback: 20_000,
    check: wholeNumber(0, 1_000_000),
    scope: "workspace",
    about:
      "How many commits of a repository's history are read for questions about it, newest first; 0 turns it off.",
    env: "COCOSEARCH_HISTORY_COMMITS",
  },
  "graph.standardRequests": {
    fallback: [],
    check: z.array(text.regex(/^[\w+#.-]{1,40}$/, "the editor's name of a language")).max(100),
    scope: "user",
    about:
      "Language identifiers, as the editor spells them, for which the graph also answers the call hierarchy, in editors with dynamic registration. Meant for languages without another server: two servers duplicate every entry.",
  },
  "search.lanes": {
    fallback: "auto",
    check: z.enum(["auto", "memory", "sql"]),
    scope: "user",
    about:
      "Where ranking runs: in memory, or in SQL on a Postgres of your own (auto: from 300,000 chunks on).",
    env: "COCOSEARCH_SEARCH_LANES",
  },
  "search.limit": {
    fallback: 10,
    check: wholeNumber(1, 200),
    scope: "workspace",
    about: "How many hits a search returns.",
  },
  "search.minScore": {
    fallback: 0,
    check: z.number().min(0).max(1),
    scope: "workspace",
    about: "Hits with a lower score (0 to 1) are omitted.",
  },
  "search.related": {
    fallback: 0,
    check: wholeNumber(0, 30),
    scope: "user",
    about:
      "How many files related to the hits, by imports and calls, editors list after them. They are left out of the first answers, until the graph is resolved.",
  },
  "mcp.waitSeconds": {
    // The MCP library cancels a tool call after 60 s by default, and the answer itself takes some time.
    fallback: 45,
    check: wholeNumber(0, 3_600),
    scope: "user",
    about: "How many seconds a tool of the context server waits for an index that is being made.",
    env: "COCOSEARCH_MCP_WAIT_SECONDS",
  },
  "log.level": {
    fallback: "info",
    check: z.enum(["debug", "info", "warn", "error"]),
    scope: "engine",
    about: "The least important level that is written to the log.",
    env: "COCOSEARCH_LOG_LEVEL",
  },
};

/** The accepted settings, and one sentence per rejected value. */
export interface Parsed {
  readonly settings: PartialSettings;
  readonly problems: readonly string[];
}

export const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { fallback }]) => [name, fallback]),
) as unknown as Settings;

/** Merges sources over the defaults. A later source wins; lists are replaced and not merged. */
export function merge(...sources: readonly PartialSettings[]): Settings {
  return Object.assign({}, DEFAULTS, ...sources);
}

/** Settings from an editor: nested or dotted names, in camel or snake case, with or without the section `cocosearch`. */
export function fromObject(value: unknown, source: string): Parsed {
  const settings: Record<string, unknown> = {};
  const given = unwrap(value);
  const problems = isEmpty(given) || isObject(given) ? [] : [`${source}: ${NOT_AN_OBJECT}`];
  for (const [name, raw] of flatten(given)) {
    const known = findSetting(name);
    if (known === undefined) {
      problems.push(`${source}: ${unknownSetting(name)}`);
      continue;
    }
    const { scope, env }: Setting<unknown> = SETTINGS[known];
    if (scope === "engine") {
      const remedy = `set ${env} in the environment, and run "doctor --restart"`;
      problems.push(`${source}: "${name}" is ignored: all clients share one engine; ${remedy}`);
      continue;
    }
    const problem = take(settings, known, raw);
    if (problem !== undefined) problems.push(`${source}: "${name}" ${problem}`);
  }
  return { settings, problems };
}

/** Settings from COCOSEARCH_* variables. */
export function fromEnvironment(env: Readonly<Record<string, string | undefined>>): Parsed {
  const settings: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, { env: variable, fallback }] of Object.entries(SETTINGS)) {
    const raw = variable === undefined ? undefined : env[variable];
    if (variable === undefined || raw === undefined || raw === "") continue;
    const problem = take(settings, name as SettingName, plainValue(raw, fallback));
    if (problem !== undefined) problems.push(`${variable} ${problem}`);
  }
  return { settings, problems: [...problems, ...unknownVariables(env, SETTINGS)] };
}

/** Stores a valid value. Returns the problem with an invalid one. */
function take(settings: Record<string, unknown>, name: SettingName, raw: unknown) {
  const { check, instead }: Setting<unknown> = SETTINGS[name];
  const { success, data, error } = check.safeParse(raw);
  if (success || instead !== undefined) settings[name] = success ? data : instead;
  if (success) return undefined;
  const expected = describeExpected(check, error.issues[0]);
  const problem = /expected$|^there is no /.test(expected) ? expected : `${expected} is expected`;
  return `${instead === undefined ? "is ignored" : "is invalid, and its default is not used either"}: ${problem}`;
}

/** The scope of a setting. */
export function scopeOf(name: string): Scope {
  return SETTINGS[name as SettingName].scope;
}

/** The environment variable of a setting, if it has one. */
export function variableOf(name: string): string | undefined {
  const { env }: Setting<unknown> = SETTINGS[name as SettingName];
  return env;
}

function unwrap(value: unknown): unknown {
  if (isObject(value) && isObject(value["cocosearch"])) return value["cocosearch"];
  return value;
}

const NOT_AN_OBJECT = "ignored: an object with the names of settings is expected";

/** An empty list counts, because Lua writes an empty table as one. */
const isEmpty = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** Messages show at most this many characters of an unknown name. */
const MAX_NAME_LENGTH = 80;

/** Limits the depth of nested objects, which a file may nest without end. Names of settings have two parts. */
const MAX_DEPTH = 4;

function* flatten(value: unknown, prefix = "", depth = 1): Generator<[string, unknown]> {
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const name = prefix === "" ? key : `${prefix}.${key}`;
    const isGroup = isObject(inner) && findSetting(name) === undefined && depth < MAX_DEPTH;
    if (isGroup) yield* flatten(inner, name, depth + 1);
    else if (inner !== null && inner !== undefined) yield [name, inner];
  }
}

function findSetting(name: string): SettingName | undefined {
  const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(SETTINGS, camel) ? (camel as SettingName) : undefined;
}

function unknownSetting(name: string): string {
  const inside = Object.keys(SETTINGS).find((each) => each.startsWith(`${name}.`));
  return inside === undefined
    ? `unknown setting "${name.slice(0, MAX_NAME_LENGTH)}"`
    : `"${name}" is ignored: it is a group of settings, such as "${inside}"`;
}

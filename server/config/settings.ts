/** The settings: one table, and how its sources are merged. The README section and the client schemas are generated from it. */

import * as z from "zod";
import { isObject } from "../common/is-object.ts";
import { type Level } from "../common/log.ts";
import { CHUNK_STRATEGIES, type ChunkStrategy, type UserGrammar } from "../contracts/model.ts";
import { whatIsExpected } from "../contracts/parse-parameters.ts";
import { mistakenVariables } from "./mistaken-variables.ts";
import {
  address,
  apiKey,
  count,
  globs,
  grammar,
  indexName,
  indexNames,
  isHttpUrl,
  NOWHERE,
  names,
  plainValue,
  text,
} from "./value-checks.ts";

/**
 * Who may set it: `workspace` settings may also come from the workspace's file; `user` settings decide where code is sent;
 * `engine` settings are read once, from the environment of what starts the engine that all clients share.
 */
type Scope = "workspace" | "user" | "engine";

interface Setting<T> {
  readonly fallback: T;
  readonly check: z.ZodType<T>;
  readonly scope: Scope;
  readonly about: string;
  /** The environment variable that sets it. */
  readonly env?: string;
  /** In place of a value that cannot be used; as if it were not set where there is none. */
  readonly instead?: T;
}

/** Only infers the type of the value. */
const setting = <T>(row: Setting<T>): Setting<T> => row;

export const SETTINGS = {
  indexName: setting({
    fallback: "",
    check: z.literal("").or(indexName),
    scope: "workspace",
    about: "Name of the workspace's index. Default: the folder's name.",
    env: "COCOSEARCH_INDEX_NAME",
  }),
  linkedIndexes: setting<string[]>({
    fallback: [],
    check: indexNames,
    scope: "workspace",
    about: "Names of other indexes that every search of this workspace includes.",
  }),
  "indexing.enabled": setting({
    fallback: true,
    check: z.boolean(),
    scope: "workspace",
    about: "Whether the workspace is indexed at all.",
    env: "COCOSEARCH_INDEXING_ENABLED",
  }),
  "indexing.includePatterns": setting<string[]>({
    fallback: [],
    check: globs,
    scope: "workspace",
    about: "Globs of files to index; empty means every text file that no rule excludes.",
  }),
  "indexing.excludePatterns": setting<string[]>({
    fallback: [],
    check: globs,
    scope: "workspace",
    about: "Lines in the syntax of .gitignore that exclude files, applied after all ignore files.",
  }),
  "indexing.chunkSize": setting({
    // 1000 loses .012 ± .005 on subjects of commits and gains .002 ± .004 on questions; the index is a quarter smaller.
    fallback: 1500,
    check: count(100, 20_000),
    scope: "workspace",
    about: "Size of a chunk in bytes. Definitions stay whole where they fit.",
  }),
  "indexing.chunkOverlap": setting({
    fallback: 300,
    check: count(0, 10_000),
    scope: "workspace",
    about: "Bytes that two neighboring pieces of one long definition share.",
  }),
  "indexing.chunkStrategy": setting<ChunkStrategy>({
    fallback: "adaptive",
    check: z.enum(CHUNK_STRATEGIES),
    scope: "workspace",
    about:
      "How files are cut: along their definitions (adaptive), one definition per chunk (semantic), by size (fixed), by size with overlap (sliding).",
  }),
  "indexing.maxFileBytes": setting({
    fallback: 1_000_000,
    check: count(1_000, 100_000_000),
    scope: "workspace",
    about:
      "Larger files are excluded and counted. Of a notebook only its cells count, without outputs.",
  }),
  "indexing.workers": setting({
    fallback: 0,
    check: count(0, 64),
    scope: "engine",
    about:
      "Worker threads of the engine; 0 means one fewer than the processor has cores, at least two and at most four.",
    env: "COCOSEARCH_WORKERS",
  }),
  "embedding.provider": setting<"builtin" | "ollama" | "openai">({
    fallback: "builtin",
    check: z.enum(["builtin", "ollama", "openai"]),
    scope: "user",
    about:
      "What computes embeddings: the built-in model, an Ollama, or any OpenAI-compatible service.",
    env: "COCOSEARCH_EMBEDDING_PROVIDER",
  }),
  "embedding.model": setting({
    fallback: "",
    check: text,
    scope: "user",
    about:
      "Name of the model at the provider. Default: nomic-embed-text (ollama), text-embedding-3-small (openai).",
    env: "COCOSEARCH_EMBEDDING_MODEL",
  }),
  "embedding.baseUrl": setting({
    fallback: "",
    check: address,
    scope: "user",
    about: "Address of the provider. Default: the local Ollama, or api.openai.com.",
    env: "COCOSEARCH_EMBEDDING_BASE_URL",
    instead: NOWHERE,
  }),
  "embedding.ollamaUrl": setting({
    fallback: "http://127.0.0.1:11434",
    check: text.refine(isHttpUrl, "an http or https URL"),
    scope: "user",
    about: "Address of the Ollama where embedding.baseUrl is not set.",
    env: "COCOSEARCH_OLLAMA_URL",
  }),
  "embedding.apiKey": setting({
    fallback: "",
    check: apiKey,
    scope: "user",
    about: "API key for the provider; prefer the environment variable.",
    env: "COCOSEARCH_EMBEDDING_API_KEY",
  }),
  "embedding.dialect": setting<"auto" | "openai" | "jina" | "voyage" | "cohere">({
    fallback: "auto",
    check: z.enum(["auto", "openai", "jina", "voyage", "cohere"]),
    scope: "user",
    about: "The form of requests to a service that is not Ollama; auto tells it by the address.",
    env: "COCOSEARCH_EMBEDDING_DIALECT",
  }),
  "embedding.context": setting<"none" | "header" | "late">({
    fallback: "none",
    check: z.enum(["none", "header", "late"]),
    scope: "user",
    about:
      "What a remote model is told about a chunk besides its path: nothing, a header (language, enclosing definitions, lines), or its whole file (late chunking, where the provider does it: Jina). Changing it embeds everything again.",
    env: "COCOSEARCH_EMBEDDING_CONTEXT",
  }),
  "embedding.dimensions": setting({
    fallback: 0,
    check: count(0, 8192),
    scope: "user",
    about:
      "Dimensions to ask a Matryoshka model for; 0 leaves them to the model. Changing it embeds everything again.",
    env: "COCOSEARCH_EMBEDDING_DIMENSIONS",
  }),
  "rerank.url": setting({
    fallback: "",
    check: address,
    scope: "user",
    about:
      "The whole address of a rerank endpoint (Cohere, Jina, Voyage, vLLM, llama.cpp, text-embeddings-inference); empty means none. It is sent the best chunks. Ollama has no such endpoint.",
    env: "COCOSEARCH_RERANK_URL",
  }),
  "rerank.model": setting({
    fallback: "",
    check: text,
    scope: "user",
    about: "Name of the reranking model, where the service serves several.",
    env: "COCOSEARCH_RERANK_MODEL",
  }),
  "rerank.apiKey": setting({
    fallback: "",
    check: apiKey,
    scope: "user",
    about: "Key for the reranker; better kept in the environment.",
    env: "COCOSEARCH_RERANK_API_KEY",
  }),
  "rerank.dialect": setting<"auto" | "standard" | "voyage" | "tei">({
    fallback: "auto",
    check: z.enum(["auto", "standard", "voyage", "tei"]),
    scope: "user",
    about:
      "The form of the requests: of Cohere and most others (standard), Voyage, or text-embeddings-inference (tei); auto tells it by the address.",
    env: "COCOSEARCH_RERANK_DIALECT",
  }),
  "rerank.candidates": setting({
    fallback: 50,
    check: count(2, 200),
    scope: "user",
    about: "How many of the best chunks are reranked.",
    env: "COCOSEARCH_RERANK_CANDIDATES",
  }),
  "rerank.timeoutMs": setting({
    fallback: 1_500,
    check: count(50, 60_000),
    scope: "user",
    about: "How long a search waits for the reranker, in milliseconds.",
    env: "COCOSEARCH_RERANK_TIMEOUT_MS",
  }),
  "rewrite.provider": setting<"none" | "ollama" | "openai">({
    fallback: "none",
    check: z.enum(["none", "ollama", "openai"]),
    scope: "user",
    about:
      "A language model that says a question in other words, which are searched beside it: none, an Ollama, or an OpenAI-compatible service.",
    env: "COCOSEARCH_REWRITE_PROVIDER",
  }),
  "rewrite.model": setting({
    fallback: "",
    check: text,
    scope: "user",
    about: "Name of that model. Default: qwen2.5:3b (ollama), gpt-4o-mini (openai).",
    env: "COCOSEARCH_REWRITE_MODEL",
  }),
  "rewrite.baseUrl": setting({
    fallback: "",
    check: address,
    scope: "user",
    about: "Its address. Default: embedding.ollamaUrl, or api.openai.com.",
    env: "COCOSEARCH_REWRITE_BASE_URL",
    instead: NOWHERE,
  }),
  "rewrite.apiKey": setting({
    fallback: "",
    check: apiKey,
    scope: "user",
    about: "Its key; better kept in the environment.",
    env: "COCOSEARCH_REWRITE_API_KEY",
  }),
  "database.url": setting({
    fallback: "",
    check: text.regex(/^$|^postgres(ql)?:\/\/\S+$/, "a postgresql:// URL"),
    scope: "user",
    about:
      "URL of a Postgres 15 or later with pgvector 0.7 or later, used instead of the built-in database.",
    env: "COCOSEARCH_DATABASE_URL",
  }),
  "languages.grammars": setting<UserGrammar[]>({
    fallback: [],
    check: z.array(grammar).max(50),
    scope: "user",
    about:
      "Additional grammars: per grammar a language, the absolute path of a tree-sitter wasm, and optionally a query (symbols) and extensions.",
  }),
  trustedWorkspaces: setting<string[]>({
    fallback: [],
    check: names,
    scope: "user",
    about: "Folders whose own cocosearch.yaml may set everything, including where code is sent.",
  }),
  "history.commits": setting({
    fallback: 20_000,
    check: count(0, 1_000_000),
    scope: "workspace",
    about:
      "How many commits of a repository's history are read for questions about it, newest first; 0 turns it off.",
    env: "COCOSEARCH_HISTORY_COMMITS",
  }),
  "graph.standardRequests": setting<string[]>({
    fallback: [],
    check: z.array(text.regex(/^[\w+#.-]{1,40}$/, "the editor's name of a language")).max(100),
    scope: "user",
    about:
      "Language identifiers, as the editor spells them, for which the graph also answers the call hierarchy, in editors with dynamic registration. Meant for languages without another server: two servers duplicate every entry.",
  }),
  "search.lanes": setting<"auto" | "memory" | "sql">({
    fallback: "auto",
    check: z.enum(["auto", "memory", "sql"]),
    scope: "user",
    about:
      "Where ranking runs: in memory, or in SQL on a Postgres of your own (auto: from 300,000 chunks on).",
    env: "COCOSEARCH_SEARCH_LANES",
  }),
  "search.limit": setting({
    fallback: 10,
    check: count(1, 200),
    scope: "workspace",
    about: "How many hits a search returns.",
  }),
  "search.minScore": setting({
    fallback: 0,
    check: z.number().min(0).max(1),
    scope: "workspace",
    about: "Hits with a lower score (0 to 1) are omitted.",
  }),
  "search.related": setting({
    fallback: 0,
    check: count(0, 30),
    scope: "user",
    about:
      "How many files related to the hits, by imports and calls, editors list after them. They are left out of the first answers, until the graph is resolved.",
  }),
  "mcp.waitSeconds": setting({
    // The protocol's own library gives a tool up after 60 s by default, and the answer itself takes some.
    fallback: 45,
    check: count(0, 3_600),
    scope: "user",
    about: "How many seconds a tool of the context server waits for an index that is being made.",
    env: "COCOSEARCH_MCP_WAIT_SECONDS",
  }),
  "log.level": setting<Level>({
    fallback: "info",
    check: z.enum(["debug", "info", "warn", "error"]),
    scope: "engine",
    about: "The least important level that is written to the log.",
    env: "COCOSEARCH_LOG_LEVEL",
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
type ValueOf<S> = S extends Setting<infer T> ? T : never;
export type Settings = { readonly [N in SettingName]: ValueOf<(typeof SETTINGS)[N]> };

/** The settings of one source: only those that it names. */
export type PartialSettings = { readonly [N in SettingName]?: Settings[N] };

/** What was accepted, and one sentence per value that was not. */
export interface Parsed {
  readonly settings: PartialSettings;
  readonly problems: readonly string[];
}

export const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { fallback }]) => [name, fallback]),
) as unknown as Settings;

/** Later sources win; a value replaces the whole value. */
export function merge(...sources: readonly PartialSettings[]): Settings {
  return Object.assign({}, DEFAULTS, ...sources);
}

/** Settings from an editor: nested or dotted names, in camel or snake case, with or without the section `cocosearch`. */
export function fromObject(value: unknown, source: string): Parsed {
  const settings: Record<string, unknown> = {};
  const given = unwrap(value);
  const problems = isNothing(given) || isObject(given) ? [] : [`${source}: ${NO_OBJECT}`];
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
  return { settings, problems: [...problems, ...mistakenVariables(env, SETTINGS)] };
}

/** Returns what is wrong with a value that cannot be used. */
function take(settings: Record<string, unknown>, name: SettingName, raw: unknown) {
  const { check, instead }: Setting<unknown> = SETTINGS[name];
  const { success, data, error } = check.safeParse(raw);
  if (success || instead !== undefined) settings[name] = success ? data : instead;
  if (success) return undefined;
  const expected = whatIsExpected(check, error.issues[0]);
  const what = /expected$|^there is no /.test(expected) ? expected : `${expected} is expected`;
  return `${instead === undefined ? "is ignored" : "is not used, nor is its default"}: ${what}`;
}

/** Who may set it. */
export function scopeOf(name: string): Scope {
  return SETTINGS[name as SettingName].scope;
}

/** The environment variable that sets it; undefined where there is none. */
export function variableOf(name: string): string | undefined {
  const { env }: Setting<unknown> = SETTINGS[name as SettingName];
  return env;
}

function unwrap(value: unknown): unknown {
  if (isObject(value) && isObject(value["cocosearch"])) return value["cocosearch"];
  return value;
}

const NO_OBJECT = "ignored, because an object of settings by their names is expected";

/** Also an empty list, as which some languages write an empty table. */
const isNothing = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** An unknown name is shown to the user up to this length. */
const MAX_NAME_LENGTH = 80;

/** Names have two parts. What is nested deeper is no setting, and may be nested without end. */
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

/** What lsp/ and cli/ see of everything below them: one session a client. Everything in it travels as JSON between processes. */

import { z } from "zod";
import { BadRequest } from "../common/errors.ts";
import type { PartialSettings } from "../config/settings.ts";
import type { HistoryStatus } from "./history.ts";
import {
  type ExcludedFile,
  type Hit,
  type IndexRecord,
  type LanguageInfo,
  SYMBOL_TYPES,
} from "./model.ts";
import type { Compatibility, IndexCounts, ParseSummary } from "./store.ts";

/** A query may be pasted text; what is longer than this is cut, with a warning. */
export const LONGEST_QUERY = 10_000;

const lines = z.number().int().min(0).max(1000);
const patterns = z.array(z.string().min(1).max(1000)).max(100);

const requestShape = z.strictObject({
  query: z.string(),
  limit: z.number().int().min(1).max(200).optional(),
  minScore: z.number().min(0).max(1).optional(),
  languages: patterns.optional(),
  symbolTypes: z.array(z.enum(SYMBOL_TYPES)).optional(),
  symbolName: z.string().max(1000).optional(),
  paths: patterns.optional(),
  hybrid: z.boolean().optional(),
  indexes: patterns.optional(),
  contextBefore: lines.optional(),
  contextAfter: lines.optional(),
  smartContext: z.boolean().optional(),
  includeText: z.boolean().optional(),
  explain: z.boolean().optional(),
  /** Lanes and boosts to leave out: for ablations by scripts/evaluate. */
  without: patterns.optional(),
});

export type SearchRequest = z.infer<typeof requestShape>;

/** Checks the parameters of a search; BadRequest names the parameter and what is allowed. */
export function parseSearchRequest(value: unknown): SearchRequest {
  const result = requestShape.safeParse(value ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const name = issue?.path.join(".") || "parameters";
  throw new BadRequest(`${name}: ${issue?.message ?? "not as expected"}`);
}

/** How far a workspace's index is. */
export type IndexState = "indexing" | "ready" | "paused" | "degraded" | "unavailable" | "no-root";

export interface SearchAnswer {
  readonly hits: readonly Hit[];
  readonly state: IndexState;
  /** Files of the searched workspaces that are in the index, and that are to be. */
  readonly indexed: number;
  readonly total: number;
  readonly mode: "hybrid" | "semantic" | "keyword";
  readonly cache: "exact" | "semantic" | "miss";
  readonly warnings: readonly string[];
}

/** One stage of a search as it happened. */
export interface Stage {
  readonly name: string;
  readonly ms: number;
  /** Candidates that left the stage. */
  readonly count?: number;
  readonly notes?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/** A hit's way through the stages: its rank in each lane, after fusion and at the end, from 1. */
export interface AnalyzedHit extends Hit {
  readonly ranks: Readonly<Record<string, number>>;
}

export interface Analysis extends Omit<SearchAnswer, "hits"> {
  readonly query: string;
  readonly stages: readonly Stage[];
  readonly hits: readonly AnalyzedHit[];
}

export interface IndexStatus extends IndexCounts {
  readonly name: string;
  readonly root: string;
  /** The folder whose index it is, where `root` is a part of it; then counts are those of the whole. */
  readonly sharedFrom?: string;
  readonly model: string;
  readonly state: IndexState;
  readonly reason?: string;
  /** Files in the index of those that are to be, in the current pass. */
  readonly indexed: number;
  readonly total: number;
  /** How long the current pass takes yet, once it is known well enough. */
  readonly leftMs?: number;
  readonly commit?: string;
  readonly branch?: string;
  /** How often HEAD has moved on since the indexed commit, as its log tells; 0 where it is the same. */
  readonly behind?: number;
  readonly parse: readonly ParseSummary[];
  /** Files left out, by rule. */
  readonly excluded: Readonly<Record<string, number>>;
  readonly history: HistoryStatus;
  readonly compatibility: Compatibility;
}

export interface EngineStatus {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly clients: number;
  readonly memoryBytes: number;
  readonly store: string;
  readonly postgres?: string;
  readonly pgvector?: string;
  readonly log: string;
}

export interface Status {
  readonly state: IndexState;
  readonly reason?: string;
  readonly indexed: number;
  readonly total: number;
  readonly indexes: readonly IndexStatus[];
  readonly engine: EngineStatus;
  readonly warnings: readonly string[];
}

/** One finding of `doctor`. */
export interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

/** What a session tells without being asked. */
export type SessionEvent =
  | {
      readonly kind: "progress";
      readonly root: string;
      readonly phase: "begin" | "report" | "end";
      readonly indexed: number;
      readonly total: number;
      readonly leftMs?: number;
    }
  | { readonly kind: "status"; readonly state: IndexState; readonly reason?: string }
  /** For the user's eyes; each text is sent once a session. */
  | { readonly kind: "message"; readonly level: "info" | "warning"; readonly text: string };

/**
 * One client's view. Methods reject with BadRequest (the caller's fault, with the remedy in words) or
 * Unavailable (a service is down); anything else is a bug. A session survives the engine's death: it
 * reconnects and says again what was opened and configured.
 */
export interface Session {
  /** Settings of this user, from editor and environment; replaces those before. Problems are returned in words. */
  configure(settings: PartialSettings): Promise<void>;
  /** Opens folders and closes those that are not named any more. Indexing goes on by itself. Returns sentences for the user. */
  openFolders(roots: readonly string[]): Promise<readonly string[]>;
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>;
  analyze(request: SearchRequest, signal?: AbortSignal): Promise<Analysis>;
  /** For workspace/symbol: definitions first, words without embedding where the query is one word. */
  symbols(query: string, limit: number, signal?: AbortSignal): Promise<readonly Hit[]>;
  status(): Promise<Status>;
  /** Which rule decides about a file, or that it is indexed. Paths are absolute. */
  why(path: string): Promise<string>;
  /** Files that are not in the index of an opened folder, at most `limit`. */
  excluded(root: string, limit: number): Promise<readonly ExcludedFile[]>;
  list(): Promise<readonly IndexRecord[]>;
  /** The languages that are known, with the user's own. */
  languages(): Promise<readonly LanguageInfo[]>;
  /** Indexes again; `full` forgets what is stored first. Without roots: every opened folder. Resolves at the end of the pass. */
  reindex(options: { readonly roots?: readonly string[]; readonly full?: boolean }): Promise<void>;
  /** Drops an index by name; false when there was none. */
  clear(name: string): Promise<boolean>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Resolves when every opened folder has been indexed as far as it can be. */
  whenIdle(signal?: AbortSignal): Promise<void>;
  /** Hints that files changed; absolute paths. The watcher would find out by itself, a moment later. */
  filesChanged(paths: readonly string[]): Promise<void>;
  /** An editor's unsaved text, or undefined when the buffer was closed. */
  buffer(path: string, text: string | undefined): Promise<void>;
  doctor(): Promise<readonly Finding[]>;
  onEvent(listener: (event: SessionEvent) => void): void;
  dispose(): Promise<void>;
}

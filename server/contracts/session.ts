/**
 * The session: what lsp/ and cli/ see of everything below them, one per client. All of it is sent as JSON between processes.
 *
 * A new method is declared here, in the interface and in SESSION_METHODS; the client and the server of the daemon are
 * built from that table.
 */

import type { PartialSettings } from "../config/settings.ts";
import type { ContextParts, ContextRequest } from "./context-request.ts";
import type {
  CallsAnswer,
  CallsRequest,
  ExportedEdges,
  ImpactAnswer,
  ImpactRequest,
  PathRequest,
  RelatedAnswer,
  RelatedFile,
  RelatedRequest,
} from "./graph-requests.ts";
import type { HistoryStatus } from "./history.ts";
import type {
  ExplainRequest,
  Explanation,
  HistoryAnswer,
  HistoryRequest,
} from "./history-request.ts";
import type { ExcludedFile, Hit, IndexRecord, LanguageInfo } from "./model.ts";
import type { CallEnd, CallsOfOne, CallsRequestOfOne, WrittenName } from "./navigation.ts";
import type { SearchRequest } from "./search-request.ts";
import type { SimilarRequest, SimilarSubject } from "./similar-request.ts";
import type { Compatibility, IndexCounts, ParseSummary } from "./store.ts";

export type { ContextRequest } from "./context-request.ts";
export type { SearchRequest } from "./search-request.ts";

/** How far a workspace's index is. */
export type IndexState = "indexing" | "ready" | "paused" | "degraded" | "unavailable" | "no-root";

/** A file that is related to those of hits. */
export interface RelatedToHits extends RelatedFile {
  /** The opened folder that its paths are relative to. */
  readonly root: string;
}

export interface SearchAnswer {
  readonly hits: readonly Hit[];
  /** Files that the hits depend on, and that depend on them, nearest first; where `expand` was asked for. */
  readonly related?: readonly RelatedToHits[];
  readonly state: IndexState;
  /** Files of the searched workspaces that are in the index, and that are to be. */
  readonly indexed: number;
  readonly total: number;
  readonly mode: "hybrid" | "semantic" | "keyword";
  readonly cache: "exact" | "miss";
  readonly warnings: readonly string[];
}

/** Code like that at a place. */
export interface SimilarAnswer extends Omit<SearchAnswer, "cache" | "related"> {
  readonly subject: SimilarSubject;
}

/** The code that a message needs, packed into a token budget. */
export interface ContextAnswer
  extends ContextParts,
    Pick<SearchAnswer, "state" | "indexed" | "total"> {}

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
  /** What the score is computed from. */
  readonly evidence: Readonly<Record<string, number>>;
}

export interface Analysis extends Omit<SearchAnswer, "hits"> {
  readonly query: string;
  readonly stages: readonly Stage[];
  readonly hits: readonly AnalyzedHit[];
}

/** Tokens of a remote embedding model: since the engine started, and estimated for the chunks that are pending. */
export interface EmbeddingProgress {
  readonly tokens: number;
  readonly tokensPerSecond: number;
  readonly remainingTokens: number;
}

export interface IndexStatus extends IndexCounts {
  readonly name: string;
  readonly root: string;
  /** The folder whose index it is, where `root` is a part of it; then counts are those of the whole. */
  readonly sharedFrom?: string;
  /** Editors and commands that have it open, with the one that asks. */
  readonly clients: number;
  readonly model: string;
  readonly state: IndexState;
  readonly reason?: string;
  /** Files in the index of those that are to be, in the current pass. */
  readonly indexed: number;
  readonly total: number;
  /** Time remaining in the current pass, once it can be estimated. */
  readonly leftMs?: number;
  /** Absent with the built-in model. */
  readonly embedding?: EmbeddingProgress;
  readonly commit?: string;
  readonly branch?: string;
  /** How often HEAD has moved on since the indexed commit, as its log tells; 0 where it is the same. */
  readonly behind?: number;
  readonly parse: readonly ParseSummary[];
  /** Files left out, by rule. */
  readonly excluded: Readonly<Record<string, number>>;
  /** Files that are no UTF-8 and are read in an encoding that nothing in the workspace declares, by encoding. */
  readonly guessedEncodings: Readonly<Record<string, number>>;
  readonly history: HistoryStatus;
  readonly compatibility: Compatibility;
}

/** How late the engine's main thread was for a timer while something was being indexed, in milliseconds. */
export interface EventLoopDelay {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface EngineStatus {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly clients: number;
  readonly memoryBytes: number;
  /** Since the engine started; missing until something was indexed. */
  readonly eventLoop?: EventLoopDelay;
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
      /** At least as many: what is read is stored a moment later. */
      readonly read: number;
      readonly total: number;
      readonly leftMs?: number;
      /** While chunks wait for the vectors of a remote model. */
      readonly embedding?: EmbeddingProgress;
    }
  | { readonly kind: "status"; readonly state: IndexState; readonly reason?: string }
  /** For the user's eyes; each text is sent once a session. */
  | { readonly kind: "message"; readonly level: "info" | "warning"; readonly text: string };

export interface ReindexOptions {
  readonly roots?: readonly string[];
  /** Forgets what is stored first. */
  readonly full?: boolean;
  /** Looks at all files and reads only those that do not look as they did. */
  readonly onlyChanged?: boolean;
}

/**
 * One client's view. Methods reject with BadRequest (the caller's fault, with the remedy in words) or
 * Unavailable (a service is down); anything else is a bug. A session survives the engine's death: it
 * reconnects and replays what was opened and configured.
 */
/** On a Postgres that several installations share. */
export interface OfOthers {
  readonly others?: boolean;
}

export interface Session {
  /** Settings of this user, from editor and environment; replaces those before. Problems are returned in words. */
  configure(settings: PartialSettings): Promise<void>;
  /** Opens folders and closes those that are not named any more. Indexing continues in the background. Returns sentences for the user. */
  openFolders(roots: readonly string[]): Promise<readonly string[]>;
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>;
  analyze(request: SearchRequest, signal?: AbortSignal): Promise<Analysis>;
  /** Code like that at a place, in other files. */
  similar(request: SimilarRequest, signal?: AbortSignal): Promise<SimilarAnswer>;
  /** Packs what a question needs into a token budget. */
  context(request: ContextRequest, signal?: AbortSignal): Promise<ContextAnswer>;
  /** For workspace/symbol: definitions first. Answered by words alone when embedding the query takes too long. */
  symbols(query: string, limit: number, signal?: AbortSignal): Promise<readonly Hit[]>;
  /** Commits of the opened folders' repositories that answer a question. */
  history(request: HistoryRequest, signal?: AbortSignal): Promise<HistoryAnswer>;
  /** The commits that shaped some lines of a file of an opened folder. */
  explain(request: ExplainRequest, signal?: AbortSignal): Promise<Explanation>;
  status(): Promise<Status>;
  /** Which rule decides about a file, or that it is indexed. Paths are absolute. */
  why(path: string): Promise<string>;
  /** Files that are not in the index of an opened folder, at most `limit`. */
  excluded(root: string, limit: number): Promise<readonly ExcludedFile[]>;
  /** The indexes that this installation keeps, and with `others` those of other installations too. */
  list(options?: OfOthers): Promise<readonly IndexRecord[]>;
  /** The languages that are known, with the user's own. */
  languages(): Promise<readonly LanguageInfo[]>;
  /** Indexes again. Without roots: every opened folder. Resolves at the end of the pass. */
  reindex(options: ReindexOptions): Promise<void>;
  /** Drops an index by name; false when there was none. BadRequest for one of another installation, without `others`. */
  clear(name: string, options?: OfOthers): Promise<boolean>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Resolves when every opened folder has been indexed as far as it can be. */
  whenIdle(signal?: AbortSignal): Promise<void>;
  /** Hints that files changed; absolute paths. The watcher would find out by itself, a moment later. */
  filesChanged(paths: readonly string[]): Promise<void>;
  /** An editor's unsaved text, or undefined when the buffer was closed. */
  buffer(path: string, text: string | undefined): Promise<void>;
  doctor(): Promise<readonly Finding[]>;
  /** Files that depend on a file or that it depends on, nearest first. */
  related(request: RelatedRequest): Promise<RelatedAnswer>;
  /** What a change of some files may touch, and the tests that depend on them. */
  impact(request: ImpactRequest): Promise<ImpactAnswer>;
  /** How one file depends on another: the shortest way, both ends included; empty where there is none. */
  dependencyPath(request: PathRequest): Promise<readonly string[]>;
  /** Where definitions of a name are called. A qualified name ends with what is looked for. */
  callers(request: CallsRequest): Promise<CallsAnswer>;
  /** What definitions of a name call. */
  callees(request: CallsRequest): Promise<CallsAnswer>;
  /** The functions and types that a name means. */
  callEnds(name: WrittenName): Promise<readonly CallEnd[]>;
  /** Who calls a definition, or what it calls, by the other end. */
  callsOfOne(request: CallsRequestOfOne): Promise<readonly CallsOfOne[]>;
  /** The edges of an opened folder's graph; page by page, the next one from `next` on. */
  exportGraph(root: string, start: number): Promise<ExportedEdges>;
  onEvent(listener: (event: SessionEvent) => void): void;
  dispose(): Promise<void>;
}

/** The methods that are sent to the engine. */
export type SessionMethod = Exclude<keyof Session, "onEvent" | "dispose">;

/** The position of the AbortSignal among the parameters of a method; undefined where it takes none. */
type SignalIndex<M extends SessionMethod> =
  Required<Parameters<Session[M]>> extends [...infer Before, AbortSignal]
    ? Before["length"]
    : undefined;

/** Where a call is kept in the client's desired state. A later call with the same key replaces it. */
interface DesiredStateEntry {
  readonly key: string;
  /** False for a call that returns to the initial state, so that nothing needs to be replayed. */
  readonly isKept: boolean;
}

export interface SessionMethodOptions<M extends SessionMethod> {
  /** Checked against the signature: a cancellation by the client aborts the signal in the engine. */
  readonly signalIndex: SignalIndex<M>;
  /** For calls that say what the client wants: they are replayed, in the order of the table, to an engine that is new. */
  readonly desiredState?: (...args: Parameters<Session[M]>) => DesiredStateEntry;
}

/** The key of the opened folders. While there are any, an engine that was lost is replaced at once. */
export const OPEN_FOLDERS = "folders";

const PLAIN = { signalIndex: undefined } as const;

export const SESSION_METHODS: {
  readonly [M in SessionMethod]: SessionMethodOptions<M>;
} = {
  configure: { ...PLAIN, desiredState: () => ({ key: "settings", isKept: true }) },
  openFolders: {
    ...PLAIN,
    desiredState: (roots) => ({ key: OPEN_FOLDERS, isKept: roots.length > 0 }),
  },
  search: { signalIndex: 1 },
  analyze: { signalIndex: 1 },
  similar: { signalIndex: 1 },
  context: { signalIndex: 1 },
  symbols: { signalIndex: 2 },
  history: { signalIndex: 1 },
  explain: { signalIndex: 1 },
  status: PLAIN,
  why: PLAIN,
  excluded: PLAIN,
  list: PLAIN,
  languages: PLAIN,
  reindex: PLAIN,
  clear: PLAIN,
  pause: { ...PLAIN, desiredState: () => ({ key: "paused", isKept: true }) },
  resume: { ...PLAIN, desiredState: () => ({ key: "paused", isKept: false }) },
  whenIdle: { signalIndex: 0 },
  filesChanged: PLAIN,
  buffer: {
    ...PLAIN,
    desiredState: (path, text) => ({ key: `buffer ${path}`, isKept: text !== undefined }),
  },
  doctor: PLAIN,
  related: PLAIN,
  impact: PLAIN,
  dependencyPath: PLAIN,
  callers: PLAIN,
  callees: PLAIN,
  callEnds: PLAIN,
  callsOfOne: PLAIN,
  exportGraph: PLAIN,
};

export const SESSION_METHOD_NAMES = Object.keys(SESSION_METHODS) as readonly SessionMethod[];

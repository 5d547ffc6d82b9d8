/**
 * The session: what lsp/ and cli/ see of everything below them, one per client. All of it is sent as JSON between processes.
 *
 * A new method is declared here, in the interface and in SESSION_METHODS; the client and the server of the daemon are
 * built from that table.
 */

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
import type { CommitDistance, HistoryStatus } from "./history.ts";
import type {
  ExplainRequest,
  Explanation,
  HistoryAnswer,
  HistoryRequest,
} from "./history-request.ts";
import type { ExcludedFile, Hit, IndexRecord, LanguageInfo } from "./model.ts";
import type { CallEnd, CallsOfOne, CallsRequestOfOne, WrittenName } from "./navigation.ts";
import type { OccurrencesParts, OccurrencesRequest } from "./occurrences-request.ts";
import type { BegunWith } from "./published-file.ts";
import type { SearchRequest } from "./search-request.ts";
import type { PartialSettings } from "./settings.ts";
import type { SimilarRequest, SimilarSubject } from "./similar-request.ts";
import type { Compatibility, IndexCounts, ParseSummary } from "./store.ts";

export type { ContextRequest } from "./context-request.ts";
export type { SearchRequest } from "./search-request.ts";

/** The state of an index. */
export type IndexState = "indexing" | "ready" | "paused" | "degraded" | "unavailable" | "no-root";

/** A file that is related to the files of the hits. */
export interface RelatedToHits extends RelatedFile {
  /** The opened folder that its paths are relative to. */
  readonly root: string;
}

export interface SearchAnswer {
  readonly hits: readonly Hit[];
  /** Files that the hits depend on and that depend on them, nearest first, if `expand` was requested. */
  readonly related?: readonly RelatedToHits[];
  readonly state: IndexState;
  /** The number of indexed files of the searched workspaces, and of files to index. */
  readonly indexed: number;
  readonly total: number;
  /** If `terms` were given: up to six words of the best hits that neither the query nor the terms have. */
  readonly alsoTry?: readonly string[];
  /** If `offset` was given: the number of hits behind these, of at most `MAX_RANKED` in all. */
  readonly more?: number;
  /** True if the request had `typing`, and the reranker or the rewriting model might change these hits. */
  readonly canImprove?: true;
  readonly mode: "hybrid" | "semantic" | "keyword";
  readonly cache: "exact" | "miss";
  readonly warnings: readonly string[];
}

/** Every occurrence of a text or a pattern. */
export interface OccurrencesAnswer
  extends OccurrencesParts,
    Pick<SearchAnswer, "state" | "indexed" | "total"> {}

/** Code that is similar to the code at a position. */
export interface SimilarAnswer extends Omit<SearchAnswer, "cache" | "related"> {
  readonly subject: SimilarSubject;
}

/** The code that a message needs, packed into a token budget. */
export interface ContextAnswer
  extends ContextParts,
    Pick<SearchAnswer, "state" | "indexed" | "total"> {}

/** One stage of a search. */
export interface Stage {
  readonly name: string;
  readonly ms: number;
  /** The number of candidates after the stage. */
  readonly count?: number;
  readonly notes?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/** The ranks of a hit in each lane, after fusion, and at the end, from 1. */
export interface AnalyzedHit extends Hit {
  readonly ranks: Readonly<Record<string, number>>;
  /** The components of the score. */
  readonly evidence: Readonly<Record<string, number>>;
}

export interface Analysis extends Omit<SearchAnswer, "hits"> {
  readonly query: string;
  readonly stages: readonly Stage[];
  readonly hits: readonly AnalyzedHit[];
}

/** The token usage of a remote embedding model since the engine started, and an estimate for the pending chunks. */
export interface EmbeddingProgress {
  readonly tokens: number;
  readonly tokensPerSecond: number;
  readonly remainingTokens: number;
}

export interface IndexStatus extends IndexCounts {
  readonly name: string;
  readonly root: string;
  /** The folder of the index, if `root` is a part of it. Counts are then for the whole index. */
  readonly sharedFrom?: string;
  /** The number of clients that have it open, including the caller. */
  readonly clients: number;
  readonly model: string;
  /** The built-in model, while it answers in place of `model`, which has not embedded most chunks yet. */
  readonly substitute?: string;
  readonly state: IndexState;
  readonly reason?: string;
  /** The number of indexed files, of those in the current pass. */
  readonly indexed: number;
  readonly total: number;
  /** The remaining time of the current pass, once it can be estimated. */
  readonly leftMs?: number;
  /** Undefined for the built-in model. */
  readonly embedding?: EmbeddingProgress;
  readonly commit?: string;
  readonly branch?: string;
  /** How often HEAD has moved since the indexed commit, according to the reflog; 0 if it is the same commit. */
  readonly behind?: number;
  /** The published index that it began with. */
  readonly begunWith?: BegunWith;
  /** The distance of HEAD from the commit of that index; undefined if it is not known. */
  readonly distance?: CommitDistance;
  /** Why it began without a published index, or without a part of one. Until the engine ends. */
  readonly teamRemark?: string;
  readonly parse: readonly ParseSummary[];
  /** The number of excluded files by rule. */
  readonly excluded: Readonly<Record<string, number>>;
  /** Files that are not UTF-8 and whose encoding is detected and not declared in the workspace, by encoding. */
  readonly guessedEncodings: Readonly<Record<string, number>>;
  readonly history: HistoryStatus;
  /** Another one after each change of what a search sees; undefined until the index is open. */
  readonly generation?: string;
  readonly compatibility: Compatibility;
}

/** The delay of timers on the engine's main thread during indexing, in milliseconds. */
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
  /** Since the engine started. Undefined until a file was indexed. */
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

/** An event that a session emits. */
export type SessionEvent =
  | {
      readonly kind: "progress";
      readonly root: string;
      readonly phase: "begin" | "report" | "end";
      readonly indexed: number;
      /** At least `indexed`: files that are read are stored a moment later. */
      readonly read: number;
      readonly total: number;
      readonly leftMs?: number;
      /** While chunks wait for vectors of a remote model. */
      readonly embedding?: EmbeddingProgress;
    }
  | { readonly kind: "status"; readonly state: IndexState; readonly reason?: string }
  /** A request that takes long has searched some of the files. */
  | (Required<Reported> & {
      readonly kind: "searched";
      readonly searched: number;
      readonly total: number;
    })
  /** A message for the user. Each text is sent once per session. */
  | { readonly kind: "message"; readonly level: "info" | "warning"; readonly text: string };

/** Names a request in the events about its progress. Unique among the client's requests. */
export interface Reported {
  readonly reportAs?: string;
}

export interface ReindexOptions {
  readonly roots?: readonly string[];
  /** Deletes the stored rows first. */
  readonly full?: boolean;
  /** Checks all files, and reads the files whose stat fingerprint changed. */
  readonly onlyChanged?: boolean;
}

/** Includes indexes of other installations on a shared Postgres. */
export interface OfOthers {
  readonly others?: boolean;
}

/**
 * One client's session with the engine. Methods reject with BadRequest (invalid parameters) or with Unavailable (a service
 * does not answer); any other error is a bug. A session survives the end of its engine: it reconnects and replays its
 * settings, folders and buffers.
 */
export interface Session {
  /** Replaces the user's settings, which come from the editor and the environment. */
  configure(settings: PartialSettings): Promise<void>;
  /**
   * Opens folders, and closes folders that are not in the list. Indexing continues in the background. Returns messages
   * for the user.
   */
  openFolders(roots: readonly string[]): Promise<readonly string[]>;
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>;
  analyze(request: SearchRequest, signal?: AbortSignal): Promise<Analysis>;
  /** Finds every occurrence of a text or a pattern in the indexed files of opened folders. */
  occurrences(
    request: OccurrencesRequest & Reported,
    signal?: AbortSignal,
  ): Promise<OccurrencesAnswer>;
  /** Finds similar code in other files. */
  similar(request: SimilarRequest, signal?: AbortSignal): Promise<SimilarAnswer>;
  /** Packs the code that a message needs into a token budget. */
  context(request: ContextRequest, signal?: AbortSignal): Promise<ContextAnswer>;
  /** For workspace/symbol: definitions first. Uses keywords only if embedding the query takes too long. */
  symbols(query: string, limit: number, signal?: AbortSignal): Promise<readonly Hit[]>;
  /** Searches the commits of the repositories of opened folders. */
  history(request: HistoryRequest, signal?: AbortSignal): Promise<HistoryAnswer>;
  /** The commits that wrote some lines of a file. */
  explain(request: ExplainRequest, signal?: AbortSignal): Promise<Explanation>;
  status(): Promise<Status>;
  /** The rule that decides about a file. Paths are absolute. */
  why(path: string): Promise<string>;
  /** At most `limit` excluded files of an opened folder. */
  excluded(root: string, limit: number): Promise<readonly ExcludedFile[]>;
  /** The indexes of this installation, and with `others` of all installations. */
  list(options?: OfOthers): Promise<readonly IndexRecord[]>;
  /** The supported languages, including the user's own. */
  languages(): Promise<readonly LanguageInfo[]>;
  /** Reindexes the given roots, or every opened folder. Resolves at the end of the pass. */
  reindex(options: ReindexOptions): Promise<void>;
  /**
   * Drops an index by name. False if it does not exist. BadRequest for an index of another installation without
   * `others`.
   */
  clear(name: string, options?: OfOthers): Promise<boolean>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /**
   * Collects the changes of files until now, also the ones not reported by the watcher yet, and resolves when they are
   * indexed or cannot be, or after `maxMs`.
   */
  catchUp(maxMs: number, signal?: AbortSignal): Promise<void>;
  /** Resolves when every opened folder is indexed as far as possible. */
  whenIdle(signal?: AbortSignal): Promise<void>;
  /** Reports changed files by absolute path. The file watcher would notice them a moment later. */
  filesChanged(paths: readonly string[]): Promise<void>;
  /** Sets the unsaved text of an open buffer, or undefined when the buffer is closed. */
  buffer(path: string, text: string | undefined): Promise<void>;
  doctor(): Promise<readonly Finding[]>;
  /** Files that depend on a file or that it depends on, nearest first. */
  related(request: RelatedRequest, signal?: AbortSignal): Promise<RelatedAnswer>;
  /** Files that a change may affect, and the tests that depend on the changed files. */
  impact(request: ImpactRequest, signal?: AbortSignal): Promise<ImpactAnswer>;
  /** The shortest dependency path between two files, both included. Empty if there is none. */
  dependencyPath(request: PathRequest, signal?: AbortSignal): Promise<readonly string[]>;
  /** The calls of definitions with a name. The name may be qualified. */
  callers(request: CallsRequest, signal?: AbortSignal): Promise<CallsAnswer>;
  /** The calls in definitions with a name. */
  callees(request: CallsRequest, signal?: AbortSignal): Promise<CallsAnswer>;
  /** The functions and types that a name refers to. */
  callEnds(name: WrittenName): Promise<readonly CallEnd[]>;
  /** The callers or callees of a definition, grouped by the other definition. */
  callsOfOne(request: CallsRequestOfOne): Promise<readonly CallsOfOne[]>;
  /** A page of the edges in the graph of an opened folder, beginning at `next`. */
  exportGraph(root: string, start: number): Promise<ExportedEdges>;
  onEvent(listener: (event: SessionEvent) => void): void;
  dispose(): Promise<void>;
}

/** The methods that are sent to the engine. */
export type SessionMethod = Exclude<keyof Session, "onEvent" | "dispose">;

/** The index of the AbortSignal among the parameters of a method. Undefined if it takes none. */
type SignalIndex<M extends SessionMethod> =
  Required<Parameters<Session[M]>> extends [...infer Before, AbortSignal]
    ? Before["length"]
    : undefined;

/** The place of a call in the client's desired state. A later call with the same key replaces it. */
interface DesiredStateEntry {
  readonly key: string;
  /** False for a call that returns to the initial state, which is not replayed. */
  readonly isKept: boolean;
}

export interface SessionMethodOptions<M extends SessionMethod> {
  /** Checked against the signature. A cancellation by the client aborts the signal in the engine. */
  readonly signalIndex: SignalIndex<M>;
  /** For calls that change the desired state. They are replayed to a new engine, in the order of the table. */
  readonly desiredState?: (...args: Parameters<Session[M]>) => DesiredStateEntry;
}

/** The key of the opened folders. While folders are open, a lost engine is replaced immediately. */
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
  occurrences: { signalIndex: 1 },
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
  catchUp: { signalIndex: 1 },
  whenIdle: { signalIndex: 0 },
  filesChanged: PLAIN,
  buffer: {
    ...PLAIN,
    desiredState: (path, text) => ({ key: `buffer ${path}`, isKept: text !== undefined }),
  },
  doctor: PLAIN,
  related: { signalIndex: 1 },
  impact: { signalIndex: 1 },
  dependencyPath: { signalIndex: 1 },
  callers: { signalIndex: 1 },
  callees: { signalIndex: 1 },
  callEnds: PLAIN,
  callsOfOne: PLAIN,
  exportGraph: PLAIN,
};

export const SESSION_METHOD_NAMES = Object.keys(SESSION_METHODS) as readonly SessionMethod[];

/** A client's session in the engine: its opened folders, settings and buffers, and the requests that it may send. */

import type { Log } from "../common/log.ts";
import { pathInside } from "../common/path-inside.ts";
import { packContext } from "../context/context.ts";
import type {
  CallsAnswer,
  CallsRequest,
  ExportedEdges,
  ImpactAnswer,
  ImpactRequest,
  PathRequest,
  RelatedAnswer,
  RelatedRequest,
} from "../contracts/graph-requests.ts";
import type {
  ExplainRequest,
  Explanation,
  HistoryAnswer,
  HistoryRequest,
} from "../contracts/history-request.ts";
import type { ExcludedFile, Hit, IndexRecord, LanguageInfo } from "../contracts/model.ts";
import type {
  CallEnd,
  CallsOfOne,
  CallsRequestOfOne,
  WrittenName,
} from "../contracts/navigation.ts";
import type { OccurrencesRequest } from "../contracts/occurrences-request.ts";
import {
  type Analysis,
  type ContextAnswer,
  type ContextRequest,
  type Finding,
  type OccurrencesAnswer,
  type OfOthers,
  type ReindexOptions,
  type Reported,
  type SearchAnswer,
  type SearchRequest,
  type Session,
  type SessionEvent,
  type SimilarAnswer,
  type Status,
} from "../contracts/session.ts";
import type { PartialSettings, Settings } from "../contracts/settings.ts";
import type { SimilarRequest } from "../contracts/similar-request.ts";
import { answerHistory } from "../history/answers/answer-history.ts";
import { explainLines } from "../history/answers/explain-lines.ts";
import { overview } from "../languages/overview.ts";
import { analyze, search } from "../search/search.ts";
import { findSimilar } from "../search/similar.ts";
import { searchSymbols } from "../search/symbols.ts";
import { Buffers } from "./answers/buffers.ts";
import { contextSources } from "./answers/context-sources.ts";
import { diagnose, diagnoseModels } from "./answers/doctor.ts";
import { isInText, withExcludedMatches, withTextRemark } from "./answers/excluded-matches.ts";
import type { Folder } from "./answers/folder.ts";
import {
  callSitesIn,
  dependencyPathIn,
  exportFolderGraph,
  relatedIn,
} from "./answers/folder-graph.ts";
import { TEXT_TOOLS, toHistoryQuestion } from "./answers/history-question.ts";
import { createLineReader, type LineReader } from "./answers/hit-text.ts";
import { withGraph } from "./answers/hits-with-graph.ts";
import { impactIn } from "./answers/impact.ts";
import type { NavigationContext } from "./answers/name-places.ts";
import { callEnds, callsOfOne } from "./answers/navigate.ts";
import { withNotebookColumns } from "./answers/notebook-columns.ts";
import { findOccurrences } from "./answers/occurrences.ts";
import { PassReports } from "./answers/pass-reports.ts";
import { narrowTo, openFolderOf, placeOf, withWorktreeRemark } from "./answers/place-in-folders.ts";
import { withPublishedPlaces } from "./answers/published-places.ts";
import type { QueryModelsOf } from "./answers/query-models.ts";
import type { ContextOf } from "./answers/search-context.ts";
import {
  type FoundTargets,
  findTargets,
  LOCAL,
  type SearchTargets,
  type TargetsRequest,
  WITH_PUBLISHED,
} from "./answers/search-targets.ts";
import {
  type EngineFacts,
  engineStatus,
  overall,
  searchedFiles,
  statusOf,
} from "./answers/status.ts";
import { symbolsWithFallback } from "./answers/symbol-search-fallback.ts";
import { explainPath, folderNote, noFileProblem } from "./indexes/index-explain.ts";
import type { IndexPool } from "./indexes/index-pool.ts";
import type { OpenIndex } from "./indexes/open-index.ts";
import { refuseForeign } from "./indexes/stored-indexes.ts";
import type { Stores } from "./indexes/stores.ts";
import { whenCurrent } from "./indexes/when-current.ts";
import { whenOpen } from "./indexes/when-open.ts";
import { OpenFolders } from "./open-folders.ts";
import type { IndexingThrottle } from "./threads/indexing-throttle.ts";
import type { Preparers } from "./threads/worker-pool.ts";

interface SessionDeps {
  readonly pool: IndexPool;
  readonly preparers: Preparers;
  readonly stores: Stores;
  readonly contextOf: ContextOf;
  readonly models: QueryModelsOf;
  readonly throttle: IndexingThrottle;
  readonly facts: EngineFacts;
  readonly log: Log;
  ended(session: EngineSession): void;
}

export class EngineSession implements Session {
  readonly #deps: SessionDeps;
  readonly #open: OpenFolders;
  readonly #buffers: Buffers;
  readonly #listeners: ((event: SessionEvent) => void)[] = [];
  readonly #notices = new Set<string>();
  readonly #passes = new PassReports();
  readonly #lines: LineReader;
  readonly #unsavedText = (path: string) => this.#buffers.text(path);
  /** The lines of a file with its secrets: for computations, none of them is shown. */
  readonly #writtenLines = (root: string, path: string) =>
    this.#lines.readUnmasked(root, path, this.#unsavedText);

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#open = new OpenFolders(deps.pool, deps.log, {
      opened: (index) => this.indexChanged(index),
      closed: (index) => this.#emitEnd(index),
      warned: (text) => this.notice(text),
    });
    this.#lines = createLineReader((file) => deps.pool.encodingOf(file));
    this.#buffers = new Buffers(deps.preparers.interactive, deps.log);
  }

  onEvent(listener: (event: SessionEvent) => void): void {
    this.#listeners.push(listener);
  }

  async configure({ "mcp.waitSeconds": _clientSide, ...settings }: PartialSettings): Promise<void> {
    // Clients with different wait times share one index, so the setting is not part of its identity.
    await this.#open.configure(settings);
  }

  hasOpen(root: string): boolean {
    return this.#open.has(root);
  }

  async openFolders(roots: readonly string[]): Promise<readonly string[]> {
    return await this.#open.open(roots);
  }

  async search(given: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    const { contextOf, throttle } = this.#deps;
    return await this.#answer(given, signal, WITH_PUBLISHED, (targets, request) =>
      throttle.whileSearching(async () => {
        const found = await search(contextOf(targets), request, signal);
        const answer = await withTextRemark(targets, request, found, signal);
        const placed = withPublishedPlaces(targets, withWorktreeRemark(targets, answer));
        return await this.#withColumns(await withGraph(targets, request, placed));
      }),
    );
  }

  async analyze(given: SearchRequest, signal?: AbortSignal): Promise<Analysis> {
    const { contextOf } = this.#deps;
    return await this.#answer(given, signal, WITH_PUBLISHED, async (targets, request) => {
      const found = await analyze(contextOf(targets), request, signal);
      return await this.#withColumns(
        await withGraph(targets, request, withPublishedPlaces(targets, found)),
      );
    });
  }

  async similar(given: SimilarRequest, signal?: AbortSignal): Promise<SimilarAnswer> {
    const { contextOf, throttle } = this.#deps;
    return await this.#answer(given, signal, LOCAL, (targets, request) =>
      throttle.whileSearching(async () =>
        this.#withColumns(await findSimilar(contextOf(targets), request, signal)),
      ),
    );
  }

  async #withColumns<A extends { readonly hits: readonly Hit[] }>(answer: A): Promise<A> {
    return { ...answer, hits: await withNotebookColumns(answer.hits, this.#writtenLines) };
  }

  async occurrences(
    { reportAs, ...given }: OccurrencesRequest & Reported,
    signal?: AbortSignal,
  ): Promise<OccurrencesAnswer> {
    const { contextOf, throttle, preparers } = this.#deps;
    const { scanner } = preparers;
    const report = (searched: number, total: number) => {
      if (reportAs !== undefined) this.#emit({ kind: "searched", reportAs, searched, total });
    };
    return await this.#answer(given, signal, LOCAL, (targets, request) => {
      const deps = { scanner, context: contextOf(targets), targets, signal, report };
      return throttle.whileSearching(() => findOccurrences(deps, request));
    });
  }

  async context(given: ContextRequest, signal?: AbortSignal): Promise<ContextAnswer> {
    const { contextOf, throttle } = this.#deps;
    return await this.#answer(given, signal, LOCAL, (targets, request) => {
      const sources = contextSources(contextOf(targets), targets, signal);
      return throttle.whileSearching(async () => {
        const packed = await packContext(sources, request, signal);
        if (!packed.isSearched) return packed;
        return await withExcludedMatches(targets, request, packed, isInText(packed.text), signal);
      });
    });
  }

  /**
   * Without `withExcludedMatches`: a picker sends each prefix of a name, so each would be another warning, after a scan of excluded
   * files for up to 300 ms. Its list also has hits by meaning, so it is seldom empty.
   */
  async symbols(query: string, limit: number, signal?: AbortSignal): Promise<readonly Hit[]> {
    const { contextOf, throttle } = this.#deps;
    const byWords = { query, limit, without: ["vector"] };
    const found = (targets: SearchTargets) =>
      symbolsWithFallback(
        () => searchSymbols(contextOf(targets), query, limit, signal),
        async () => (await search(contextOf(targets), byWords, signal)).hits,
      );
    const { hits } = await this.#answer({}, signal, LOCAL, (targets) =>
      throttle.whileSearching(async () =>
        this.#withColumns({ hits: await found(targets), warnings: [] }),
      ),
    );
    return hits;
  }

  async history(request: HistoryRequest, signal?: AbortSignal): Promise<HistoryAnswer> {
    const { throttle, log } = this.#deps;
    await whenOpen(this.#indexes, signal);
    const { folders: own, paths } = narrowTo(request.paths, this.#folders);
    const folders = own.filter((folder) => !own.some((other) => folder.isWithin(other)));
    const context = { log, tools: TEXT_TOOLS, readLines: this.#writtenLines };
    return await throttle.whileSearching(() =>
      answerHistory(folders, toHistoryQuestion({ ...request, ...paths }), context, signal),
    );
  }

  async explain(request: ExplainRequest, signal?: AbortSignal): Promise<Explanation> {
    const { path, lines } = request;
    const { folder, inside } = placeOf(path, this.#folders);
    const unsaved = this.#buffers.text(path);
    const selected = { path: inside, selected: lines, unsaved };
    return await explainLines({ index: folder.index, ...selected, tools: TEXT_TOOLS }, signal);
  }

  async status(): Promise<Status> {
    const { log, facts, stores } = this.#deps;
    // The state is read first, so that no count is older than it.
    const state = overall(this.#indexes);
    const isBusy = this.#indexes.some(({ workspace }) => workspace.status.state === "indexing");
    const [indexes, engine] = await Promise.all([
      Promise.all(this.#folders.map((folder) => statusOf(folder, facts, isBusy, log))),
      engineStatus(facts, stores, this.#settings["database.url"], isBusy, log),
    ]);
    return { ...state, indexes, engine, warnings: [...this.#notices] };
  }

  async why(path: string): Promise<string> {
    const folders = this.#folders;
    if (folders.some(({ root }) => root === path)) return folderNote(path);
    const found = openFolderOf(path, folders);
    if (found === undefined) throw noFileProblem(path, folders);
    return await explainPath(found.folder.index, found.inside);
  }

  async excluded(root: string, limit: number): Promise<readonly ExcludedFile[]> {
    return await this.#open.get(root).excluded(limit);
  }

  async list({ others = false }: OfOthers = {}): Promise<readonly IndexRecord[]> {
    const store = await this.#deps.stores.get(this.#settings["database.url"]);
    return (await store.list()).filter(({ installation }) => others || installation !== "another");
  }

  async languages(): Promise<readonly LanguageInfo[]> {
    return overview(this.#settings["languages.grammars"]);
  }

  async reindex(options: ReindexOptions): Promise<void> {
    const named = () => options.roots?.map((root) => this.#open.get(root).index);
    // Rejects an unknown root before the reopening, which may take long.
    named();
    await this.#open.reopen();
    const indexes = [...new Set(named() ?? this.#indexes)];
    for (const index of indexes) {
      if (options.onlyChanged === true) index.lookAgain();
      else index.reindex(options.full === true);
    }
    await Promise.all(indexes.map(({ workspace }) => workspace.whenIdle()));
  }

  async clear(nameOrRoot: string, { others = false }: OfOthers = {}): Promise<boolean> {
    const store = await this.#deps.stores.get(this.#settings["database.url"]);
    const name = (await store.resolve(nameOrRoot)) ?? nameOrRoot;
    if (!others) await refuseForeign(store, name);
    await this.#deps.pool.forget(name, "the index was cleared; reindex rebuilds it");
    await this.#deps.pool.removeStored(name);
    return await store.drop(name);
  }

  async pause(): Promise<void> {
    this.#open.pause();
  }

  async resume(): Promise<void> {
    this.#open.resume();
  }

  async catchUp(maxMs: number, signal?: AbortSignal): Promise<void> {
    await whenCurrent(this.#indexes, maxMs, signal);
  }

  async whenIdle(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#indexes.map(({ workspace }) => workspace.whenIdle(signal)));
  }

  async filesChanged(paths: readonly string[]): Promise<void> {
    for (const index of this.#indexes) {
      const inside = paths.flatMap((path) => pathInside(index.root, path) ?? []);
      if (inside.length > 0) index.workspace.touch(inside);
    }
  }

  async buffer(path: string, text: string | undefined): Promise<void> {
    this.#buffers.set(path, text);
    if (text !== undefined) this.#deps.throttle.noteTyping();
  }

  async doctor(): Promise<readonly Finding[]> {
    const { facts, stores, models } = this.#deps;
    const findings = await diagnose(facts, stores, this.#settings["database.url"], this.#indexes);
    return [...findings, ...(await diagnoseModels(models.get(this.#settings), this.#indexes))];
  }

  async related(request: RelatedRequest, signal?: AbortSignal): Promise<RelatedAnswer> {
    return await relatedIn(await this.#graphFolders(signal), request, signal);
  }

  async impact(request: ImpactRequest, signal?: AbortSignal): Promise<ImpactAnswer> {
    return await impactIn(await this.#graphFolders(signal), request, signal);
  }

  async dependencyPath(request: PathRequest, signal?: AbortSignal): Promise<readonly string[]> {
    return await dependencyPathIn(await this.#graphFolders(signal), request, signal);
  }

  async callers(request: CallsRequest, signal?: AbortSignal): Promise<CallsAnswer> {
    return await callSitesIn(await this.#graphFolders(signal), "callers", request, signal);
  }

  async callees(request: CallsRequest, signal?: AbortSignal): Promise<CallsAnswer> {
    return await callSitesIn(await this.#graphFolders(signal), "callees", request, signal);
  }

  async exportGraph(root: string, start: number): Promise<ExportedEdges> {
    const folder = this.#open.get(root);
    await whenOpen(this.#indexes);
    return await exportFolderGraph(folder, start);
  }

  async callEnds(name: WrittenName): Promise<readonly CallEnd[]> {
    return await callEnds(await this.#navigation(), name);
  }

  async callsOfOne(request: CallsRequestOfOne): Promise<readonly CallsOfOne[]> {
    return await callsOfOne(await this.#navigation(), request);
  }

  /** The folders of the session, once the index of each has been opened. */
  async #graphFolders(signal?: AbortSignal): Promise<readonly Folder[]> {
    await whenOpen(this.#indexes, signal);
    return this.#folders;
  }

  async #navigation(): Promise<NavigationContext> {
    const folders = await this.#graphFolders();
    return { folders, lines: this.#lines, buffer: this.#unsavedText };
  }

  async dispose(): Promise<void> {
    this.#listeners.length = 0;
    await this.#open.open([]);
    this.#deps.ended(this);
  }

  /** Shows a notice to the user, once per session. */
  notice(text: string): void {
    if (this.#notices.has(text)) return;
    this.#notices.add(text);
    this.#emit({ kind: "message", level: "warning", text });
  }

  /** Called for every index of the pool; ignores indexes that this session has not opened. */
  indexChanged(index: OpenIndex): void {
    if (!this.#indexes.includes(index)) return;
    const { progress, hasNewState } = this.#passes.nextEvents(index);
    if (progress !== undefined) this.#emit(progress);
    if (!hasNewState) return;
    if (this.#folders.some((folder) => folder.index === index && folder.isExcluded))
      this.#open.reopenSoon();
    this.#emitState();
  }

  /** Emits the overall state of all open folders, as `status` has it. The state of one folder would hide the others. */
  #emitState(): void {
    const { state, reason } = overall(this.#indexes);
    this.#emit({ kind: "status", state, ...(reason === undefined ? {} : { reason }) });
  }

  get #settings(): Settings {
    return this.#open.settings;
  }

  get #folders(): Folder[] {
    return this.#open.folders;
  }

  get #indexes(): OpenIndex[] {
    return this.#open.indexes;
  }

  /** Ends the progress of an index that the session has left during a pass. */
  #emitEnd(index: OpenIndex): void {
    if (this.#indexes.includes(index)) return;
    const end = this.#passes.end(index);
    if (end !== undefined) this.#emit(end);
    this.#emitState();
  }

  /** Called for every watched folder; ignores folders that this session has not opened. */
  settingsTouched(root: string): void {
    if (this.#indexes.some((index) => index.root === root)) this.#open.reopenSoon();
  }

  /** Adds the indexing progress and the warnings of the searched indexes to an answer. */
  async #answer<
    Request extends Pick<SearchRequest, "indexes" | "paths">,
    Found extends { readonly warnings: readonly string[] },
  >(
    given: Request,
    signal: AbortSignal | undefined,
    where: Pick<TargetsRequest, "withPublished">,
    find: (targets: SearchTargets, request: Request) => Promise<Found>,
  ): Promise<Found & Pick<SearchAnswer, "state" | "indexed" | "total">> {
    const { folders, paths } = narrowTo(given.paths, this.#folders);
    const request = { ...given, ...paths };
    const { targets, warnings } = await this.#targets(request, folders, where, signal);
    const before = this.#progress();
    let found = await find(targets, request);
    // If indexing ended during the search, search again: the client already saw "ready" and will not retry.
    if (before.state === "indexing" && this.#progress().state !== "indexing")
      found = await find((await this.#targets(request, folders, where, signal)).targets, request);
    return { ...found, ...this.#progress(), warnings: [...warnings, ...found.warnings] };
  }

  /** The indexes that a request searches, and warnings about indexes that it cannot search. */
  async #targets(
    { indexes }: Pick<SearchRequest, "indexes">,
    folders: readonly Folder[],
    { withPublished }: Pick<TargetsRequest, "withPublished">,
    signal: AbortSignal | undefined,
  ): Promise<FoundTargets> {
    return await findTargets(this.#deps.pool, {
      folders,
      indexes,
      withPublished,
      settings: this.#settings,
      buffers: this.#buffers,
      signal,
    });
  }

  #progress(): Pick<SearchAnswer, "state" | "indexed" | "total"> {
    const { state, total } = overall(this.#indexes);
    return { state, indexed: searchedFiles(this.#indexes), total };
  }

  #emit(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** The graph of an index in memory. It follows commits, and resolves imports and calls lazily, in slices. */

import { createHash } from "node:crypto";
import { DamagedArrays, type PackedArrays } from "../common/packed/packed-arrays.ts";
import { SingleFlight } from "../common/single-flight.ts";
import { inBackground, inSlices, type YieldToForeground } from "../common/slices.ts";
import { decodeFacts } from "../contracts/encoded-facts.ts";
import type {
  DependencyRow,
  FileDependencies,
  LiveGraph,
  StoredFacts,
} from "../contracts/graph.ts";
import { unpackFacts } from "../contracts/packed-facts.ts";
import { Graph } from "./graph.ts";
import type { ProjectOptions } from "./project/project.ts";

/** Caches are released after this long without a run of the graph. */
const IDLE_MS = 5_000;

/** The generation of a graph whose packed form is still what the store holds. */
export const AS_STORED = "as stored";

/** The stored state of a graph when its index is opened. */
interface StoredGraph {
  /** All stored files. */
  readonly paths: Iterable<string>;
  /** Whether the import edges of all files are stored. */
  readonly hasAllEdges: boolean;
  /** The result of `pack` for a graph of exactly these files. */
  readonly edges?: PackedArrays | undefined;
  read(): AsyncIterable<readonly StoredFacts[]>;
  /** The number of importers by path, counted from the stored edges. */
  readImporters(): Promise<ReadonlyMap<string, number>>;
}

export class IndexGraph implements LiveGraph {
  readonly #graph: Graph;
  /** Packed facts by path, until they are decoded and added to the graph. */
  readonly #undecoded = new Map<string, Uint8Array>();
  /** The hash of the stored import edges by path; empty if the edges have to be stored. */
  readonly #edgeHashes = new Map<string, string>();
  #areEdgesStored = true;
  /** Undefined once every stored file was read or replaced. */
  #readStored: StoredGraph["read"] | undefined;
  readonly #reading = new SingleFlight(() => this.#readAll());
  /** Undefined once a file was replaced: the stored edges are out of date then. */
  #readImporters: StoredGraph["readImporters"] | undefined;
  #importerCounts: ReadonlyMap<string, number> | undefined;
  readonly #countingImporters = new SingleFlight(() => this.#countImporters());
  /** The stored result of `pack`, until it is unpacked or a file is replaced. */
  #packedGraph: PackedArrays | undefined;
  #isAsStored = false;
  #wasRequested = false;
  #resolvedListener = () => {};
  /** Stored files that were neither read nor replaced. */
  #unreadPaths = new Set<string>();
  #hasImports = false;
  #isResolved = false;
  readonly #resolving = new SingleFlight(() => this.#runInSlices(this.#resolveAll()));
  readonly #resolvingImports = new SingleFlight(() =>
    this.#runInSlices(this.#resolve(() => this.#graph.resolveImports())),
  );
  readonly #preparing = new SingleFlight(() =>
    this.#runInSlices(this.#resolve(() => this.#graph.prepare())),
  );
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ProjectOptions = {}) {
    this.#graph = new Graph([], options);
  }

  /** Adds files that another engine has stored since. */
  load(files: readonly StoredFacts[]): void {
    this.#dropImporterCounts();
    this.#addFiles(files);
  }

  #addFiles(files: readonly StoredFacts[]): void {
    this.#markUnresolved();
    for (const { path, facts, edgesHash } of files) {
      this.#undecoded.set(path, facts);
      this.#edgeHashes.set(path, edgesHash);
      if (edgesHash === "") this.#areEdgesStored = false;
    }
  }

  /** Loads the stored files lazily: they are read when the graph is first needed, except for files that were replaced before. */
  loadLater({ paths, hasAllEdges, edges, read, readImporters }: StoredGraph): void {
    this.#unreadPaths = new Set(paths);
    this.#readImporters = hasAllEdges ? readImporters : undefined;
    this.#packedGraph = edges;
    this.#readStored = this.#unreadPaths.size > 0 ? read : undefined;
    this.#areEdgesStored = hasAllEdges;
    this.#markUnresolved();
  }

  async #ensureStoredRead(): Promise<void> {
    if (this.#readStored !== undefined) await this.#reading.run();
  }

  async #runInSlices(steps: Generator<void, void>): Promise<void> {
    await this.#ensureStoredRead();
    await inSlices(steps);
  }

  async beforeChange(): Promise<void> {
    if (this.#packedGraph !== undefined) await this.#ensureStoredRead();
  }

  async #readAll(): Promise<void> {
    const read = this.#readStored;
    if (read === undefined) return;
    this.#numberFiles();
    for await (const page of read()) {
      // A replaced file is newer than its row.
      this.#addFiles(page.filter(({ path }) => this.#unreadPaths.delete(path)));
      // Decoded page by page, to free the packed facts early.
      await inSlices(this.#decode());
      if (this.#unreadPaths.size === 0) break;
    }
    this.#readStored = undefined;
    this.#unreadPaths.clear();
    this.#unpackStored();
  }

  #numberFiles(): void {
    const edges = this.#packedGraph;
    if (edges === undefined) return;
    if (!isUndamaged(() => this.#graph.numberFiles(edges))) this.#packedGraph = undefined;
  }

  /** Unpacks the stored graph once all files are read. A damaged one is dropped, and its edges are resolved again. */
  #unpackStored(): void {
    const edges = this.#packedGraph;
    this.#packedGraph = undefined;
    if (edges === undefined || this.#undecoded.size > 0) return;
    if (!isUndamaged(() => this.#graph.unpack(edges))) return;
    this.#hasImports = true;
    this.#isResolved = true;
    this.#isAsStored = true;
    this.#wasRequested = true;
  }

  #markReplaced(path: string): void {
    if (this.#unreadPaths.delete(path) && this.#unreadPaths.size === 0)
      this.#readStored = undefined;
  }

  replace(
    removed: readonly string[],
    files: readonly { readonly path: string; readonly facts: Uint8Array }[],
  ): void {
    this.#packedGraph = undefined;
    this.#isAsStored = false;
    this.#dropImporterCounts();
    for (const path of removed) {
      this.#markReplaced(path);
      this.#undecoded.delete(path);
      this.#edgeHashes.delete(path);
      this.#graph.remove(path);
    }
    for (const { path, facts } of files) {
      this.#markReplaced(path);
      this.#undecoded.set(path, facts);
      this.#edgeHashes.set(path, "");
    }
    this.#areEdgesStored = false;
    this.#markUnresolved();
  }

  #markUnresolved(): void {
    this.#hasImports = false;
    this.#isResolved = false;
  }

  #dropImporterCounts(): void {
    this.#readImporters = undefined;
    this.#importerCounts = undefined;
  }

  /** The number of importers of a file, by its path. Undefined until importers are counted. */
  get importerCounts(): ((path: string) => number | undefined) | undefined {
    const counts = this.#importerCounts;
    if (this.#hasImports) {
      return (path) => {
        const file = this.#graph.project.find(path);
        return file === undefined ? undefined : this.#graph.importerCount(file);
      };
    }
    if (counts === undefined) return undefined;
    const isStored = (path: string) => this.#unreadPaths.has(path) || this.#edgeHashes.has(path);
    return (path) => (isStored(path) ? (counts.get(path) ?? 0) : undefined);
  }

  /** Counts importers: from the store until a file is replaced, which saves a second, and else by resolving all imports. */
  async whenImportersCounted(): Promise<void> {
    await this.#countingImporters.run();
  }

  async #countImporters(): Promise<void> {
    const read = this.#readImporters;
    if (read !== undefined && !this.#hasImports) {
      this.#importerCounts ??= await read();
      // A file may have been replaced during the query.
      if (this.#readImporters === read) return;
      this.#importerCounts = undefined;
    }
    await this.whenImportsResolved();
  }

  /** Whether all committed files are resolved. */
  get isResolved(): boolean {
    return this.#isResolved;
  }

  /** Whether the whole graph was ever requested, in this process or in an earlier one. */
  get wasRequested(): boolean {
    return this.#wasRequested;
  }

  /** Changes with each change of the files. */
  get generation(): string {
    return this.#isAsStored ? AS_STORED : String(this.#graph.generation);
  }

  /** Packs the resolved graph, in steps; undefined unless all of it is resolved. */
  *pack(): Generator<void, PackedArrays | undefined> {
    if (!this.#isResolved) return undefined;
    const packed = yield* this.#graph.pack();
    this.#releaseLater();
    return this.#isResolved ? packed : undefined;
  }

  /** Sets the listener for the end of each full resolution that a request caused. */
  onResolved(listener: () => void): void {
    this.#resolvedListener = listener;
  }

  /** The graph with all committed files resolved. */
  async whenResolved(): Promise<Graph> {
    const resolving = this.#resolving.run();
    const wasResolved = this.#isResolved;
    await resolving;
    this.#wasRequested = true;
    if (!wasResolved) this.#resolvedListener();
    this.#releaseLater();
    return this.#graph;
  }

  /** The graph for requests about a few files: imports are resolved, calls are resolved on demand, file edges may be stale. */
  async whenPrepared(): Promise<Graph> {
    await this.#preparing.run();
    this.#releaseLater();
    return this.#graph;
  }

  /** The graph with all imports resolved; file edges of calls may be stale. */
  async whenImportsResolved(): Promise<Graph> {
    await this.#resolvingImports.run();
    this.#releaseLater();
    return this.#graph;
  }

  get #isBusy(): boolean {
    const runs = [this.#resolving, this.#resolvingImports, this.#preparing];
    return runs.some(({ isRunning }) => isRunning);
  }

  #releaseLater(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (!this.#isBusy) void this.release();
      else this.#releaseLater();
    }, IDLE_MS).unref();
  }

  /** Releases caches, in the background. */
  async release(): Promise<void> {
    await inBackground(this.#graph.release());
  }

  *#resolveAll(): Generator<void, void> {
    yield* this.#resolve(() => this.#graph.resolveAll());
    this.#isResolved = this.#hasImports;
  }

  /** Repeats until no change has arrived during the run. */
  *#resolve(what: () => Generator<void, void>): Generator<void, void> {
    do {
      yield* this.#decode();
      yield* what();
    } while (this.#undecoded.size > 0);
    this.#hasImports = this.#readStored === undefined;
  }

  *#decode(): Generator<void, void> {
    for (const [path, packed] of this.#undecoded) {
      // A concurrent run may have decoded it.
      if (!this.#undecoded.delete(path)) continue;
      const encoded = unpackFacts(packed);
      this.#graph.set(path, encoded === "" ? undefined : decodeFacts(encoded), encoded);
      yield;
    }
  }

  /** The import edges of files whose stored edges are out of date. From then on they count as stored; see `markUnstored`. */
  async takeChangedEdges(yieldToForeground?: YieldToForeground): Promise<FileDependencies[]> {
    if (this.#areEdgesStored) return [];
    await this.#ensureStoredRead();
    this.#areEdgesStored = true;
    this.#releaseLater();
    return await inSlices(this.#collectChangedEdges(), yieldToForeground);
  }

  *#collectChangedEdges(): Generator<void, FileDependencies[]> {
    yield* this.#decode();
    yield* this.#graph.resolveImports();
    this.#hasImports = this.#readStored === undefined && this.#undecoded.size === 0;
    const { project } = this.#graph;
    const paths = new Set(this.#graph.takeResolved().map((file) => project.path(file)));
    for (const [path, hash] of this.#edgeHashes) if (hash === "") paths.add(path);
    const changed: FileDependencies[] = [];
    for (const path of paths) {
      const [known, file] = [this.#edgeHashes.get(path), project.find(path)];
      if (known === undefined || file === undefined) continue;
      const rows = edgeRows(this.#graph, file);
      const hash = createHash("sha256").update(JSON.stringify(rows)).digest("hex").slice(0, 16);
      if (hash !== known) {
        this.#edgeHashes.set(path, hash);
        changed.push({ path, rows, hash });
      }
      yield;
    }
    return changed;
  }

  /** Marks all edges as not stored, after the edges of `takeChangedEdges` could not be written. */
  markUnstored(): void {
    for (const path of this.#edgeHashes.keys()) this.#edgeHashes.set(path, "");
    this.#areEdgesStored = false;
  }
}

/** Runs `use`; false if the stored arrays are damaged. */
function isUndamaged(use: () => void): boolean {
  try {
    use();
    return true;
  } catch (error) {
    if (error instanceof DamagedArrays) return false;
    throw error;
  }
}

function edgeRows(graph: Graph, file: number): DependencyRow[] {
  const sourceFile = graph.project.path(file);
  const statements = graph.project.imports(file);
  return graph.resolutions(file).flatMap(({ files, external, how }, i): DependencyRow[] => {
    const { line = 0, kind = "import", module = "" } = statements[i] ?? {};
    const common = { sourceFile, type: "import", line, how, metadata: { kind, module } } as const;
    if (files.length === 0 && external !== undefined)
      return [{ ...common, targetSymbol: external, confidence: 1 }];
    return files
      .filter((to) => to !== file)
      .map((to) => ({ ...common, targetFile: graph.project.path(to), confidence: 1 }));
  });
}

/** The graph of an index in memory: follows commits, and resolves what a change concerns in slices. */

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

/** After this long without work or questions, what is only there to be fast is given back. */
const IDLE_MS = 5_000;

/** The generation of a graph that is as it was stored ready to use. */
export const AS_STORED = "as stored";

/** What the store has when an index is opened. */
interface StoredGraph {
  /** Of all files that are stored. */
  readonly paths: Iterable<string>;
  /** Whether the edges of all of them are stored. */
  readonly hasAllEdges: boolean;
  /** What `pack` gave of a graph of exactly these files. */
  readonly edges?: PackedArrays | undefined;
  read(): AsyncIterable<readonly StoredFacts[]>;
  /** By path, how many files import it, as the stored edges say. */
  readImporters(): Promise<ReadonlyMap<string, number>>;
}

export class IndexGraph implements LiveGraph {
  readonly #graph: Graph;
  /** Packed facts of files that the graph does not know yet. */
  readonly #waiting = new Map<string, Uint8Array>();
  /** Of the edges that are stored of each file; empty where they have to be stored. */
  readonly #hashes = new Map<string, string>();
  #isStored = true;
  /** Reads what is stored; undefined once nothing of it is needed any more. */
  #read: StoredGraph["read"] | undefined;
  readonly #reading = new SingleFlight(() => this.#readAll());
  /** Until a file is replaced: what is stored says then what was. */
  #readImporters: StoredGraph["readImporters"] | undefined;
  #importers: ReadonlyMap<string, number> | undefined;
  readonly #countingImporters = new SingleFlight(() => this.#countImporters());
  /** What was resolved of the stored files before, until it is taken over; of no use once one of them is replaced. */
  #edges: PackedArrays | undefined;
  #isAsStored = false;
  #isAsked = false;
  #whenNewlyResolved = () => {};
  /** Stored files that were neither read nor replaced yet. */
  #unread = new Set<string>();
  #hasImports = false;
  #isResolved = false;
  readonly #resolving = new SingleFlight(() => this.#inSlicesOnceRead(this.#resolveAll()));
  readonly #resolvingImports = new SingleFlight(() =>
    this.#inSlicesOnceRead(this.#resolve(() => this.#graph.resolveImports())),
  );
  readonly #preparing = new SingleFlight(() =>
    this.#inSlicesOnceRead(this.#resolve(() => this.#graph.prepare())),
  );
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ProjectOptions = {}) {
    this.#graph = new Graph([], options);
  }

  /** What another engine has stored since. */
  load(files: readonly StoredFacts[]): void {
    this.#forgetImporters();
    this.#take(files);
  }

  /** What was read from the store. */
  #take(files: readonly StoredFacts[]): void {
    this.#forgetEdges();
    for (const { path, facts, edgesHash } of files) {
      this.#waiting.set(path, facts);
      this.#hashes.set(path, edgesHash);
      if (edgesHash === "") this.#isStored = false;
    }
  }

  /** Reads what is stored when somebody needs it, unless all of it is replaced before. */
  loadLater({ paths, hasAllEdges, edges, read, readImporters }: StoredGraph): void {
    this.#unread = new Set(paths);
    this.#readImporters = hasAllEdges ? readImporters : undefined;
    this.#edges = edges;
    this.#read = this.#unread.size > 0 ? read : undefined;
    this.#isStored = hasAllEdges;
    this.#forgetEdges();
  }

  async #whenStoredRead(): Promise<void> {
    if (this.#read !== undefined) await this.#reading.run();
  }

  async #inSlicesOnceRead(steps: Generator<void, void>): Promise<void> {
    await this.#whenStoredRead();
    await inSlices(steps);
  }

  async beforeChange(): Promise<void> {
    if (this.#edges !== undefined) await this.#whenStoredRead();
  }

  async #readAll(): Promise<void> {
    const read = this.#read;
    if (read === undefined) return;
    this.#numberFiles();
    for await (const page of read()) {
      // Of what was replaced, what is here is newer.
      this.#take(page.filter(({ path }) => this.#unread.delete(path)));
      // Their texts are not held longer than they have to be.
      await inSlices(this.#decode());
      if (this.#unread.size === 0) break;
    }
    this.#read = undefined;
    this.#unread.clear();
    this.#takeOverEdges();
  }

  #numberFiles(): void {
    const edges = this.#edges;
    if (edges === undefined) return;
    if (!isUndamaged(() => this.#graph.numberFiles(edges))) this.#edges = undefined;
  }

  /** All files are read. What is damaged is resolved again. */
  #takeOverEdges(): void {
    const edges = this.#edges;
    this.#edges = undefined;
    if (edges === undefined || this.#waiting.size > 0) return;
    if (!isUndamaged(() => this.#graph.unpack(edges))) return;
    this.#hasImports = true;
    this.#isResolved = true;
    this.#isAsStored = true;
    this.#isAsked = true;
  }

  #noteReplaced(path: string): void {
    if (this.#unread.delete(path) && this.#unread.size === 0) this.#read = undefined;
  }

  replace(
    removed: readonly string[],
    files: readonly { readonly path: string; readonly facts: Uint8Array }[],
  ): void {
    this.#edges = undefined;
    this.#isAsStored = false;
    this.#forgetImporters();
    for (const path of removed) {
      this.#noteReplaced(path);
      this.#waiting.delete(path);
      this.#hashes.delete(path);
      this.#graph.remove(path);
    }
    for (const { path, facts } of files) {
      this.#noteReplaced(path);
      this.#waiting.set(path, facts);
      this.#hashes.set(path, "");
    }
    this.#isStored = false;
    this.#forgetEdges();
  }

  /** They are resolved again when somebody asks. */
  #forgetEdges(): void {
    this.#hasImports = false;
    this.#isResolved = false;
  }

  #forgetImporters(): void {
    this.#readImporters = undefined;
    this.#importers = undefined;
  }

  /** How many files import a file of the index; undefined where nobody has counted them yet. */
  get importerCounts(): ((path: string) => number | undefined) | undefined {
    const counts = this.#importers;
    if (this.#hasImports) {
      return (path) => {
        const file = this.#graph.project.find(path);
        return file === undefined ? undefined : this.#graph.importerCount(file);
      };
    }
    if (counts === undefined) return undefined;
    const isStored = (path: string) => this.#unread.has(path) || this.#hashes.has(path);
    return (path) => (isStored(path) ? (counts.get(path) ?? 0) : undefined);
  }

  /** Resolves when importers are counted: from the store, as long as nothing was replaced; resolving imports takes a second. */
  async whenImportersCounted(): Promise<void> {
    await this.#countingImporters.run();
  }

  async #countImporters(): Promise<void> {
    const read = this.#readImporters;
    if (read !== undefined && !this.#hasImports) {
      this.#importers ??= await read();
      // A file may have been replaced meanwhile.
      if (this.#readImporters === read) return;
      this.#importers = undefined;
    }
    await this.whenImportsResolved();
  }

  /** Whether all of what was committed is resolved at this moment. */
  get isResolved(): boolean {
    return this.#isResolved;
  }

  /** Whether somebody has ever asked for all of it, in this run or in one before. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** Another one after each change of the files. */
  get generation(): string {
    return this.#isAsStored ? AS_STORED : String(this.#graph.generation);
  }

  /** All that is resolved, in steps; undefined while not all of it is. */
  *pack(): Generator<void, PackedArrays | undefined> {
    if (!this.#isResolved) return undefined;
    const packed = yield* this.#graph.pack();
    this.#releaseLater();
    return this.#isResolved ? packed : undefined;
  }

  /** Called when all of it was resolved because somebody asked. */
  onResolved(listener: () => void): void {
    this.#whenNewlyResolved = listener;
  }

  /** The graph of what was committed, with all of it resolved. */
  async whenResolved(): Promise<Graph> {
    const resolving = this.#resolving.run();
    const wasResolved = this.#isResolved;
    await resolving;
    this.#isAsked = true;
    if (!wasResolved) this.#whenNewlyResolved();
    this.#releaseLater();
    return this.#graph;
  }

  /** The graph of what was committed, for questions about a few files; its edges may be of before. */
  async whenPrepared(): Promise<Graph> {
    await this.#preparing.run();
    this.#releaseLater();
    return this.#graph;
  }

  /** The graph with the imports of what was committed; calls may be of before. */
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

  /** Gives back what is only there to be fast. */
  async release(): Promise<void> {
    await inBackground(this.#graph.release());
  }

  *#resolveAll(): Generator<void, void> {
    yield* this.#resolve(() => this.#graph.resolveAll());
    this.#isResolved = this.#hasImports;
  }

  /** Also of what changes before it ends. */
  *#resolve(what: () => Generator<void, void>): Generator<void, void> {
    do {
      yield* this.#decode();
      yield* what();
    } while (this.#waiting.size > 0);
    this.#hasImports = this.#read === undefined;
  }

  *#decode(): Generator<void, void> {
    for (const [path, packed] of this.#waiting) {
      // Another run of this may have been faster.
      if (!this.#waiting.delete(path)) continue;
      const encoded = unpackFacts(packed);
      this.#graph.set(path, encoded === "" ? undefined : decodeFacts(encoded), encoded);
      yield;
    }
  }

  /** Import edges that are not what is stored, by file. They are taken as stored from now on. */
  async takeChangedEdges(yieldToForeground?: YieldToForeground): Promise<FileDependencies[]> {
    if (this.#isStored) return [];
    await this.#whenStoredRead();
    this.#isStored = true;
    this.#releaseLater();
    return await inSlices(this.#collectChangedEdges(), yieldToForeground);
  }

  *#collectChangedEdges(): Generator<void, FileDependencies[]> {
    yield* this.#decode();
    yield* this.#graph.resolveImports();
    this.#hasImports = this.#read === undefined && this.#waiting.size === 0;
    const { project } = this.#graph;
    const paths = new Set(this.#graph.takeResolved().map((file) => project.path(file)));
    for (const [path, hash] of this.#hashes) if (hash === "") paths.add(path);
    const changed: FileDependencies[] = [];
    for (const path of paths) {
      const [known, file] = [this.#hashes.get(path), project.find(path)];
      if (known === undefined || file === undefined) continue;
      const rows = edgeRows(this.#graph, file);
      const hash = createHash("sha256").update(JSON.stringify(rows)).digest("hex").slice(0, 16);
      if (hash !== known) {
        this.#hashes.set(path, hash);
        changed.push({ path, rows, hash });
      }
      yield;
    }
    return changed;
  }

  /** What was taken could not be stored. */
  forgetStored(): void {
    for (const path of this.#hashes.keys()) this.#hashes.set(path, "");
    this.#isStored = false;
  }
}

/** Whether stored arrays could be used. */
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

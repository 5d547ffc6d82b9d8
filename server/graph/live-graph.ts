/** The graph of an index in memory: follows commits, and resolves what a change concerns in slices. */

import { createHash } from "node:crypto";
import { inSlices } from "../common/slices.ts";
import { decodeFacts } from "../contracts/facts.ts";
import type {
  DependencyRow,
  FileDependencies,
  LiveGraph,
  StoredFacts,
} from "../contracts/graph.ts";
import { Graph } from "./graph.ts";

export class IndexGraph implements LiveGraph {
  readonly #graph = new Graph();
  /** Encoded facts of files that the graph does not know yet. */
  readonly #waiting = new Map<string, string>();
  /** Of the edges that are stored of each file; empty where they have to be stored. */
  readonly #hashes = new Map<string, string>();
  #isStored = true;
  #resolving: Promise<void> | undefined;
  #resolvingImports: Promise<void> | undefined;

  /** What was read from the store. */
  load(files: readonly StoredFacts[]): void {
    for (const { path, facts, edgesHash } of files) {
      this.#waiting.set(path, facts);
      this.#hashes.set(path, edgesHash);
      if (edgesHash === "") this.#isStored = false;
    }
  }

  replace(
    removed: readonly string[],
    files: readonly { readonly path: string; readonly facts: string }[],
  ): void {
    for (const path of removed) {
      this.#waiting.delete(path);
      this.#hashes.delete(path);
      this.#graph.remove(path);
    }
    for (const { path, facts } of files) {
      this.#waiting.set(path, facts);
      this.#hashes.set(path, "");
    }
    this.#isStored = false;
  }

  /** The graph of what was committed, with all of it resolved. */
  async whenResolved(): Promise<Graph> {
    // All who ask meanwhile wait for one run of it, which also takes up what changes before it ends.
    this.#resolving ??= inSlices(this.#resolve()).finally(() => {
      this.#resolving = undefined;
    });
    await this.#resolving;
    return this.#graph;
  }

  /** The graph with the imports of what was committed; calls may be of before. */
  async whenImportsResolved(): Promise<Graph> {
    this.#resolvingImports ??= inSlices(this.#resolveImports()).finally(() => {
      this.#resolvingImports = undefined;
    });
    await this.#resolvingImports;
    return this.#graph;
  }

  *#resolveImports(): Generator<void, void> {
    do {
      yield* this.#decode();
      yield* this.#graph.resolveImports();
    } while (this.#waiting.size > 0);
  }

  *#resolve(): Generator<void, void> {
    do {
      yield* this.#decode();
      yield* this.#graph.resolveAll();
    } while (this.#waiting.size > 0);
  }

  *#decode(): Generator<void, void> {
    for (const [path, encoded] of this.#waiting) {
      // Another run of this may have been faster.
      if (!this.#waiting.delete(path)) continue;
      this.#graph.set(path, encoded === "" ? undefined : decodeFacts(encoded));
      yield;
    }
  }

  /** Import edges that are not what is stored, by file. They are taken as stored from now on. */
  async takeChangedEdges(): Promise<FileDependencies[]> {
    if (this.#isStored) return [];
    this.#isStored = true;
    return await inSlices(this.#collectChangedEdges());
  }

  *#collectChangedEdges(): Generator<void, FileDependencies[]> {
    yield* this.#decode();
    yield* this.#graph.resolveImports();
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

function edgeRows(graph: Graph, file: number): DependencyRow[] {
  const sourceFile = graph.project.path(file);
  const statements = graph.project.facts(file)?.imports ?? [];
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

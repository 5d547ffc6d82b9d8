/** The graph of an index in memory: follows commits, and is put together anew when it is asked after a change. */

import { createHash } from "node:crypto";
import { decodeFacts, type FileFacts } from "../contracts/facts.ts";
import type {
  DependencyRow,
  FileDependencies,
  LiveGraph,
  StoredFacts,
} from "../contracts/graph.ts";
import { Graph } from "./graph.ts";

interface KeptFile {
  readonly encoded: string;
  /** Of the edges that are stored of it; empty where they have to be stored. */
  edgesHash: string;
  /** Decoded when it was first asked for; null where there are no facts. */
  facts?: FileFacts | null;
}

export class IndexGraph implements LiveGraph {
  readonly #files = new Map<string, KeptFile>();
  #graph: Graph | undefined;
  #isStored = true;

  /** What was read from the store. */
  load(files: readonly StoredFacts[]): void {
    for (const { path, facts, edgesHash } of files)
      this.#files.set(path, { encoded: facts, edgesHash });
    this.#graph = undefined;
  }

  replace(
    removed: readonly string[],
    files: readonly { readonly path: string; readonly facts: string }[],
  ): void {
    for (const path of removed) this.#files.delete(path);
    for (const { path, facts } of files) this.#files.set(path, { encoded: facts, edgesHash: "" });
    this.#graph = undefined;
    this.#isStored = false;
  }

  get graph(): Graph {
    if (this.#graph === undefined) {
      const paths = [...this.#files.keys()].toSorted((a, b) => (a < b ? -1 : 1));
      this.#graph = new Graph(paths.map((path) => ({ path, facts: this.#factsOf(path) })));
    }
    return this.#graph;
  }

  #factsOf(path: string): FileFacts | undefined {
    const file = this.#files.get(path);
    if (file === undefined || file.encoded === "") return undefined;
    file.facts ??= decodeFacts(file.encoded) ?? null;
    return file.facts ?? undefined;
  }

  /** Import edges that are not what is stored, by file. They are taken as stored from now on. */
  takeChangedEdges(): FileDependencies[] {
    if (this.#isStored) return [];
    this.#isStored = true;
    const changed: FileDependencies[] = [];
    const { graph } = this;
    graph.project.files.forEach(({ path }, file) => {
      const kept = this.#files.get(path);
      if (kept === undefined) return;
      const rows = edgeRows(graph, file);
      const hash = createHash("sha256").update(JSON.stringify(rows)).digest("hex").slice(0, 16);
      if (hash === kept.edgesHash) return;
      kept.edgesHash = hash;
      changed.push({ path, rows, hash });
    });
    return changed;
  }

  /** What was taken could not be stored. */
  forgetStored(): void {
    for (const file of this.#files.values()) file.edgesHash = "";
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

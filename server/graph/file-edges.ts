/** How files depend on each other, with how much: imports, calls and types together, in both directions. */

import type { DefinitionRef, Project } from "./project.ts";

/** What edges are collected from: the graph. */
interface EdgeSource {
  readonly project: Project;
  importsOf(file: number): readonly Named[];
  callsOf(file: number): readonly {
    readonly to: DefinitionRef;
    readonly line: number;
    readonly isCandidate: boolean;
  }[];
  referencesOf(file: number): readonly Named[];
}

/** A file that another one names, and in which line. */
interface Named {
  readonly to: number;
  readonly line: number;
}

export type EdgeType = "import" | "call" | "reference";

export interface FileEdge {
  readonly file: number;
  /** Occurrences; an import counts as one. */
  readonly weight: number;
  readonly types: ReadonlySet<EdgeType>;
  /** The first line at which the source names the target. */
  readonly line: number;
}

type Edges = ReadonlyMap<number, FileEdge>;

interface MutableEdge {
  file: number;
  weight: number;
  types: Set<EdgeType>;
  line: number;
}

const NONE: Edges = new Map();

export class FileEdges {
  readonly #from = new Map<number, Map<number, MutableEdge>>();
  readonly #to = new Map<number, Map<number, MutableEdge>>();

  /** Resolves every call of the workspace; made once after a change, when it is first asked for. */
  constructor(graph: EdgeSource) {
    graph.project.files.forEach((_, file) => {
      for (const { to, line } of graph.importsOf(file)) this.#add(file, to, "import", line);
      for (const { to, line, isCandidate } of graph.callsOf(file))
        if (!isCandidate) this.#add(file, to.file, "call", line);
      for (const { to, line } of graph.referencesOf(file)) this.#add(file, to, "reference", line);
    });
  }

  /** What a file depends on. */
  from(file: number): Edges {
    return this.#from.get(file) ?? NONE;
  }

  /** What depends on a file. */
  to(file: number): Edges {
    return this.#to.get(file) ?? NONE;
  }

  #add(from: number, to: number, type: EdgeType, line: number): void {
    if (from === to) return;
    note(this.#from, from, { file: to, weight: 1, types: new Set([type]), line });
    note(this.#to, to, { file: from, weight: 1, types: new Set([type]), line });
  }
}

function note(map: Map<number, Map<number, MutableEdge>>, key: number, edge: MutableEdge): void {
  const edges = map.get(key) ?? new Map<number, MutableEdge>();
  map.set(key, edges);
  const known = edges.get(edge.file);
  if (known === undefined) {
    edges.set(edge.file, edge);
    return;
  }
  known.weight += edge.weight;
  known.line = Math.min(known.line, edge.line);
  for (const type of edge.types) known.types.add(type);
}

/** How files depend on each other, with how much: imports, calls and types together, in both directions. */

import type { DefinitionRef, Project } from "./project.ts";

/** What edges are collected from: the graph. */
interface EdgeSource {
  readonly project: Project;
  importsOf(file: number): readonly Named[];
  callsOf(file: number): readonly {
    readonly to: DefinitionRef;
    readonly line: number;
    readonly confidence: number;
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
  /** Of the surest import or call; undefined where there is none. */
  readonly confidence: number | undefined;
}

type Edges = ReadonlyMap<number, FileEdge>;

interface MutableEdge {
  file: number;
  weight: number;
  types: Set<EdgeType>;
  line: number;
  confidence: number | undefined;
}

const NONE: Edges = new Map();

export class FileEdges {
  readonly #from = new Map<number, Map<number, MutableEdge>>();
  readonly #to = new Map<number, Map<number, MutableEdge>>();

  /** Resolves every call of the workspace; made once after a change, when it is first asked for. */
  constructor(graph: EdgeSource) {
    graph.project.files.forEach((_, file) => {
      for (const { to, line } of graph.importsOf(file)) this.#add(file, to, "import", line, 1);
      for (const { to, line, confidence, isCandidate } of graph.callsOf(file))
        if (!isCandidate) this.#add(file, to.file, "call", line, confidence);
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

  #add(from: number, to: number, type: EdgeType, line: number, confidence?: number): void {
    if (from === to) return;
    const edge = () => ({ weight: 1, types: new Set([type]), line, confidence });
    note(this.#from, from, { file: to, ...edge() });
    note(this.#to, to, { file: from, ...edge() });
  }
}

/** The surer of two. */
export function surest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
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
  known.confidence = surest(known.confidence, edge.confidence);
  for (const type of edge.types) known.types.add(type);
}

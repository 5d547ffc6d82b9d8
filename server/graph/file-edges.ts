/** How files depend on each other, with how much: imports, calls and types together, in both directions. */

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

/** One place at which a file names another. */
export interface Occurrence {
  readonly to: number;
  readonly type: EdgeType;
  readonly line: number;
  readonly confidence?: number;
}

const NONE: Edges = new Map();

export class FileEdges {
  readonly #from = new Map<number, Edges>();
  readonly #to = new Map<number, Map<number, FileEdge>>();
  readonly #compare: (a: number, b: number) => number;

  /** `compare` puts files in an order that does not depend on when they were added. */
  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare;
  }

  /** What a file depends on. */
  from(file: number): Edges {
    return this.#from.get(file) ?? NONE;
  }

  /** What depends on a file. */
  to(file: number): Edges {
    return this.#to.get(file) ?? NONE;
  }

  compare(a: number, b: number): number {
    return this.#compare(a, b);
  }

  /** Replaces what a file depends on. */
  replace(file: number, occurrences: readonly Occurrence[]): void {
    for (const target of this.from(file).keys()) this.#to.get(target)?.delete(file);
    const edges = gather(file, occurrences);
    if (edges.size === 0) this.#from.delete(file);
    else this.#from.set(file, edges);
    for (const [target, edge] of edges) {
      const sources = this.#to.get(target) ?? new Map<number, FileEdge>();
      this.#to.set(target, sources);
      sources.set(file, { ...edge, file });
    }
  }
}

/** One edge for each file that is named. */
function gather(file: number, occurrences: readonly Occurrence[]): Map<number, FileEdge> {
  const edges = new Map<number, FileEdge>();
  for (const { to, type, line, confidence } of occurrences) {
    if (to === file) continue;
    const known = edges.get(to);
    edges.set(to, {
      file: to,
      weight: (known?.weight ?? 0) + 1,
      types: known?.types.has(type) ? known.types : new Set([...(known?.types ?? []), type]),
      line: Math.min(known?.line ?? line, line),
      confidence: surest(known?.confidence, confidence),
    });
  }
  return edges;
}

/** The surer of two. */
export function surest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

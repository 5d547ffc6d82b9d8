/** Breadth-first traversals of the file graph: related files, the impact of a change, and shortest dependency paths. */

import { createWorkCounter } from "../../common/work-counter.ts";
import {
  type EdgeType,
  type FileEdge,
  type FileEdges,
  joinTypes,
  surest,
} from "../project/file-edges.ts";

type Direction = "imports" | "importedBy" | "all";

export interface Reached {
  readonly file: number;
  readonly hops: number;
  /** The previous file on the path, whose edge `line`, `types` and `confidence` describe. */
  readonly via: number;
  readonly line: number;
  readonly types: readonly EdgeType[];
  /** Whether the file depends on `via`, rather than `via` on the file. */
  readonly isDependent: boolean;
  /** The product of the confidences along the hops; undefined if one edge is only a type reference. */
  readonly confidence: number | undefined;
  readonly score: number;
  /** The share of random walks that end at the file, summed over the starts. */
  readonly share: number;
}

type MutableReached = Omit<Reached, "score" | "share"> & { score: number; share: number };
type Frontier = Pick<Reached, "file" | "score" | "confidence" | "share">;

interface TraversalOptions {
  readonly direction: Direction;
  readonly hops: number;
  readonly types?: ReadonlySet<EdgeType> | undefined;
}

/** The score of a hop relative to that of the hop before. */
const DECAY = 0.1;
/** Edges per step: a third of a millisecond. */
const STEP_EDGES = 1_000;
/** The share of random walks that continue after the first hop. */
const CONTINUING_SHARE = 0.4;

/** The files within `hops`, each once: ordered by distance, then by occurrences. In steps. */
export function* walk(
  edges: FileEdges,
  starts: readonly number[],
  { direction, hops, types }: TraversalOptions,
): Generator<void, Reached[]> {
  const isStep = createWorkCounter(STEP_EDGES);
  const seen = new Map<number, MutableReached | undefined>(starts.map((file) => [file, undefined]));
  const reached: Reached[] = [];
  let level: readonly Frontier[] = starts.map((file) => ({
    file,
    score: 1,
    confidence: 1,
    share: 1,
  }));
  for (let hop = 1; hop <= hops; hop++) {
    const found = new Map<number, MutableReached>();
    for (const { file, score, confidence, share } of level) {
      const neighborEdges = neighbors(edges, file, direction).filter((edge) => fits(edge, types));
      if (isStep(neighborEdges.length)) yield;
      const passedOn = share * (hop === 1 ? 1 : CONTINUING_SHARE);
      const shareOf =
        passedOn / neighborEdges.reduce((sum, { weight }) => sum + Math.sqrt(weight), 0);
      for (const edge of neighborEdges) {
        const ownShare = shareOf * Math.sqrt(edge.weight);
        const own = score * edge.weight * (hop === 1 ? 1 : DECAY);
        const before = found.get(edge.file) ?? seen.get(edge.file);
        if (before !== undefined) before.share += ownShare;
        if (seen.has(edge.file)) continue;
        if (before !== undefined) {
          before.score += own;
          continue;
        }
        found.set(edge.file, {
          file: edge.file,
          hops: hop,
          via: file,
          line: edge.line,
          types: [...edge.types],
          isDependent: direction !== "imports" && edges.to(file).has(edge.file),
          confidence: product(confidence, edge.confidence),
          score: own,
          share: ownShare,
        });
      }
    }
    const ordered = [...found.values()].toSorted(
      (a, b) => b.score - a.score || edges.compare(a.file, b.file),
    );
    for (const one of ordered) seen.set(one.file, one);
    reached.push(...ordered);
    // Copies: shares that return from the next hop are not passed on.
    level = ordered.map(({ file, score, confidence, share }) => ({
      file,
      score,
      confidence,
      share,
    }));
  }
  return reached;
}

function product(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a * b;
}

/** The shortest dependency path from one file to another, both included; undefined without one. */
export function findPath(
  edges: FileEdges,
  from: number,
  to: number,
): readonly number[] | undefined {
  const cameFrom = new Map<number, number>([[from, -1]]);
  let level = [from];
  while (level.length > 0 && !cameFrom.has(to)) {
    const next: number[] = [];
    for (const file of level) {
      for (const edge of edges.from(file).keys()) {
        if (cameFrom.has(edge)) continue;
        cameFrom.set(edge, file);
        next.push(edge);
      }
    }
    level = next;
  }
  if (!cameFrom.has(to)) return undefined;
  const path: number[] = [];
  for (let at = to; at >= 0; at = cameFrom.get(at) ?? -1) path.unshift(at);
  return path;
}

function neighbors(edges: FileEdges, file: number, direction: Direction): FileEdge[] {
  if (direction === "imports") return [...edges.from(file).values()];
  const dependents = edges.to(file);
  if (direction === "importedBy") return [...dependents.values()];
  const both = new Map(dependents);
  for (const dependency of edges.from(file).values()) {
    const dependent = both.get(dependency.file);
    both.set(dependency.file, dependent === undefined ? dependency : merged(dependent, dependency));
  }
  return [...both.values()];
}

/** Merges both edges between files that depend on each other. The line is that of the dependent, to agree with `isDependent`. */
function merged(dependent: FileEdge, dependency: FileEdge): FileEdge {
  return {
    ...dependent,
    weight: dependent.weight + dependency.weight,
    types: joinTypes(dependent.types, dependency.types),
    confidence: surest(dependent.confidence, dependency.confidence),
  };
}

function fits(edge: FileEdge, types: ReadonlySet<EdgeType> | undefined): boolean {
  return types === undefined || [...edge.types].some((type) => types.has(type));
}

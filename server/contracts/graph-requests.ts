/** The parameters of graph requests, their validation, and the answers. */

import * as z from "zod";
import { EDGE_TYPES } from "./graph.ts";
import { parseParameters } from "./parse-parameters.ts";
import { MAX_LIMIT } from "./request-defaults.ts";

/** One edge as `deps export` writes it. Paths are relative to the folder; lines are zero-based. */
export type ExportedEdge =
  | {
      /** `reference` is an edge to a used file of a package that is imported as a whole. */
      readonly kind: "import" | "reference";
      readonly from: string;
      readonly to: string;
      readonly line: number;
      readonly confidence: number;
      readonly how: string;
    }
  | {
      readonly kind: "call" | "candidate";
      readonly at: { readonly file: string; readonly line: number; readonly column: number };
      readonly name: string;
      readonly to: { readonly file: string; readonly line: number; readonly name: string };
      readonly confidence: number;
      readonly how: string;
    };

/** A page of the edges. `next` is the start of the next page. */
export interface ExportedEdges {
  /** The files of this page that the graph knows, with or without edges. */
  readonly files: readonly string[];
  readonly edges: readonly ExportedEdge[];
  readonly next?: number;
}

const isGiven = (value: unknown) => value !== undefined;
const path = z.string().min(1).max(4000);
const hops = z.number().int().min(1).max(5).optional();
const limit = z.number().int().min(1).max(MAX_LIMIT).optional();

export const relatedShape = z.strictObject({
  path,
  direction: z.enum(["imports", "importedBy", "all"]).optional(),
  types: z.array(z.enum(EDGE_TYPES)).optional(),
  hops,
  limit,
});
const impactShape = z
  .strictObject({
    paths: z.array(path).min(1).max(1000).optional(),
    diff: z.string().max(50_000_000).optional(),
    revision: z.string().min(1).max(1000).optional(),
    root: path.optional(),
    depth: hops,
    limit,
  })
  .refine(({ paths, diff, revision }) => [paths, diff, revision].filter(isGiven).length === 1, {
    message: "give one of paths, diff and revision",
  });
const pathShape = z.strictObject({ from: path, to: path });
const callsShape = z.strictObject({ name: z.string().min(1).max(1000), limit });

/** Paths are absolute, or relative to the first opened folder. */
export type RelatedRequest = z.infer<typeof relatedShape>;
/**
 * A change is given by its paths, by a unified diff, or by a revision that the working tree is compared with, including
 * untracked files. `root` is the opened folder of a diff or revision; by default the first one.
 */
export type ImpactRequest = z.infer<typeof impactShape>;
export type PathRequest = z.infer<typeof pathShape>;
export type CallsRequest = z.infer<typeof callsShape>;

export const parseRelatedRequest = (value: unknown): RelatedRequest =>
  parseParameters(relatedShape, value);
export const parseImpactRequest = (value: unknown): ImpactRequest =>
  parseParameters(impactShape, value);
export const parsePathRequest = (value: unknown): PathRequest => parseParameters(pathShape, value);
export const parseCallsRequest = (value: unknown): CallsRequest =>
  parseParameters(callsShape, value);

export interface RelatedFile {
  readonly path: string;
  readonly hops: number;
  /** The file through which it is reached, and the line of the edge in the dependent file. */
  readonly via: string;
  readonly line: number;
  readonly types: readonly string[];
  /** The direction of the dependency between the two files. */
  readonly dependent: boolean;
  /**
   * The confidence: the product over all hops. Missing if an edge is a type reference, which has no measured precision.
   */
  readonly confidence?: number;
}

/** An external package. */
export interface UsedPackage {
  readonly name: string;
  /** The version in a lock file, if there is one. */
  readonly version?: string;
  /** The line of the first import. */
  readonly line: number;
}

export interface RelatedAnswer {
  readonly files: readonly RelatedFile[];
  /** The packages that the file itself imports. Empty if only dependents are requested. */
  readonly packages: readonly UsedPackage[];
  /** The total number without the limit. */
  readonly total: number;
}

interface CoChangedFile {
  readonly path: string;
  /** Greater than 0. Each changed file adds at most 1. */
  readonly score: number;
}

/** A file that a change may affect, with the evidence: an edge of the graph, commits that changed both, or both. */
export type ImpactFile =
  | (RelatedFile & { readonly reason: "graph" })
  | (RelatedFile & { readonly reason: "both"; readonly coChange: number })
  | { readonly path: string; readonly reason: "co-change"; readonly coChange: number }
  | { readonly path: string; readonly reason: "name" };

export interface ImpactAnswer {
  /** The indexed files of the request. */
  readonly changed: readonly string[];
  /** Best first: neighbors in the graph, files that changed together, and files with similar names. */
  readonly files: readonly ImpactFile[];
  /** The total number without the limit. */
  readonly total: number;
  /** Tests that depend on the changed files, nearest first. */
  readonly tests: readonly string[];
  /** The total number without the limit. */
  readonly testsTotal: number;
  /** Files that commits changed together with these, best first. Empty without a history. */
  readonly coChanged: readonly CoChangedFile[];
  /** The requested paths that the graph does not know, such as deleted files. */
  readonly notIndexed: readonly string[];
}

export interface CallsAnswer {
  /** Sorted by descending confidence. */
  readonly calls: readonly CallSite[];
  /** The total number without the limit. */
  readonly total: number;
}

/** A call with its two ends. */
export interface CallSite {
  /** The opened folder that paths are relative to. */
  readonly root: string;
  readonly path: string;
  readonly line: number;
  /** The calling definition. */
  readonly caller: string;
  readonly target: { readonly path: string; readonly line: number; readonly name: string };
  readonly confidence: number;
  readonly how: string;
}

/** What a client may ask of the graph, and what it is answered. */

import * as z from "zod";
import { EDGE_TYPES } from "./graph.ts";
import { parseParameters } from "./parse-parameters.ts";
import { MAX_LIMIT } from "./request-defaults.ts";

/** One edge as `deps export` writes it. Paths are relative to the folder; lines are zero-based. */
export type ExportedEdge =
  | {
      /** A reference: the statement is an import of a whole package, and names of this file are used. */
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

/** A part of all edges; `next` is where the rest begins. */
export interface ExportedEdges {
  /** Files of this part of which anything is known, with edges or without. */
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
 * What changes: the paths, those that a unified diff names, or those in which the work tree differs from a revision, with
 * files that are not tracked yet. `root` is the opened folder that a diff or a revision is of; by default the first one.
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
  /** The file through which it is reached, and the line of the edge, in the file that depends on the other. */
  readonly via: string;
  readonly line: number;
  readonly types: readonly string[];
  /** Which of the two depends on the other: the file that was reached, or the one through which it was. */
  readonly dependent: boolean;
  /** The product of the confidences along the hops; absent if one edge is only a type reference. */
  readonly confidence?: number;
}

/** A package from outside the workspace. */
export interface UsedPackage {
  readonly name: string;
  /** Of the first import. */
  readonly line: number;
}

export interface RelatedAnswer {
  readonly files: readonly RelatedFile[];
  /** Packages that the file itself imports; none where only dependents were asked for. */
  readonly packages: readonly UsedPackage[];
  /** How many there are without the limit. */
  readonly total: number;
}

interface CoChangedFile {
  readonly path: string;
  /** More than 0; each changed file adds at most 1. */
  readonly score: number;
}

/** A file that a change may touch, and what says so: an edge of the graph, commits that changed both, or both. */
export type ImpactFile =
  | (RelatedFile & { readonly reason: "graph" })
  | (RelatedFile & { readonly reason: "both"; readonly coChange: number })
  | { readonly path: string; readonly reason: "co-change"; readonly coChange: number }
  | { readonly path: string; readonly reason: "name" };

export interface ImpactAnswer {
  /** Files of the request that are indexed. */
  readonly changed: readonly string[];
  /** Best first: the neighbors in the graph and what changed together, and what is named alike. */
  readonly files: readonly ImpactFile[];
  /** How many there are without the limit. */
  readonly total: number;
  /** Tests that depend on what changes, nearest first. */
  readonly tests: readonly string[];
  /** How many there are without the limit. */
  readonly testsTotal: number;
  /** Files that commits changed together with these, best first; empty where there is no history. */
  readonly coChanged: readonly CoChangedFile[];
  /** Paths of the request of which the graph knows nothing, such as deleted files. */
  readonly notIndexed: readonly string[];
}

export interface CallsAnswer {
  /** Surest first. */
  readonly calls: readonly CallSite[];
  /** How many there are without the limit. */
  readonly total: number;
}

/** A call by its two ends. */
export interface CallSite {
  /** The opened folder that paths are relative to. */
  readonly root: string;
  readonly path: string;
  readonly line: number;
  /** The definition that calls. */
  readonly caller: string;
  readonly target: { readonly path: string; readonly line: number; readonly name: string };
  readonly confidence: number;
  readonly how: string;
}

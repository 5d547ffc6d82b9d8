/** Weighted edges between files: imports, calls and type references, in both directions. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { NumberLists } from "../../common/packed/number-lists.ts";
import {
  checkBounds,
  type PackedArrays,
  packParts,
  partOf,
} from "../../common/packed/packed-arrays.ts";
import { EDGE_TYPES } from "../../contracts/graph.ts";

export type EdgeType = (typeof EDGE_TYPES)[number];

export interface FileEdge {
  readonly file: number;
  /** Occurrences; an import counts as one. */
  readonly weight: number;
  readonly types: ReadonlySet<EdgeType>;
  /** The first line of the source that refers to the target. */
  readonly line: number;
  /** The highest of its imports and calls; undefined if the source only names types of the target. */
  readonly confidence: number | undefined;
  /** Whether a call uses another name than its target: an alias, or a class for its constructor. */
  readonly isRenamed: boolean;
}

type Edges = ReadonlyMap<number, FileEdge>;

/** One reference from a file to another. */
export interface EdgeOccurrence {
  readonly to: number;
  readonly type: EdgeType;
  readonly line: number;
  readonly confidence?: number;
  readonly isRenamed?: boolean;
}

/** An encoded edge: target, weight, bits, line, and confidence in ten-thousandths or -1. */
const FIELDS = 5;
/** The bit above the bits of the types. */
const RENAMED = 1 << EDGE_TYPES.length;
const CONFIDENCE_UNIT = 10_000;

type EdgeTypes = ReadonlySet<EdgeType>;

/** One shared set per combination of types, indexed by its bits. */
const TYPE_SETS: readonly EdgeTypes[] = Array.from(
  { length: 1 << EDGE_TYPES.length },
  (_, bits) => new Set(EDGE_TYPES.filter((_type, bit) => (bits & (1 << bit)) !== 0)),
);

function typesOf(bits: number): EdgeTypes {
  return TYPE_SETS[bits] ?? new Set();
}

function bitsOf(types: EdgeTypes): number {
  const bits = TYPE_SETS.indexOf(types);
  return bits < 0
    ? EDGE_TYPES.reduce((sum, type, bit) => sum | (types.has(type) ? 1 << bit : 0), 0)
    : bits;
}

/** The union of two sets of types. */
export function joinTypes(a: EdgeTypes, b: EdgeTypes): EdgeTypes {
  return a === b ? a : typesOf(bitsOf(a) | bitsOf(b));
}

export class FileEdges {
  /** By source. */
  #from = new NumberLists(Int32Array);
  /** The sources of each target. */
  #to = new NumberLists(Int32Array);
  readonly #compare: (a: number, b: number) => number;
  /** Decoded edges, until the next change. */
  readonly #cache = { from: new Map<number, Edges>(), to: new Map<number, Edges>() };

  /** `compare` orders files independently of when they were added. */
  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare;
  }

  /** The files that a file depends on, by number. */
  from(file: number): Edges {
    return getOrCreate(this.#cache.from, file, () => this.#readFrom(file));
  }

  /** The files that depend on a file, by number, in the order of `compare`. */
  to(file: number): Edges {
    return getOrCreate(this.#cache.to, file, () => this.#readTo(file));
  }

  /**
   * The given files, then the files that depend on them. True if a file calls them by other names than their own, so
   * that each of its calls has to be resolved.
   */
  referringFiles(files: readonly number[]): ReadonlyMap<number, boolean> {
    const referringFiles = new Map(files.map((file) => [file, true]));
    for (const file of files)
      for (const [source, { isRenamed }] of this.to(file))
        referringFiles.set(source, isRenamed || referringFiles.get(source) === true);
    return referringFiles;
  }

  #readFrom(file: number): Edges {
    const edges = new Map<number, FileEdge>();
    const list = this.#from.get(file);
    for (let at = 0; at < list.length; at += FIELDS) {
      const edge = toEdge(list, at);
      edges.set(edge.file, edge);
    }
    return edges;
  }

  #readTo(file: number): Edges {
    const edges = new Map<number, FileEdge>();
    const sources = [...this.#to.get(file)].toSorted((a, b) => this.#compare(a, b));
    for (const source of sources) {
      const list = this.#from.get(source);
      for (let at = 0; at < list.length; at += FIELDS) {
        if (list[at] !== file) continue;
        edges.set(source, { ...toEdge(list, at), file: source });
        break;
      }
    }
    return edges;
  }

  compare(a: number, b: number): number {
    return this.#compare(a, b);
  }

  /** Replaces the edges from a file. */
  replace(file: number, occurrences: readonly EdgeOccurrence[]): void {
    const before = new Set(this.#targets(file));
    const edges = gather(file, occurrences);
    for (const target of before)
      if (!edges.has(target))
        this.#to.set(
          target,
          this.#to.get(target).filter((source) => source !== file),
        );
    for (const target of edges.keys())
      if (!before.has(target)) this.#to.set(target, [...this.#to.get(target), file]);
    this.#from.set(file, [...edges.values()].flatMap(toNumbers));
    this.#clearCache();
  }

  #targets(file: number): number[] {
    return [...this.#from.get(file)].filter((_, at) => at % FIELDS === 0);
  }

  #clearCache(): void {
    this.#cache.from.clear();
    this.#cache.to.clear();
  }

  /** All edges; valid until the next change. */
  pack(): PackedArrays {
    return packParts({ from: this.#from.packInPlace(), to: this.#to.packInPlace() });
  }

  /** Validates packed edges between this many files; the result replaces the current ones with them. Throws DamagedArrays. */
  unpack(arrays: PackedArrays, files: number): () => void {
    const from = NumberLists.unpack(partOf(arrays, "from"), Int32Array);
    const to = NumberLists.unpack(partOf(arrays, "to"), Int32Array);
    checkBounds("targets", from.values, 0, files, { column: 0, columns: FIELDS });
    checkBounds("sources", to.values, 0, files);
    return () => {
      this.#from = from;
      this.#to = to;
      this.#clearCache();
    };
  }

  trim(): void {
    this.#clearCache();
    this.#from.compact();
    this.#to.compact();
  }
}

function toNumbers({ file, weight, types, line, confidence, isRenamed }: FileEdge): number[] {
  const units = confidence === undefined ? -1 : Math.round(confidence * CONFIDENCE_UNIT);
  return [file, weight, bitsOf(types) | (isRenamed ? RENAMED : 0), line, units];
}

/** Decodes the edge at an offset of a list. */
function toEdge(list: Int32Array, at: number): FileEdge {
  const [file = 0, weight = 0, bits = 0] = [list[at], list[at + 1], list[at + 2]];
  const [line = 0, units = -1] = [list[at + 3], list[at + 4]];
  const confidence = units < 0 ? undefined : units / CONFIDENCE_UNIT;
  const types = typesOf(bits & (RENAMED - 1));
  return { file, weight, types, line, confidence, isRenamed: (bits & RENAMED) !== 0 };
}

/** Groups occurrences to one edge per target. */
function gather(file: number, occurrences: readonly EdgeOccurrence[]): Map<number, FileEdge> {
  const edges = new Map<number, FileEdge>();
  for (const { to, type, line, confidence, isRenamed = false } of occurrences) {
    if (to === file) continue;
    const known = edges.get(to);
    edges.set(to, {
      file: to,
      weight: (known?.weight ?? 0) + 1,
      types: known?.types.has(type) ? known.types : new Set([...(known?.types ?? []), type]),
      line: Math.min(known?.line ?? line, line),
      confidence: surest(known?.confidence, confidence),
      isRenamed: isRenamed || known?.isRenamed === true,
    });
  }
  return edges;
}

/** The higher of two confidences. */
export function surest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

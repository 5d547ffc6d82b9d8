/** Turns text into a vector: a weighted sum of word vectors, over three fields for a document and one for a query. */

import type { EmbeddableChunk } from "../ports.ts";
import type { Table } from "./table.ts";
import { eachWord, idsOf } from "./tokenize.ts";

/** Measured on the development benchmark (a prototype of this model): fields raised NDCG@10 from .652 to .783. */
const PATH_WEIGHT = 0.5;
const NAMES_WEIGHT = 0.3;

/** Part of the model's id: vectors of another formula are vectors of another model. */
export const FORMULA = "f1";

/** Folders further out say less about a file than its last ones. */
const PATH_SEGMENTS = 4;

/** Distinct spellings of a large repository; about 20 MB when full. */
const CACHE_WORDS = 100_000;

/** Embeds with one table. Holds buffers of its own: one a thread. */
export class BagEmbedder {
  readonly table: Table;
  private readonly vocabulary: ReadonlyMap<string, number>;
  private readonly ids = new Map<string, readonly number[]>();
  /** How often each word stands in the text at hand; zero between texts. */
  private readonly counts: Uint16Array;

  constructor(table: Table) {
    this.table = table;
    this.vocabulary = new Map(table.words.map((word, id) => [word, id]));
    this.counts = new Uint16Array(table.words.length);
  }

  /** norm(norm(body) + 0.5 norm(path) + 0.3 norm(names)); undefined when no word of it is known. */
  document({ path, text, names }: EmbeddableChunk): Float32Array | undefined {
    const sum = new Float32Array(this.table.dimension);
    this.add(sum, text, 1);
    this.add(sum, pathText(path), PATH_WEIGHT);
    this.add(sum, names.join(" "), NAMES_WEIGHT);
    return normalize(sum) ? sum : undefined;
  }

  query(text: string): Float32Array | undefined {
    const sum = new Float32Array(this.table.dimension);
    this.add(sum, text, 1);
    return normalize(sum) ? sum : undefined;
  }

  /** Adds `weight` times the field's vector of length 1. */
  private add(sum: Float32Array, text: string, weight: number): void {
    const { rows, scales, dimension } = this.table;
    const field = new Float32Array(dimension);
    for (const id of this.count(text)) {
      const times = (scales[id] as number) * Math.sqrt(this.counts[id] as number);
      this.counts[id] = 0;
      const row = id * dimension;
      for (let i = 0; i < dimension; i++) {
        field[i] = (field[i] as number) + times * (rows[row + i] as number);
      }
    }
    if (!normalize(field)) return;
    for (let i = 0; i < dimension; i++) sum[i] = (sum[i] as number) + weight * (field[i] as number);
  }

  /** Counts the words of the text; returns those that occur, in order of first occurrence. */
  private count(text: string): number[] {
    const seen: number[] = [];
    eachWord(text, (word) => {
      let ids = this.ids.get(word);
      if (ids === undefined) {
        ids = idsOf(word, this.vocabulary);
        if (this.ids.size >= CACHE_WORDS) this.ids.clear();
        this.ids.set(word, ids);
      }
      for (const id of ids) {
        const count = this.counts[id] as number;
        if (count === 0) seen.push(id);
        if (count < 65_535) this.counts[id] = count + 1;
      }
    });
    return seen;
  }
}

/** The last segments, and the file's name without extension once more. */
function pathText(path: string): string {
  const segments = path.split("/").slice(-PATH_SEGMENTS);
  const stem = (segments.at(-1) ?? "").replace(/\.[^.]*$/, "");
  return [...segments, stem].join(" ");
}

/** To length 1; false for a vector that has no direction. */
function normalize(vector: Float32Array): boolean {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return false;
  const scale = 1 / Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) * scale;
  return true;
}

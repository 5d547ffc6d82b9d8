/** Small indexes for the tests of search/: chunks from one line each, and an embedder that counts words. */

import { silent } from "../../server/common/log.ts";
import { wordsOf } from "../../server/common/words.ts";
import type { Embedder } from "../../server/contracts/embedding.ts";
import type { ChunkFacts, LiveLanes } from "../../server/contracts/lanes.ts";
import type { Category, CodeSymbol, SymbolType } from "../../server/contracts/model.ts";
import type { StoredChunk } from "../../server/contracts/stored-chunk.ts";
import { createQueryCache } from "../../server/search/cache.ts";
import type { SearchableIndex, SearchContext } from "../../server/search/context.ts";
import { createMemoryLanes } from "../../server/search/lanes/memory-lanes.ts";
import type { Categorizer } from "../../server/search/lanes/path-categories.ts";
import { newHit, type Ranked } from "../../server/search/ranking.ts";

interface ChunkOptions {
  readonly languageId?: string;
  readonly start?: number;
  readonly hierarchy?: string;
  readonly vector?: Float32Array;
}

export function symbolNamed(text: string, line = 0): CodeSymbol {
  // Two colons join a scope and a name.
  const [, name = text, type = "function"] = /^(.*[^:]):([^:]+)$/.exec(text) ?? [];
  const lines = { start: line, end: line };
  return { name, type: type as SymbolType, signature: name, lines, nameLine: line };
}

/** A chunk of one line; `symbols` are written `name:type`, separated by spaces. */
export function chunkOf(
  path: string,
  text: string,
  symbols = "",
  { languageId = "typescript", start = 0, hierarchy, vector }: ChunkOptions = {},
): StoredChunk {
  return {
    path,
    languageId,
    span: { start, end: start + text.length },
    lines: { start, end: start },
    context: { start, end: start },
    symbols: symbols
      .split(" ")
      .filter(Boolean)
      .map((each) => symbolNamed(each, start)),
    text,
    ...(hierarchy === undefined ? {} : { hierarchy }),
    ...(vector === undefined ? {} : { vector }),
  };
}

export function categoryOf(path: string): Category {
  if (/test/.test(path)) return "test";
  if (path.endsWith(".yaml")) return "config";
  return path.endsWith(".md") ? "docs" : "implementation";
}

export function* categorizer(): ReturnType<Categorizer> {
  yield;
  return categoryOf;
}

export function lanesOf(...chunks: readonly StoredChunk[]): LiveLanes {
  const lanes = createMemoryLanes({ categorizer });
  void lanes.replace([], chunks);
  return lanes;
}

/** The candidates that lanes would return for these chunks, numbered in order. */
export function factsOf(...chunks: readonly StoredChunk[]): Map<number, ChunkFacts> {
  return new Map(
    chunks.map(({ text: _text, vector: _vector, ...rest }, i) => [
      i,
      { ...rest, category: categoryOf(rest.path) },
    ]),
  );
}

/** Hits of these chunks before any boost. */
export function rankedOf(
  facts: Iterable<[number, ChunkFacts]>,
  scoreOf: (chunk: number, facts: ChunkFacts) => number = () => 1,
): Ranked[] {
  return [...facts].map(([chunk, each]) => {
    const hit = newHit(chunk, each, {});
    hit.score = scoreOf(chunk, each);
    return hit;
  });
}

const DIMENSION = 64;

/** Each word is one of 64 directions. */
export function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSION);
  for (const word of wordsOf(text)) {
    const direction = Array.from(word).reduce(
      (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973,
      7,
    );
    vector[direction % DIMENSION] = (vector[direction % DIMENSION] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

interface CountingEmbedder extends Embedder {
  readonly asked: string[];
}

export function createEmbedder(fails = false): CountingEmbedder {
  const asked: string[] = [];
  return {
    modelId: "words",
    dimension: DIMENSION,
    isLocal: true,
    asked,
    embedsWholeFiles: false,
    cacheTexts: (file) => file.map(({ text }) => text),
    embedChunks: async (chunks) => chunks.map(({ text }) => vectorOf(text)),
    embedQuery: async (text) => {
      asked.push(text);
      if (fails) throw new Error("connection refused");
      return vectorOf(text);
    },
    probe: async () => DIMENSION,
  };
}

/** A chunk with its vector. */
export function embedded(
  path: string,
  text: string,
  symbols = "",
  options: ChunkOptions = {},
): StoredChunk {
  return chunkOf(path, text, symbols, { ...options, vector: vectorOf(text) });
}

export function indexOf(
  name: string,
  lanes: LiveLanes,
  embedder: Embedder | undefined = createEmbedder(),
): SearchableIndex {
  return { name, root: `/${name}`, embedder, lanes: async () => lanes };
}

export function contextOf(...indexes: readonly SearchableIndex[]): SearchContext {
  return {
    indexes,
    cache: createQueryCache(),
    log: silent,
    readLines: async (root, path, { start, end }) => [`${root}/${path} ${start}-${end}`],
    resolveLanguage: (alias) =>
      ({ python: "python", py: "python", typescript: "typescript" })[alias],
    languageIds: ["python", "typescript"],
    defaultLimit: 10,
    defaultMinScore: 0,
  };
}

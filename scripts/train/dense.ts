/** Ranks chunks by their vectors alone: what a model gives before any other part of the ranking helps it. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { EmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { StaticEmbedder } from "../../server/embedding/static-embedder.ts";
import { prepareFile } from "../../server/indexing/prepare.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import { CUTOFF, type Result } from "../evaluation/metrics.ts";

/** The defaults of the server. */
const CHUNKS = { chunkSize: 1500, chunkOverlap: 300 };
const MAX_BYTES = 1_000_000;
const SKIPPED = /(?:^|\/)(?:\.git|node_modules|dist|build)(?:\/|$)/;

interface Passage {
  readonly path: string;
  readonly text: string;
  readonly names: readonly string[];
  readonly startLine: number;
  readonly endLine: number;
}

/** All chunks under a folder, as the server cuts them. */
export async function passagesOf(root: string): Promise<Passage[]> {
  const languages = createLanguages();
  const passages: Passage[] = [];
  for (const path of filesIn(root)) {
    const bytes = readFileSync(join(root, path));
    const file = { path, sha256: "", size: bytes.length, mtimeMs: 0, ...CHUNKS };
    const prepared = await prepareFile(bytes, file, languages);
    if (prepared.kind !== "prepared" || prepared.file.languageId === "text") continue;
    for (const { text, symbols, lines } of prepared.file.chunks) {
      const names = symbols.map(({ name }) => name);
      passages.push({ path, text, names, startLine: lines.start + 1, endLine: lines.end + 1 });
    }
  }
  return passages;
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .filter((path) => !SKIPPED.test(path) && statSync(join(root, path)).size <= MAX_BYTES)
    .toSorted();
}

/** With `contentOnly`, paths and names are ignored. */
export function createRanking(
  table: EmbeddingModel,
  passages: readonly Passage[],
  contentOnly: boolean,
): (query: string) => Result[] {
  const bag = new StaticEmbedder(table);
  const vectors = passages.map(({ path, text, names }) =>
    contentOnly ? bag.query(text) : bag.document({ path, text, names }),
  );
  return (query) => {
    const asked = bag.query(query);
    if (asked === undefined) return [];
    const scores = vectors.map((vector) => (vector === undefined ? -1 : dot(asked, vector)));
    return best(scores, CUTOFF).map((i) => passages[i] as Passage);
  };
}

/** The places of the highest scores, best first. */
export function best(scores: readonly number[], count: number): number[] {
  return scores
    .map((score, i) => [score, i] as const)
    .toSorted(([a], [b]) => b - a)
    .slice(0, count)
    .map(([, i]) => i);
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

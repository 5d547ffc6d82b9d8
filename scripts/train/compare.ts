/**
 * Compares the server's vectors with the vectors that verify.py wrote.
 *
 * usage: node --import tsx scripts/train/compare.ts MODELS_FOLDER VECTORS.json
 */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type EmbeddingModel, loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { StaticEmbedder } from "../../server/embedding/static-embedder.ts";

export interface Reference {
  readonly path: string;
  readonly text: string;
  readonly names: readonly string[];
  /** float32 in base64; null for a text without any known word. */
  readonly document: string | null;
  readonly query: string | null;
}

interface Difference {
  readonly text: string;
  /** The largest of any component; infinite where only one of the two knows a word. */
  readonly largest: number;
}

/** One a text, the largest first. Both sum in double precision, so that only the last bits may differ. */
export function differences(table: EmbeddingModel, references: readonly Reference[]): Difference[] {
  const bag = new StaticEmbedder(table);
  return references
    .map((each) => ({
      text: `${each.path} ${each.text}`,
      largest: Math.max(
        between(each.document, bag.document(each)),
        between(each.query, bag.query(each.text)),
      ),
    }))
    .toSorted((a, b) => b.largest - a.largest);
}

function between(expected: string | null, found: Float32Array | undefined): number {
  if (expected === null || found === undefined) {
    return expected === null && found === undefined ? 0 : Number.POSITIVE_INFINITY;
  }
  const bytes = Buffer.from(expected, "base64");
  return Math.max(...found.map((value, i) => Math.abs(value - bytes.readFloatLE(i * 4))));
}

if (resolve(process.argv[1] ?? "") === import.meta.filename) {
  const [folder = ".", file = "vectors.json"] = process.argv.slice(2);
  const table = loadEmbeddingModel(pathToFileURL(`${resolve(folder)}/`));
  const references = JSON.parse(readFileSync(file, "utf8")) as Reference[];
  const [worst] = differences(table, references);
  console.log(`${references.length} texts, largest difference ${worst?.largest ?? 0}`);
  if ((worst?.largest ?? 0) > 1e-6) {
    console.error(JSON.stringify(worst));
    process.exitCode = 1;
  }
}

/**
 * Reads the file of the built-in model, and holds the model in memory.
 *
 * The file: the length of the header in bytes as uint32, the header as JSON {format, id, dimension, words,
 * buckets}, zeros up to a multiple of four, then for each word and after them for each bucket one float32 (its
 * scale), then its row of int8. Numbers are little-endian. A vector is its row times its scale, into which its
 * weight is multiplied. tokenize.ts says which words and buckets a text has.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createVocabulary, type Vocabulary } from "./vocabulary.ts";

const FORMAT = 1;

/** All arrays are in shared memory, so that passing the model to a thread copies nothing. */
export interface EmbeddingModel {
  /** The model's name with the beginning of the file's sha256. */
  readonly id: string;
  readonly dimension: number;
  readonly vocabulary: Vocabulary;
  readonly buckets: number;
  readonly scales: Float32Array;
  /** One row of `dimension` numbers per word, then one per bucket. */
  readonly rows: Int8Array;
}

interface Header {
  readonly format: number;
  readonly id: string;
  readonly dimension: number;
  readonly words: readonly string[];
  readonly buckets: number;
}

/** The manifest beside the files: the name of the file to load, and its checksum. */
interface Manifest {
  readonly file: string;
  readonly sha256: string;
}

/** Reads the model that this version was published with. Throws when the file is another one. */
export function loadEmbeddingModel(folder = new URL("./models/", import.meta.url)): EmbeddingModel {
  const manifestFile = new URL("manifest.json", folder);
  const { file, sha256 } = JSON.parse(readFileSync(manifestFile, "utf8")) as Manifest;
  const path = fileURLToPath(new URL(file, folder));
  const bytes = readFileSync(path);
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== sha256) {
    throw new Error(`${path} is not the model of this version: install it again`);
  }
  return parseTable(bytes, sha256);
}

export function parseTable(bytes: Buffer, sha256: string): EmbeddingModel {
  const headerEnd = 4 + bytes.readUInt32LE(0);
  const header = JSON.parse(bytes.toString("utf8", 4, headerEnd)) as Header;
  if (header.format !== FORMAT) throw new Error(`a model of format ${header.format}`);
  const { dimension, words, buckets } = header;
  if (dimension % 4 !== 0) throw new Error(`a model of ${dimension} dimensions`);
  const count = words.length + buckets;
  const start = headerEnd + ((4 - (headerEnd % 4)) % 4);
  const rowsStart = start + count * 4;
  if (bytes.length !== rowsStart + count * dimension) {
    throw new Error("a model file of the wrong length");
  }
  return {
    id: `${header.id}-${sha256.slice(0, 8)}`,
    dimension,
    vocabulary: createVocabulary(words, (size) => new SharedArrayBuffer(size)),
    buckets,
    scales: new Float32Array(shared(bytes.subarray(start, rowsStart))),
    rows: new Int8Array(shared(bytes.subarray(rowsStart))),
  };
}

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
}

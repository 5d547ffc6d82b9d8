/**
 * The built-in model's file and what is in memory of it.
 *
 * The file: the bytes of the header's length as uint32, the header as JSON {format, id, dimension, words},
 * zeros up to a multiple of four, one float32 a word (its scale), and its row of int8. Numbers are
 * little-endian. A word's vector is its row times its scale, in which its weight is folded.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FORMAT = 1;

/** Shared by all threads, but for the words. */
export interface Table {
  /** The model's name with the beginning of the file's sha256. */
  readonly id: string;
  readonly dimension: number;
  readonly words: readonly string[];
  readonly scales: Float32Array;
  /** words x dimension */
  readonly rows: Int8Array;
}

interface Header {
  readonly format: number;
  readonly id: string;
  readonly dimension: number;
  readonly words: readonly string[];
}

/** The manifest beside the files: which one is loaded, and what it must be. */
interface Manifest {
  readonly file: string;
  readonly sha256: string;
}

/** Reads the table that the program was published with. Throws when the file is not that one. */
export function loadTable(): Table {
  const folder = new URL("./models/", import.meta.url);
  const manifestFile = new URL("manifest.json", folder);
  const { file, sha256 } = JSON.parse(readFileSync(manifestFile, "utf8")) as Manifest;
  const path = fileURLToPath(new URL(file, folder));
  const bytes = readFileSync(path);
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== sha256)
    throw new Error(`${path} is not the model of this version: install it again`);
  return parseTable(bytes, sha256);
}

export function parseTable(bytes: Buffer, sha256: string): Table {
  const headerEnd = 4 + bytes.readUInt32LE(0);
  const header = JSON.parse(bytes.toString("utf8", 4, headerEnd)) as Header;
  if (header.format !== FORMAT) throw new Error(`a model of format ${header.format}`);
  const { dimension, words } = header;
  const start = headerEnd + ((4 - (headerEnd % 4)) % 4);
  const size = words.length * 4 + words.length * dimension;
  if (bytes.length !== start + size) throw new Error("a model file of the wrong length");
  const shared = new SharedArrayBuffer(size);
  new Uint8Array(shared).set(bytes.subarray(start));
  return {
    id: `${header.id}-${sha256.slice(0, 8)}`,
    dimension,
    words,
    scales: new Float32Array(shared, 0, words.length),
    rows: new Int8Array(shared, words.length * 4),
  };
}

/** The file's bytes, for the programs that make one. */
export function formatTable(
  id: string,
  words: readonly string[],
  scales: Float32Array,
  rows: Int8Array,
): Buffer {
  const header: Header = { format: FORMAT, id, dimension: rows.length / words.length, words };
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const padding = Buffer.alloc((4 - (json.length % 4)) % 4);
  const parts = [length, json, padding, Buffer.from(scales.buffer), Buffer.from(rows.buffer)];
  return Buffer.concat(parts);
}

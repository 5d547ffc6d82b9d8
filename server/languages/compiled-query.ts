/**
 * Serializes compiled tree-sitter queries at build time and restores them in each thread.
 *
 * Compiling is slow, because it analyzes the whole grammar: 1,060 ms for Swift and 440 ms for C++ per thread; restoring
 * takes 2 ms (C++, 2 cores). web-tree-sitter has no interface for it, so this file copies the memory of `TSQuery`.
 */

import { createHash } from "node:crypto";
import { type Language, Query } from "web-tree-sitter";
import { exposedRuntime, type Runtime } from "./runtime.ts";

/** Bytes per pointer in 32-bit WebAssembly. */
const POINTER = 4;
const ARRAY = 3 * POINTER;

/**
 * The element size in bytes of each array of `TSQuery`, in the order of lib/src/query.c of the web-tree-sitter version in
 * package.json. `quantifiers` is an array of byte arrays, one per pattern. scripts/build-grammars.ts compares each restored
 * query with the compiled one.
 */
const ELEMENTS = {
  captureCharacters: 1,
  captureSlices: 8,
  valueCharacters: 1,
  valueSlices: 8,
  quantifiers: ARRAY,
  steps: 20,
  patternMap: 6,
  predicateSteps: 8,
  patterns: 28,
  stepOffsets: 8,
  negatedFields: 2,
  strings: 1,
  repeatSymbols: 2,
} as const;
const NAMES = Object.keys(ELEMENTS) as readonly (keyof typeof ELEMENTS)[];

/** After the arrays come the address of the language and a 16-bit number. */
const LANGUAGE_AT = NAMES.length * ARRAY;
const WILDCARDS_AT = LANGUAGE_AT + POINTER;
const STRUCT = WILDCARDS_AT + POINTER;

/** web-tree-sitter keeps the address of an object under the key 0. */
interface Handle {
  readonly 0: number;
}

const addressOf = (handle: Query | Language) => (handle as unknown as Handle)[0];

/** A file begins with a checksum of the query source and the rest of the file. */
const KEY_BYTES = 32;
const keyOf = (source: string, rest: Uint8Array) =>
  createHash("sha256").update(source).update(rest).digest();

/** Serializes a query that was compiled from `source`. */
export function compiledOf(query: Query, source: string): Buffer {
  const runtime = exposedRuntime();
  if (runtime === undefined)
    throw new Error("this version of web-tree-sitter does not expose its memory");
  const memory = bytesOf(runtime);
  const wordAt = (address: number) => runtime.HEAP32[address / POINTER] as number;
  const queryAddress = addressOf(query);
  const parts: Uint8Array[] = [memory.slice(queryAddress + WILDCARDS_AT, queryAddress + STRUCT)];
  const take = (array: number, size: number) => {
    const count = wordAt(array + POINTER);
    const from = wordAt(array);
    parts.push(words(count), memory.slice(from, from + count * size));
  };
  NAMES.forEach((name, i) => {
    const array = queryAddress + i * ARRAY;
    if (name !== "quantifiers") {
      take(array, ELEMENTS[name]);
      return;
    }
    const count = wordAt(array + POINTER);
    parts.push(words(count));
    for (let k = 0; k < count; k++) take(wordAt(array) + k * ARRAY, 1);
  });
  const rest = Buffer.concat(parts);
  return Buffer.concat([keyOf(source, rest), rest]);
}

/** Undefined if `compiled` is damaged, was compiled from another source, or cannot be restored by this runtime. */
export function restoreQuery(
  language: Language,
  source: string,
  compiled: Buffer,
): Query | undefined {
  const rest = compiled.subarray(KEY_BYTES);
  if (!keyOf(source, rest).equals(compiled.subarray(0, KEY_BYTES))) return undefined;
  const runtime = exposedRuntime();
  if (runtime === undefined) return undefined;
  const functions = runtime as Record<string, unknown>;
  const compile = functions["_ts_query_new"];
  // The constructor calls `_ts_query_new` and reads the names and predicates of the query at the address it returns.
  functions["_ts_query_new"] = () => writeQuery(runtime, rest, addressOf(language));
  try {
    return new Query(language, source);
  } finally {
    functions["_ts_query_new"] = compile;
  }
}

/** Writes a serialized query into the runtime's memory and returns its address. */
function writeQuery(runtime: Runtime, compiled: Buffer, language: number): number {
  const malloc = runtime["_malloc"] as (bytes: number) => number;
  let offset = 0;
  const next = (bytes: number) => compiled.subarray(offset, (offset += bytes));
  /** `malloc` may replace the memory, so the view is made after it. */
  const write = (size: number, bytes: Uint8Array) => {
    const address = malloc(size);
    bytesOf(runtime).set(bytes, address);
    return address;
  };
  const wildcards = next(STRUCT - WILDCARDS_AT);
  /** An array as three words: address, length and capacity. */
  const array = (size: number): readonly number[] => {
    const count = next(POINTER).readUInt32LE();
    if (count === 0) return [0, 0, 0];
    return [write(count * size, next(count * size)), count, count];
  };
  const arrays = NAMES.map((name) => {
    if (name !== "quantifiers") return array(ELEMENTS[name]);
    const count = next(POINTER).readUInt32LE();
    const each = Array.from({ length: count }, () => array(1));
    return [write(Math.max(1, count) * ARRAY, words(...each.flat())), count, count];
  });
  return write(STRUCT, Buffer.concat([words(...arrays.flat(), language), wildcards]));
}

const bytesOf = ({ HEAP32 }: Runtime) => new Uint8Array(HEAP32.buffer);
const words = (...numbers: readonly number[]) => new Uint8Array(Uint32Array.from(numbers).buffer);

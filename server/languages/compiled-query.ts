/**
 * Queries as the parser's runtime holds them once they are compiled, read at build time and put back in each thread.
 *
 * To compile them is to look at everything that a grammar allows: 1,060 ms for Swift, 440 for C++, 180 for Ruby, 70 for C and
 * for Haskell, 57 for TypeScript, in each thread that meets the language (2 cores; put back: 2 ms for C++).
 */

import { createHash } from "node:crypto";
import { type Language, Query } from "web-tree-sitter";
import { running } from "./ask-query.ts";

/** In bytes, on a machine of 32 bits as WebAssembly is one. */
const POINTER = 4;
const ARRAY = 3 * POINTER;

/**
 * Of one element of each array of `TSQuery`, in its order: lib/src/query.c of the version of web-tree-sitter that package.json
 * names. The fifth holds arrays of single bytes, one for each pattern. scripts/build-grammars.ts compares what was put back
 * with what was compiled.
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

/** After the arrays: the address of the language, and a number of 16 bits. */
const LANGUAGE_AT = NAMES.length * ARRAY;
const WILDCARDS_AT = LANGUAGE_AT + POINTER;
const STRUCT = WILDCARDS_AT + POINTER;

/** Where the package keeps addresses of its own. */
interface Handle {
  readonly 0: number;
}

const addressOf = (held: Query | Language) => (held as unknown as Handle)[0];

/** The first bytes of what is compiled: of another text, or damaged, it is not put back. */
const KEY_BYTES = 32;
const keyOf = (source: string, rest: Uint8Array) =>
  createHash("sha256").update(source).update(rest).digest();

/** What `restoreQuery` needs; the query was compiled from this text. */
export function compiledOf(query: Query, source: string): Buffer {
  const memory = memoryNow();
  const at = addressOf(query);
  const parts: Uint8Array[] = [memory.slice(at + WILDCARDS_AT, at + STRUCT)];
  const take = (array: number, size: number) => {
    const count = wordAt(array + POINTER);
    const from = wordAt(array);
    parts.push(words(count), memory.slice(from, from + count * size));
    return { count, from };
  };
  NAMES.forEach((name, i) => {
    const array = at + i * ARRAY;
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

/** The query of this text; undefined where `compiled` is of another one, or damaged. */
export function restoreQuery(
  language: Language,
  source: string,
  compiled: Buffer,
): Query | undefined {
  const rest = compiled.subarray(KEY_BYTES);
  if (!keyOf(source, rest).equals(compiled.subarray(0, KEY_BYTES))) return undefined;
  const { functions } = running();
  const compile = functions["_ts_query_new"];
  // The package reads names and predicates of what it takes for just compiled.
  functions["_ts_query_new"] = () => putBack(rest, addressOf(language));
  try {
    return new Query(language, source);
  } finally {
    functions["_ts_query_new"] = compile;
  }
}

function putBack(compiled: Buffer, language: number): number {
  const { malloc } = running().calls;
  let read = 0;
  const next = (bytes: number) => compiled.subarray(read, (read += bytes));
  const wildcards = next(STRUCT - WILDCARDS_AT);
  /** Three words: where the elements are, how many, and for how many there is room. */
  const array = (size: number): readonly number[] => {
    const count = next(POINTER).readUInt32LE();
    if (count === 0) return [0, 0, 0];
    const at = malloc(count * size);
    memoryNow().set(next(count * size), at);
    return [at, count, count];
  };
  const arrays = NAMES.map((name) => {
    if (name !== "quantifiers") return array(ELEMENTS[name]);
    const count = next(POINTER).readUInt32LE();
    const each = Array.from({ length: count }, () => array(1));
    const at = malloc(Math.max(1, count) * ARRAY);
    memoryNow().set(words(...each.flat()), at);
    return [at, count, count];
  });
  const at = malloc(STRUCT);
  memoryNow().set(words(...arrays.flat(), language), at);
  memoryNow().set(wildcards, at + WILDCARDS_AT);
  return at;
}

/** Another view after memory was asked for. */
const memoryNow = () => new Uint8Array(running().HEAP32.buffer);
const wordAt = (address: number) => running().HEAP32[address / POINTER] as number;
const words = (...numbers: readonly number[]) => new Uint8Array(Uint32Array.from(numbers).buffer);

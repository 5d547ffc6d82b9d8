/** A model2vec model: a table with a vector per token, in the format safetensors. The vector of a text is the mean of its tokens' vectors. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Unavailable } from "../common/errors.ts";
import { halvesToFloats } from "../common/half-precision.ts";
import { isObject } from "../common/is-object.ts";

export const TABLE_FILE = "model.safetensors";

/** The maximum size of a header in bytes: it has one line for each of at most three tensors. */
const MAX_HEADER = 1_000_000;

/** A header of JSON follows its length, and the numbers follow the header. */
const LENGTH_BYTES = 8;

type Numbers = Float32Array | Float64Array | BigInt64Array | Int32Array;

interface StaticTable {
  readonly dimension: number;
  /** The sum of the vectors of the tokens; unknown tokens are left out. Throws for a token beyond the table. */
  sum(tokens: readonly number[]): Float32Array;
}

/** Throws Unavailable if the folder's table or tokenizer cannot be read. */
export function readStaticTable(folder: string): StaticTable {
  const file = join(folder, TABLE_FILE);
  const tensors = readTensors(file);
  const embeddings = tensors.get("embeddings");
  const [rows = 0, dimension = 0] = embeddings?.shape ?? [];
  if (embeddings === undefined || embeddings.shape.length !== 2 || dimension === 0) {
    throw unreadable(file, `it has no tensor "embeddings", but ${[...tensors.keys()].join(", ")}`);
  }
  const { numbers } = embeddings;
  // Several tokens may share a row, and a row then has a weight for each of its tokens.
  const mapping = tensors.get("mapping")?.numbers;
  const weights = tensors.get("weights")?.numbers;
  const unknown = unknownToken(folder);
  return {
    dimension,
    sum: (tokens) => {
      const sum = new Float32Array(dimension);
      for (const token of tokens) {
        if (token === unknown) continue;
        const row = mapping === undefined ? token : Number(mapping[token] ?? rows);
        if (row >= rows) throw new Error(`the table has no row for the token ${token}`);
        const weight = weights === undefined ? 1 : Number(weights[token] ?? 1);
        for (let i = 0; i < dimension; i++) {
          sum[i] = (sum[i] as number) + weight * Number(numbers[row * dimension + i]);
        }
      }
      return sum;
    },
  };
}

interface Tensor {
  readonly shape: readonly number[];
  readonly numbers: Numbers;
}

function readTensors(file: string): ReadonlyMap<string, Tensor> {
  const bytes = readFileSync(file);
  const length = bytes.length < LENGTH_BYTES ? Infinity : Number(bytes.readBigUInt64LE(0));
  const start = LENGTH_BYTES + length;
  if (length > MAX_HEADER || start > bytes.length) throw unreadable(file, "its header is cut");
  const header: unknown = parseHeader(file, bytes.toString("utf8", LENGTH_BYTES, start));
  const tensors = new Map<string, Tensor>();
  for (const [name, entry] of Object.entries(isObject(header) ? header : {})) {
    if (name === "__metadata__" || !isObject(entry)) continue;
    const shape = numbersIn(entry["shape"]);
    const [from = 0, to = 0] = numbersIn(entry["data_offsets"]);
    if (start + to > bytes.length) throw unreadable(file, "it is cut");
    // A copy begins at an address that numbers of any size may begin at.
    const own = Uint8Array.from(bytes.subarray(start + from, start + to)).buffer;
    const numbers = toNumbers(file, String(entry["dtype"]), own);
    if (numbers.length !== shape.reduce((product, size) => product * size, 1))
      throw unreadable(file, `its tensor ${name} has another size`);
    tensors.set(name, { shape, numbers });
  }
  return tensors;
}

function parseHeader(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw unreadable(file, "its header is not JSON", cause);
  }
}

const numbersIn = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);

function toNumbers(file: string, type: string, bytes: ArrayBuffer): Numbers {
  switch (type) {
    case "F64":
      return new Float64Array(bytes);
    case "F32":
      return new Float32Array(bytes);
    case "F16":
      return halvesToFloats(new Uint16Array(bytes));
    case "I64":
      return new BigInt64Array(bytes);
    case "I32":
      return new Int32Array(bytes);
    default:
      throw unreadable(file, `its numbers are of the type ${type}, and F16, F32 and F64 are known`);
  }
}

/** The token of words that the vocabulary lacks; undefined if the tokenizer has none. */
function unknownToken(folder: string): number | undefined {
  const tokenizer = JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8")) as {
    readonly model?: {
      readonly unk_token?: string | null;
      readonly unk_id?: number | null;
      readonly vocab?: Readonly<Record<string, number>>;
    };
  };
  const { unk_token: name, unk_id: id, vocab } = tokenizer.model ?? {};
  return id ?? (typeof name === "string" ? vocab?.[name] : undefined);
}

function unreadable(file: string, why: string, cause?: unknown): Unavailable {
  const remedy = "copy or download the model again, or take one with a tensor of token vectors";
  return new Unavailable(`${file} cannot be read (${why})`, remedy, { cause });
}

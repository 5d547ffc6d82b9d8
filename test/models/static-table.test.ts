/** A model2vec folder as a local model: its table, and its vectors in the process of a model. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { readStaticTable } from "../../server/models/static-table.ts";
import {
  emptyInstaller,
  HAS_LOCAL_MODEL,
  installedIn,
  LOCAL_MODEL,
  modelsIn,
  temporaryFolder,
} from "../support/local-model.ts";

type Numbers = Float32Array | Float64Array | Uint16Array | BigInt64Array;

interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly numbers: Numbers;
}

const WORDS = ["[UNK]", "renew", "token", "mail", "##s"];

/** A vector of two numbers per word. */
const EMBEDDINGS: Tensor = {
  dtype: "F32",
  shape: [5, 2],
  numbers: Float32Array.of(9, 9, 1, 0, 0, 1, -1, 0, 0, -0.5),
};

function safetensors(tensors: Readonly<Record<string, Tensor>>): Buffer {
  let at = 0;
  const header = Object.entries(tensors).map(([name, { dtype, shape, numbers }]) => {
    const from = at;
    at += numbers.byteLength;
    return [name, { dtype, shape, data_offsets: [from, at] }];
  });
  const json = Buffer.from(JSON.stringify({ ...Object.fromEntries(header), __metadata__: {} }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  const data = Object.values(tensors).map(({ numbers }) => Buffer.from(numbers.buffer));
  return Buffer.concat([length, json, ...data]);
}

/** A model folder as model2vec writes it. */
function folderOf(tensors: Readonly<Record<string, Tensor>>, config: object = {}): string {
  const folder = temporaryFolder();
  const vocab = Object.fromEntries(WORDS.map((word, i) => [word, i]));
  const added = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  const tokenizer = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [{ id: 0, content: "[UNK]", special: true, ...added }],
    normalizer: { type: "BertNormalizer", lowercase: true },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: null,
    decoder: null,
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab,
    },
  };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
  writeFileSync(join(folder, "model.safetensors"), safetensors(tensors));
  return folder;
}

const sumOf = (tensors: Readonly<Record<string, Tensor>>, tokens: readonly number[]) =>
  Array.from(readStaticTable(folderOf(tensors)).sum(tokens));

describe("the table of a model2vec folder", () => {
  it("adds the vectors of the tokens, without the unknown one", () =>
    expect(sumOf({ embeddings: EMBEDDINGS }, [1, 1, 2, 0, 4])).toEqual([2, 0.5]));

  it("has weights of tokens, and rows that several tokens share", () => {
    const mapping = { dtype: "I64", shape: [5], numbers: BigInt64Array.of(0n, 2n, 2n, 3n, 4n) };
    const weights = { dtype: "F64", shape: [5], numbers: Float64Array.of(1, 0.5, 2, 1, 1) };
    expect(sumOf({ embeddings: EMBEDDINGS, mapping, weights }, [1, 2])).toEqual([0, 2.5]);
  });

  it("has numbers of sixteen bits", () => {
    // 1, -2, the largest, the smallest above zero.
    const numbers = Uint16Array.of(0, 0, 0x3c00, 0xc000, 0x7bff, 0x0001);
    const embeddings = { dtype: "F16", shape: [3, 2], numbers };
    expect(sumOf({ embeddings }, [1])).toEqual([1, -2]);
    expect(sumOf({ embeddings }, [2])).toEqual([65_504, 2 ** -24]);
  });

  it("refuses a token beyond its rows", () =>
    expect(() => sumOf({ embeddings: EMBEDDINGS }, [5])).toThrow("no row for the token 5"));

  it.each<[string, (file: string) => void, RegExp]>([
    ["cut", (file) => writeFileSync(file, readFileSync(file).subarray(0, -4)), /it is cut/],
    ["empty", (file) => writeFileSync(file, ""), /its header is cut/],
    ["text", (file) => writeFileSync(file, "a".repeat(100)), /its header is cut/],
    [
      "without vectors",
      (file) => writeFileSync(file, safetensors({ other: EMBEDDINGS })),
      /no tensor "embeddings", but other/,
    ],
    [
      "of another type",
      (file) => writeFileSync(file, safetensors({ embeddings: { ...EMBEDDINGS, dtype: "BF16" } })),
      /numbers are of the type BF16/,
    ],
    [
      "of another size",
      (file) => writeFileSync(file, safetensors({ embeddings: { ...EMBEDDINGS, shape: [50, 2] } })),
      /embeddings has another size/,
    ],
  ])("names the fault of a file that is %s", (_, damage, why) => {
    const folder = folderOf({ embeddings: EMBEDDINGS });
    damage(join(folder, "model.safetensors"));
    expect(() => readStaticTable(folder)).toThrow(why);
    expect(() => readStaticTable(folder)).toThrow(Unavailable);
  });
});

describe.skipIf(!HAS_LOCAL_MODEL)(`A static local model, and the runtime ${LOCAL_MODEL}`, () => {
  it.each([
    ["published", { model_type: "model2vec", architectures: ["StaticModel"] }],
    ["made by its user", { normalize: true }],
  ])("a static model that was %s is installed, embeds and scores", async (_, config) => {
    const installer = emptyInstaller();
    await installedIn(installer, "words", folderOf({ embeddings: EMBEDDINGS }, config));
    const models = modelsIn(installer);
    const texts = ["Renew tokens", "unheard", "renew renew"];
    const request = { texts, isQuery: false, dimensions: 0 };
    const vectors = await models.embed("words", request, new AbortController().signal);
    const [renewTokens, unknown, renew] = vectors.map((vector) => Array.from(vector));
    // (1, 0) + (0, 1) + (0, -.5), of length 1.
    expect(renewTokens?.[0]).toBeCloseTo(2 / Math.sqrt(5));
    expect(renewTokens?.[1]).toBeCloseTo(1 / Math.sqrt(5));
    expect(Math.hypot(...(unknown ?? []))).toBeCloseTo(1);
    expect(renew).toEqual([1, 0]);
    const pairs = { query: "renew", documents: ["renew", "token", "mail"], budgetMs: 60_000 };
    expect(await models.score("words", pairs, undefined)).toEqual([1, 0, -1]);
  });
});

/** Checks a folder that is to become a local model: its files, sizes, kind, and whether tokenizer and network belong together. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, Unavailable } from "../common/errors.ts";
import { isObject } from "../common/is-object.ts";
import type { ModelManifest, Pooling } from "./manifest.ts";
import { TABLE_FILE } from "./static-table.ts";

/** Weights in the order of preference, with the type that the library knows them by. */
const WEIGHTS: readonly (readonly [path: string, dtype: ModelManifest["dtype"]])[] = [
  ["onnx/model_quantized.onnx", "q8"],
  ["onnx/model_int8.onnx", "int8"],
  ["onnx/model.onnx", "fp32"],
];

/** The fields of config.json of a model2vec model, whose weights are a table. */
const STATIC_TYPE = "model2vec";

/** The largest file that the format of ONNX allows. A model of this size takes seconds per text on a processor. */
const MAX_BYTES = 2_147_483_648;

/** The limit for a JSON file, which is read whole. The largest known tokenizers have 40 MB. */
const MAX_JSON_BYTES = 268_435_456;

/** The longest text that is read, if the model says nothing smaller: attention takes the square of it. */
const MAX_TOKENS = 2048;

const LAYOUT =
  "a folder with config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx or onnx/model.onnx is expected, as the hub has it, or one of model2vec with model.safetensors";

export interface SourceFolder
  extends Pick<ModelManifest, "kind" | "dtype" | "pooling" | "maxTokens"> {
  /** The files to copy, relative to the folder. */
  readonly files: readonly string[];
  readonly weights: string;
  readonly bytes: number;
}

/** Throws Unavailable, which names the file and what to do. */
export function readSourceFolder(folder: string): SourceFolder {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Unavailable(`the folder ${folder} does not exist`, LAYOUT);
  const config = readJson(folder, "config.json");
  const tokenizer = readJson(folder, "tokenizer.json");
  const isStatic = isTable(folder, config);
  // model2vec does not always write it.
  const read = isStatic ? readOptional : readJson;
  const tokenizerConfig = read(folder, "tokenizer_config.json");
  const weightsOf = isStatic ? ([[TABLE_FILE, "static"]] as const) : WEIGHTS;
  const found = weightsOf.find(([path]) => existsSync(join(folder, path)));
  if (found === undefined) {
    throw new Unavailable(`${folder} has no weights`, LAYOUT);
  }
  const [weights, dtype] = found;
  const files = ["config.json", "tokenizer.json", weights];
  if (existsSync(join(folder, "tokenizer_config.json"))) files.push("tokenizer_config.json");
  if (existsSync(join(folder, `${weights}_data`))) files.push(`${weights}_data`);
  for (const file of files) checkSize(join(folder, file));
  checkVocabulary(folder, config, tokenizer);
  const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  const sentences = readOptional(folder, "sentence_bert_config.json");
  const limits = [
    tokenizerConfig["model_max_length"],
    config["max_position_embeddings"],
    sentences["max_seq_length"],
  ];
  return {
    kind: kindOf(config),
    dtype,
    files,
    weights,
    bytes,
    pooling: poolingOf(readOptional(folder, "1_Pooling/config.json")),
    maxTokens: Math.min(MAX_TOKENS, ...limits.map((limit) => Number(limit) || MAX_TOKENS)),
  };
}

/** A model that was made here has neither field; published ones name model2vec. */
function isTable(folder: string, config: Readonly<Record<string, unknown>>): boolean {
  const { model_type: type, architectures } = config;
  if (type === STATIC_TYPE) return true;
  return type === undefined && architectures === undefined && existsSync(join(folder, TABLE_FILE));
}

function kindOf({ architectures }: Readonly<Record<string, unknown>>): ModelManifest["kind"] {
  const [name] = Array.isArray(architectures) ? (architectures as unknown[]) : [];
  return String(name).endsWith("ForSequenceClassification") ? "reranker" : "embedding";
}

/** By the configuration that sentence-transformers writes; most models use the mean. */
function poolingOf(config: Readonly<Record<string, unknown>>): Pooling {
  if (config["pooling_mode_cls_token"] === true) return "cls";
  return config["pooling_mode_lasttoken"] === true ? "last" : "mean";
}

function checkSize(file: string): void {
  const { size } = statSync(file);
  const isJson = file.endsWith(".json");
  const most = isJson ? MAX_JSON_BYTES : MAX_BYTES;
  const again = "copy or download the model again";
  if (size === 0) throw new Unavailable(`${file} is empty`, again);
  if (size <= most) return;
  const megabytes = (bytes: number) => Math.round(bytes / 1_000_000).toLocaleString("en");
  throw new Unavailable(
    `${file} has ${megabytes(size)} MB, and at most ${megabytes(most)} can be loaded`,
    isJson ? again : "use a smaller model, or its quantized weights (onnx/model_quantized.onnx)",
  );
}

/** A tokenizer of another model gives numbers that the network has no row for. */
function checkVocabulary(
  folder: string,
  config: Readonly<Record<string, unknown>>,
  tokenizer: Readonly<Record<string, unknown>>,
): void {
  const model = isObject(tokenizer["model"]) ? tokenizer["model"] : {};
  const vocabulary = model["vocab"];
  const words = Array.isArray(vocabulary)
    ? vocabulary.length
    : isObject(vocabulary)
      ? Object.keys(vocabulary).length
      : 0;
  if (words === 0) {
    throw new Unavailable(`${join(folder, "tokenizer.json")} has no vocabulary`, LAYOUT);
  }
  const rows = Number(config["vocab_size"]);
  if (!(words > rows)) return;
  throw new Unavailable(
    `tokenizer.json has ${words} words, and the model ${rows}: it is the tokenizer of another model`,
    "take tokenizer.json and config.json from the same model",
  );
}

function readOptional(folder: string, file: string): Readonly<Record<string, unknown>> {
  return existsSync(join(folder, file)) ? readJson(folder, file) : {};
}

function readJson(folder: string, file: string): Readonly<Record<string, unknown>> {
  const path = join(folder, file);
  if (!existsSync(path))
    throw new Unavailable(`${folder} does not hold a model: ${file} is missing`, LAYOUT);
  checkSize(path);
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isObject(value)) return value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new Unavailable(
      `${path} is damaged (${messageOf(cause)})`,
      "copy or download the model again",
      { cause },
    );
  }
  throw new Unavailable(`${path} is not an object of JSON`, LAYOUT);
}

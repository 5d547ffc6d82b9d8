/** Loads an installed model in its process, and computes vectors and scores of single texts. */

import { freemem } from "node:os";
import { basename } from "node:path";
import { dotProduct } from "../common/dot-product.ts";
import { messageOf, Unavailable } from "../common/errors.ts";
import { type EmbedTogether, lateChunking, meanOf, type TokenVectors } from "./late-chunking.ts";
import {
  firstLine,
  type Library,
  loadLibrary,
  type Network,
  type Tokenizer,
  workOffline,
} from "./library.ts";
import {
  inMegabytes,
  type ModelManifest,
  type Pooling,
  poolsAllTokens,
  sizeOf,
} from "./manifest.ts";
import { readStaticTable } from "./static-table.ts";

/** Weights are read whole, and packed once more for the processor. MiniLM needs 3 times its size with the library itself. */
const MEMORY_PER_WEIGHT = 2;

export interface LoadedModel {
  /** A vector of length 1 of the first `dimensions` numbers; 0 for all. */
  embed(text: string, dimensions: number): Promise<Float32Array>;
  /**
   * The same for consecutive chunks of one file, each in the context of the others. One by one where the model cannot
   * (`poolsAllTokens`).
   */
  embedTogether(texts: readonly string[], dimensions: number): Promise<Float32Array[]>;
  /** The logit of the pair, or the cosine of the two vectors where the model has no logits. */
  score(query: string, document: string): Promise<number>;
}

interface LoadOptions {
  /** The folder of the model, with its name. */
  readonly folder: string;
  readonly runtime: string;
  readonly threads: number;
}

/** Throws Unavailable with a remedy if anything is wrong with the model. */
export async function loadModel(
  manifest: ModelManifest,
  options: LoadOptions,
): Promise<LoadedModel> {
  checkMemory(manifest);
  const library = loadLibrary(options.runtime);
  workOffline(library, options.folder);
  const name = basename(options.folder);
  const tokenizer = await loaded("the tokenizer", manifest, async () => {
    const made = await library.AutoTokenizer.from_pretrained(name);
    // One of an unknown form fails only with the first text.
    made("probe", { truncation: true, max_length: manifest.maxTokens });
    return made;
  });
  if (manifest.dtype === "static") return staticModel(manifest, options.folder, tokenizer);
  const network = await loaded("the weights", manifest, () =>
    networkOf(library, manifest).from_pretrained(name, {
      dtype: manifest.dtype,
      device: "cpu",
      session_options: { intraOpNumThreads: options.threads, interOpNumThreads: 1 },
    }),
  );
  const { maxTokens, pooling, kind } = manifest;
  const tokensOf = (text: string, pair?: string) =>
    tokenizer(text, {
      truncation: true,
      max_length: maxTokens,
      ...(pair === undefined ? {} : { text_pair: pair }),
    });
  const embed = async (text: string, dimensions: number) =>
    unitVector(poolTokens(tokenVectors(await network(tokensOf(text))), pooling), dimensions);
  const likeness = scoreByCosine(embed);
  const { Tensor } = library;
  const late = { Tensor, tokenizer, network, vectorsIn: tokenVectors, maxTokens };
  return {
    embed,
    embedTogether: poolsAllTokens(manifest) ? normalized(lateChunking(late)) : oneByOne(embed),
    score: async (query, document) =>
      kind === "reranker"
        ? logitOf(await network(tokensOf(query, document)))
        : await likeness(query, document),
  };
}

/** A table of token vectors needs the tokenizer, and no network. */
function staticModel(
  { maxTokens }: ModelManifest,
  folder: string,
  tokenizer: Tokenizer,
): LoadedModel {
  const table = readStaticTable(folder);
  const embed = async (text: string, dimensions: number) => {
    const tokens = tokenizer.encode(text, { add_special_tokens: false });
    return unitVector(table.sum(tokens.slice(0, maxTokens)), dimensions);
  };
  return {
    embed,
    embedTogether: oneByOne(embed),
    score: scoreByCosine(embed),
  };
}

function normalized(together: EmbedTogether): LoadedModel["embedTogether"] {
  return async (texts, dimensions) =>
    (await together(texts)).map((vector) => unitVector(vector, dimensions));
}

function oneByOne(embed: LoadedModel["embed"]): LoadedModel["embedTogether"] {
  return async (texts, dimensions) => {
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push(await embed(text, dimensions));
    return vectors;
  };
}

/** The documents of one query come one after another, so its vector is kept. */
function scoreByCosine(embed: LoadedModel["embed"]): LoadedModel["score"] {
  let asked: { readonly query: string; readonly vector: Float32Array } | undefined;
  return async (query, document) => {
    if (asked?.query !== query) asked = { query, vector: await embed(query, 0) };
    return dotProduct(asked.vector, await embed(document, 0));
  };
}

function networkOf(library: Library, { kind }: ModelManifest) {
  return kind === "reranker" ? library.AutoModelForSequenceClassification : library.AutoModel;
}

function checkMemory(manifest: ModelManifest): void {
  const needed = sizeOf(manifest) * MEMORY_PER_WEIGHT;
  if (needed <= freemem()) return;
  throw new Unavailable(
    `the model ${manifest.name} needs ${inMegabytes(needed)} of memory, and ${inMegabytes(freemem())} are free`,
    "end other programs, or use a smaller model",
  );
}

/** File, line and function that some messages of the runtime begin with. */
const PLACE_IN_RUNTIME = /^\S+\.(?:h|cc):\d+ .*?\) (?=[A-Z])/;

async function loaded<T>(
  what: string,
  { name }: ModelManifest,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const message = messageOf(cause)
      .replace(/^Load model from .*? failed:/, "")
      .replace(PLACE_IN_RUNTIME, "");
    throw new Unavailable(
      `${what} of the model ${name} cannot be loaded (${firstLine(message)})`,
      remedyFor(message),
      { cause },
    );
  }
}

/** By the messages of the runtime, which has no codes. */
function remedyFor(message: string): string {
  if (
    /no op registered|not a registered function|not implemented|opset|ir version/i.test(message)
  ) {
    return "the runtime does not know its operators, or not their version: export it with standard operators of an older version of ONNX";
  }
  if (/alloc|memory/i.test(message)) return "end other programs, or use a smaller model";
  return "the file is cut or damaged, or of another kind: copy or download the model again, and install it again";
}

/** The rows of the last layer. */
function tokenVectors(outputs: Awaited<ReturnType<Network>>): TokenVectors {
  const tokens = outputs["last_hidden_state"] ?? outputs["token_embeddings"];
  const [, count = 0, size = 0] = tokens?.dims ?? [];
  if (tokens === undefined || tokens.dims.length !== 3 || count === 0) {
    throw new Error(`the model has no vectors of tokens, but ${Object.keys(outputs).join(", ")}`);
  }
  return { data: tokens.data, count, size };
}

/** The vector of the text from the vectors of its tokens. */
function poolTokens(rows: TokenVectors, pooling: Pooling): Float32Array {
  const { data, count, size } = rows;
  if (pooling === "cls") return data.slice(0, size);
  if (pooling === "last") return data.slice((count - 1) * size, count * size);
  return meanOf(rows, 0, count);
}

function unitVector(vector: Float32Array, dimensions: number): Float32Array {
  if (dimensions > vector.length) {
    throw new Error(
      `the model has ${vector.length} dimensions: set embedding.dimensions to at most that`,
    );
  }
  const kept = dimensions === 0 ? vector : vector.slice(0, dimensions);
  const length = Math.sqrt(kept.reduce((sum, value) => sum + value * value, 0));
  if (length > 0) return kept.map((value) => value / length);
  // A text without a known token gets an arbitrary direction, unrelated to other texts.
  return kept.map((_, i) => (i % 2 === 0 ? 1 : -1) / Math.sqrt(kept.length));
}

function logitOf(outputs: Awaited<ReturnType<Network>>): number {
  const logits = outputs["logits"];
  if (logits?.data.length !== 1) {
    throw new Error(`a reranker has one logit, and this model ${logits?.data.length ?? "none"}`);
  }
  return Number(logits.data[0]);
}

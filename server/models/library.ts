/** The parts of @huggingface/transformers that the process of a model uses. It is installed by the user, and never a dependency. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { messageOf, Unavailable } from "../common/errors.ts";

/** A tensor of the library; `data` is flat. */
interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** Makes a tensor of whole numbers, an input of a network. */
type TensorConstructor = new (
  type: "int64",
  data: BigInt64Array,
  dims: readonly number[],
) => unknown;

export interface Tokenizer {
  (
    text: string,
    options: {
      readonly text_pair?: string;
      readonly truncation: boolean;
      readonly max_length: number;
    },
  ): Readonly<Record<string, unknown>>;
  /** The numbers of the tokens. */
  encode(text: string, options: { readonly add_special_tokens: boolean }): number[];
}

export type Network = (
  inputs: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, Tensor>>>;

interface FromPretrained<T> {
  from_pretrained(name: string, options?: Readonly<Record<string, unknown>>): Promise<T>;
}

export interface Library {
  readonly env: {
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    localModelPath: string;
    remoteHost: string;
    cacheDir: string;
    useFSCache: boolean;
  };
  readonly Tensor: TensorConstructor;
  readonly AutoTokenizer: FromPretrained<Tokenizer>;
  readonly AutoModel: FromPretrained<Network>;
  readonly AutoModelForSequenceClassification: FromPretrained<Network>;
}

/** Loads the library from `runtime`, the folder that npm installed it into. Throws Unavailable with a remedy. */
export function loadLibrary(runtime: string): Library {
  try {
    const load = createRequire(join(runtime, "package.json"));
    return load("@huggingface/transformers") as Library;
  } catch (cause) {
    throw new Unavailable(
      `the runtime of local models cannot be loaded (${firstLine(messageOf(cause))})`,
      `delete ${runtime}, and run cocosearch-lsp model install again`,
      { cause },
    );
  }
}

/** The network may not be used, and only the model in `folder`, which has the name of the model, is read. */
export function workOffline({ env }: Library, folder: string): void {
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.useFSCache = false;
  env.localModelPath = `${dirname(folder)}/`;
}

/** Messages of the runtime continue with a trace of its own source. */
export function firstLine(message: string): string {
  const [line = ""] = message.split("\n");
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** Late chunking: consecutive chunks of one file pass the network together, so that each vector knows the chunks around it. */

import type { Library, Network, Tokenizer } from "./library.ts";

/** The vectors of the tokens of a text: `data` has `count` rows of `size` numbers. */
export interface TokenVectors {
  readonly data: Float32Array;
  readonly count: number;
  readonly size: number;
}

interface LateChunkingParts {
  readonly Tensor: Library["Tensor"];
  readonly tokenizer: Tokenizer;
  readonly network: Network;
  readonly vectorsIn: (outputs: Awaited<ReturnType<Network>>) => TokenVectors;
  /** The context of the model, in tokens. */
  readonly maxTokens: number;
}

/** One vector per text, not normalized: the mean over the tokens of the text. A text beyond the model's context is cut. */
export type EmbedTogether = (texts: readonly string[]) => Promise<Float32Array[]>;

export function lateChunking(parts: LateChunkingParts): EmbedTogether {
  const { tokenizer, network, vectorsIn, maxTokens } = parts;
  const { before, after } = specialTokens(tokenizer);
  const room = Math.max(1, maxTokens - before.length - after.length);
  const inputs = Object.keys(tokenizer("probe", { truncation: true, max_length: maxTokens }));
  return async (texts) => {
    const chunks = texts.map((text) =>
      tokenizer.encode(text, { add_special_tokens: false }).slice(0, room),
    );
    const vectors: Float32Array[] = [];
    for (const group of groupsWithin(chunks, room)) {
      const tokens = [...before, ...group.flat(), ...after];
      const rows = vectorsIn(await network(inputsOf(parts.Tensor, inputs, tokens)));
      let start = before.length;
      for (const chunk of group) {
        vectors.push(meanOf(rows, start, start + chunk.length));
        start += chunk.length;
      }
    }
    return vectors;
  };
}

/** The tokens that the model expects around a text, such as [CLS] and [SEP]. */
export function specialTokens(tokenizer: Pick<Tokenizer, "encode">): {
  readonly before: readonly number[];
  readonly after: readonly number[];
} {
  const plain = tokenizer.encode("probe", { add_special_tokens: false });
  const whole = tokenizer.encode("probe", { add_special_tokens: true });
  const start = whole.findIndex((_, i) => plain.every((token, k) => whole[i + k] === token));
  if (start < 0) return { before: [], after: [] };
  return { before: whole.slice(0, start), after: whole.slice(start + plain.length) };
}

/** Consecutive chunks, as many as have at most `room` tokens together. */
export function groupsWithin(chunks: readonly number[][], room: number): number[][][] {
  const groups: number[][][] = [];
  let used = 0;
  for (const chunk of chunks) {
    const last = groups.at(-1);
    if (last !== undefined && used + chunk.length <= room) {
      last.push(chunk);
      used += chunk.length;
    } else {
      groups.push([chunk]);
      used = chunk.length;
    }
  }
  return groups;
}

/** By the names that the tokenizer gives them: the tokens, a mask of ones, and zeros for anything else (the types of the tokens). */
function inputsOf(
  Tensor: Library["Tensor"],
  names: readonly string[],
  tokens: readonly number[],
): Record<string, unknown> {
  const numbers = (of: (token: number) => number) =>
    new Tensor(
      "int64",
      BigInt64Array.from(tokens, (token) => BigInt(of(token))),
      [1, tokens.length],
    );
  const valueOf = (name: string) => {
    if (name === "input_ids") return numbers((token) => token);
    return numbers(name === "attention_mask" ? () => 1 : () => 0);
  };
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

/** The mean of the rows from `start` to `end` (exclusive); zeros if there is none. */
export function meanOf({ data, size }: TokenVectors, start: number, end: number): Float32Array {
  const vector = new Float32Array(size);
  for (let i = start * size; i < end * size; i++) {
    vector[i % size] = (vector[i % size] as number) + (data[i] as number) / (end - start);
  }
  return vector;
}

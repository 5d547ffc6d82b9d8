/** Cuts texts to a model's context, and shortens them further when a provider refuses them. */

import { Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { ProviderError } from "../transport/http.ts";

export type TextsEmbedder = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<Float32Array[]>;

/** A text that is refused at this length is refused for another reason. In characters. */
const MIN_TEXT_LENGTH = 200;

/** The beginning of a text, never ending in half a character. */
export function shortened(text: string, characters: number, log: Log): string {
  if (text.length <= characters) return text;
  log.debug("a text is cut to fit the model", { from: text.length, to: characters });
  const isInsidePair = /[\ud800-\udbff]/.test(text.charAt(characters - 1));
  return text.slice(0, isInsidePair ? characters - 1 : characters);
}

/**
 * Retries a refused request with less text, since a single text may be too long: halves the batch until one text remains,
 * then halves that text. First sends one short text: if the provider refuses it too, that error is thrown.
 */
export function withShorterTexts(embed: TextsEmbedder, log: Log): TextsEmbedder {
  const halve: TextsEmbedder = async (texts, signal) => {
    const [only = ""] = texts;
    const half = Math.ceil(texts.length / 2);
    if (texts.length > 1) {
      const first = await whole(texts.slice(0, half), signal);
      return [...first, ...(await whole(texts.slice(half), signal))];
    }
    log.warn("a text is too long for the model", { characters: only.length });
    return await whole([shortened(only, Math.ceil(only.length / 2), log)], signal);
  };
  const whole: TextsEmbedder = async (texts, signal) => {
    try {
      return await embed(texts, signal);
    } catch (error) {
      const isShort = texts.length === 1 && (texts[0]?.length ?? 0) <= MIN_TEXT_LENGTH;
      if (!isRefused(error) || isShort) throw error;
      return await halve(texts, signal);
    }
  };
  return async (texts, signal) => {
    try {
      return await embed(texts, signal);
    } catch (error) {
      if (!isRefused(error)) throw error;
      await embed(["short"], signal);
      return await halve(texts, signal);
    }
  };
}

/** Too long by OpenAI and vLLM (400), by Text Embeddings Inference (413), by some proxies (422). */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Unavailable ? error.cause : undefined;
  return cause instanceof ProviderError && [400, 413, 422].includes(cause.status ?? 0);
}

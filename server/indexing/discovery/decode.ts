/** Decodes the bytes of a file: encoding detection by bytes first, then the declared or a guessed encoding. Binary files are rejected. */

import type { FileEncoding } from "../../contracts/model.ts";
import { decodeAs } from "./decode-as.ts";
import { detectEncoding } from "./detect-encoding.ts";
import { guessEncoding } from "./guess-encoding.ts";

/** The fallback encoding. */
const DEFAULT = "utf-8";

interface DecodedText {
  readonly text: string;
  /** Set if the encoding was declared or guessed. */
  readonly encoding?: FileEncoding;
}

/**
 * Undefined for a binary file. Invalid sequences become U+FFFD. A byte order mark is dropped: lines and columns still match
 * the file, but offsets do not. `known` is the encoding of the file in the index, used if the bytes do not
 * determine one.
 */
export function decode(bytes: Uint8Array, known = DEFAULT): string | undefined {
  const detected = detectEncoding(bytes);
  return detected === "binary" ? undefined : decodeAs(bytes, detected?.name ?? known);
}

/** Decodes a file that is not indexed yet: if the bytes do not determine the encoding, takes the declared one, else guesses. */
export async function decodeUnknown(
  bytes: Uint8Array,
  declared: () => string | undefined,
): Promise<DecodedText | undefined> {
  const detected = detectEncoding(bytes);
  if (detected === "binary") return undefined;
  if (detected !== undefined) {
    const text = decodeAs(bytes, detected.name);
    return detected.isGuess ? { text, encoding: detected } : { text };
  }
  const name = declared();
  const encoding =
    name === undefined
      ? { name: await guessEncoding(bytes), isGuess: true }
      : { name, isGuess: false };
  return { text: decodeAs(bytes, encoding.name), encoding };
}

/** The guessed encoding to pass to `decode`; undefined if the bytes determine it. */
export async function encodingFor(bytes: Uint8Array): Promise<string | undefined> {
  return detectEncoding(bytes) === undefined ? await guessEncoding(bytes) : undefined;
}

/** Whether `decode` would use UTF-8, so that each line can be decoded by itself. */
export function isUtf8Text(bytes: Uint8Array, known = DEFAULT): boolean {
  const detected = detectEncoding(bytes);
  return detected !== "binary" && (detected?.name ?? known) === "utf-8";
}

/** Bytes of a file to text: in the encoding that they tell, else in the one that is known or guessed; nothing for what is not text. */

import type { FileEncoding } from "../../contracts/model.ts";
import { decodeAs } from "./decode-as.ts";
import { guessEncoding } from "./guess-encoding.ts";
import { toldEncoding } from "./told-encoding.ts";

/** Where nothing is known of it. */
const DEFAULT = "utf-8";

export interface DecodedText {
  readonly text: string;
  /** Absent where the bytes leave no doubt. */
  readonly encoding?: FileEncoding;
}

/**
 * Undefined for a binary file. What is not valid becomes U+FFFD; a byte order mark is dropped, so offsets into the
 * text are not offsets into the file there, but lines and columns still are. `known` is how the file was read before,
 * and counts where the bytes alone do not tell.
 */
export function decode(bytes: Uint8Array, known = DEFAULT): string | undefined {
  const told = toldEncoding(bytes);
  return told === "binary" ? undefined : decodeAs(bytes, told?.name ?? known);
}

/** The same for a file of which nothing is known: where its bytes do not tell, what is declared of it is asked, then it is guessed. */
export async function decodeUnknown(
  bytes: Uint8Array,
  declared: () => string | undefined,
): Promise<DecodedText | undefined> {
  const told = toldEncoding(bytes);
  if (told === "binary") return undefined;
  if (told !== undefined) {
    const text = decodeAs(bytes, told.name);
    return told.isGuess ? { text, encoding: told } : { text };
  }
  const name = declared();
  const encoding =
    name === undefined
      ? { name: await guessEncoding(bytes), isGuess: true }
      : { name, isGuess: false };
  return { text: decodeAs(bytes, encoding.name), encoding };
}

/** What `decode` is to be told of a file of which nothing is known; undefined where its bytes tell. */
export async function encodingFor(bytes: Uint8Array): Promise<string | undefined> {
  return toldEncoding(bytes) === undefined ? await guessEncoding(bytes) : undefined;
}

/** Whether each line is text by itself, as `decode` would read it. */
export function isUtf8Text(bytes: Uint8Array, known = DEFAULT): boolean {
  const told = toldEncoding(bytes);
  return told !== "binary" && (told?.name ?? known) === "utf-8";
}

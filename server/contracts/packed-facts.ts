/** Compresses encoded facts to a third of their bytes, for transfer between threads and for storage. */

import { deflateRawSync, inflateRawSync } from "node:zlib";

/** On rails, higher levels take half as long again and save another tenth. */
const LEVEL = 1;

/** In bytes. The facts of a file of a megabyte have a few megabytes. Bounds the memory that damaged bytes can take. */
const MAX_LENGTH = 64_000_000;

export const NO_FACTS = new Uint8Array();

/** Returns no bytes for an empty text, which means no facts. */
export function packFacts(encoded: string): Uint8Array<ArrayBuffer> {
  if (encoded === "") return NO_FACTS;
  // Copied, because zlib returns a view of a larger buffer, which would be kept and sent as a whole.
  return Uint8Array.from(deflateRawSync(encoded, { level: LEVEL }));
}

/** Restores the text. Returns an empty text for damaged bytes. */
export function unpackFacts(packed: Uint8Array): string {
  if (packed.length === 0) return "";
  try {
    return inflateRawSync(packed, { maxOutputLength: MAX_LENGTH }).toString();
  } catch {
    return "";
  }
}

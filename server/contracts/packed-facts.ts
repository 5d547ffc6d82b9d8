/** Encoded facts in a third of their bytes, as they go from thread to thread, wait for the graph and are stored. */

import { deflateRawSync, inflateRawSync } from "node:zlib";

/** rails: 14.5 MB become 5.0 in 200 ms; the next levels take half as long again for a tenth of that. */
const LEVEL = 1;

export const NO_FACTS = new Uint8Array();

/** Empty for an empty text, which says that there are no facts. */
export function packFacts(encoded: string): Uint8Array<ArrayBuffer> {
  if (encoded === "") return NO_FACTS;
  // zlib gives a part of a larger block, which would be kept and sent whole.
  return Uint8Array.from(deflateRawSync(encoded, { level: LEVEL }));
}

/** What `packFacts` was given; empty for bytes that it cannot have made. */
export function unpackFacts(packed: Uint8Array): string {
  if (packed.length === 0) return "";
  try {
    return inflateRawSync(packed).toString();
  } catch {
    return "";
  }
}

/** Terms as numbers, for rows that hold very many of them. */

import { fnv1a, mix } from "../../common/hash.ts";

/**
 * A signed 32-bit number, the same on every machine. Of half a million words about thirty pairs share one, too few for
 * any ranking to show it.
 */
export function termNumber(term: string): number {
  // Short words differ in few bits.
  return mix(fnv1a(term));
}

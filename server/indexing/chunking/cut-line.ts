/** Cuts one line that is too long: minified code, data, a paragraph of prose. */

import { wholeCharacter } from "../../common/text.ts";
import type { Page, Piece } from "./chunk-page.ts";

/** A piece ends at a separator if there is one within this share of its end. */
const SEPARATOR_SHARE = 0.3;
const IS_SEPARATOR = /[\s,;(){}[\]<>]/;

/** Pieces of at most `size` bytes, cut between characters. */
export function cutLine(page: Page, { start, end }: Piece, size: number): Piece[] {
  const pieces: Piece[] = [];
  for (let from = start; from < end; ) {
    const furthest = furthestWithin(page, from, end, size);
    const to = furthest < end ? afterSeparator(page.text, from, furthest) : end;
    pieces.push({ start: from, end: to });
    from = to;
  }
  return pieces;
}

/** The end of the longest piece that fits, at least one character long. */
function furthestWithin({ text, bytesAt }: Page, from: number, end: number, size: number): number {
  let to = Math.min(end, from + size);
  for (let bytes = bytesAt(to) - bytesAt(from); bytes > size; bytes = bytesAt(to) - bytesAt(from)) {
    const less = from + Math.floor(((to - from) * size) / bytes);
    if (less <= from + 1) break;
    to = less;
  }
  const whole = wholeCharacter(text, to);
  return whole > from ? whole : from + 2;
}

function afterSeparator(text: string, from: number, to: number): number {
  const lowest = to - Math.floor((to - from) * SEPARATOR_SHARE);
  for (let at = to; at > lowest; at--) if (IS_SEPARATOR.test(text[at - 1] ?? "")) return at;
  return to;
}

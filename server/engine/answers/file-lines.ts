/** The lines of one version of a file. Only requested lines are decoded and searched for secrets. */

import { splitLines } from "../../common/text.ts";
import type { Lines } from "../../contracts/model.ts";
import { decode, isUtf8Text } from "../../indexing/discovery/decode.ts";
import { ANNOUNCING_LINES } from "../../indexing/secrets/placeholders.ts";
import { maskSecrets } from "../../indexing/secrets/redact.ts";
import {
  hintsAcrossLines,
  type SecretSpan,
  secretsAcrossLines,
} from "../../indexing/secrets/secrets.ts";

/** Returns the lines that exist in a range. The same array for every request of the whole file. */
export type LinesOf = (range: Lines) => readonly string[];

/** Cached ranges per file: the same chunks are found repeatedly, with the same lines around them. */
const MAX_KNOWN_PARTS = 16;

const [NEWLINE, RETURN] = [10, 13];
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** Keeps a byte order mark in the middle of a file as a character. */
const UTF_8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Masks secrets: the lines around a hit may contain secrets that are not in the index, and the client may send the
 * answer to others. `secretsOf` returns the secrets of the whole text.
 */
export function maskedLines(
  content: Buffer,
  encoding: string | undefined,
  secretsOf: (text: string) => readonly SecretSpan[],
): LinesOf {
  let bytes = content;
  let whole: LinesOf | undefined;
  const parts = new Map<string, readonly string[]>();
  const isByLine = isUtf8Text(bytes, encoding) && !hasLoneReturn(bytes);
  const across = isByLine ? maskedAcrossLines(bytes) : undefined;
  const readWhole = (): LinesOf => {
    const text = decode(bytes, encoding) ?? "";
    bytes = Buffer.alloc(0);
    return allLines(splitLines(maskSecrets(text, secretsOf(text))));
  };
  const readPart = (range: Lines): readonly string[] | undefined => {
    if (whole !== undefined || !isByLine) return undefined;
    // The lines above may mark a value as an example.
    const above = Math.min(range.start, ANNOUNCING_LINES);
    const extended = { start: range.start - above, end: range.end };
    const part = range.end < range.start ? undefined : partOf(bytes, extended);
    if (part === undefined) return undefined;
    const masked = maskSecrets(UTF_8.decode(part));
    const others = across && partOf(across, extended);
    const lines = others === undefined ? masked : joinMasks(masked, UTF_8.decode(others));
    return splitLines(lines).slice(above);
  };
  return (range) => {
    const key = `${range.start}-${range.end}`;
    const known = parts.get(key);
    if (known !== undefined) return known;
    const part = readPart(range);
    if (part === undefined) {
      whole ??= readWhole();
      return whole(range);
    }
    if (parts.size >= MAX_KNOWN_PARTS) parts.clear();
    parts.set(key, part);
    return part;
  };
}

/** The whole text with secrets masked that span lines; undefined if it has none. */
function maskedAcrossLines(bytes: Buffer): Buffer | undefined {
  const hints = hintsAcrossLines(bytes);
  if (hints.size === 0) return undefined;
  const text = UTF_8.decode(bytes);
  const secrets = secretsAcrossLines(text, hints);
  return secrets.length === 0 ? undefined : Buffer.from(maskSecrets(text, secrets));
}

/** Combines two maskings of the same text. */
function joinMasks(first: string, second: string): string {
  if (first === second) return first;
  const units = Array.from({ length: first.length }, (_, i) =>
    second[i] === "*" ? "*" : (first[i] ?? ""),
  );
  return units.join("");
}

export function allLines(lines: readonly string[]): LinesOf {
  return ({ start, end }) => {
    const isWhole = start <= 0 && end >= lines.length - 1;
    return isWhole ? lines : lines.slice(start, end + 1);
  };
}

/** Without the end of the last line; undefined for the whole file. */
function partOf(bytes: Buffer, { start, end }: Lines): Buffer | undefined {
  if (start < 0 || end < start) return undefined;
  const first = BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte) ? BYTE_ORDER_MARK.length : 0;
  const from = behindLines(bytes, first, start);
  if (from < 0) return undefined;
  const to = behindLines(bytes, from, end - start + 1);
  if (to < 0) return start === 0 ? undefined : bytes.subarray(from);
  const isLong = bytes[to - 2] === RETURN;
  return bytes.subarray(from, to - (isLong ? 2 : 1));
}

/** The offset of the line `count` lines below; -1 if the file has fewer lines. */
function behindLines(bytes: Buffer, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0; left--) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return -1;
    at = end + 1;
  }
  return at;
}

/** Classic Mac OS line ends, and terminal output. */
function hasLoneReturn(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(RETURN); at >= 0; at = bytes.indexOf(RETURN, at + 1))
    if (bytes[at + 1] !== NEWLINE) return true;
  return false;
}

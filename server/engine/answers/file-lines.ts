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
import { LineOffsets, NEWLINE } from "./line-offsets.ts";

/** Returns the lines that exist in a range. The same array for every request of the whole file. */
export type LinesOf = (range: Lines) => readonly string[];

/** Cached ranges per file: the same chunks are found repeatedly, with the same lines around them. */
const MAX_KNOWN_PARTS = 16;

const RETURN = 13;
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** Keeps a byte order mark in the middle of a file as a character. */
const UTF_8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** The properties of one version of a file that its lines depend on. To find them, all its bytes are read. */
export interface LineTraits {
  /** Whether each line can be decoded, and searched for most secrets, by itself. */
  readonly isByLine: boolean;
  /** If so, the secrets that span lines. */
  readonly secretsAcross: readonly SecretSpan[];
  /** The offsets of some lines, for LineOffsets. */
  readonly offsets: number[];
}

export function lineTraitsOf(bytes: Buffer, encoding: string | undefined): LineTraits {
  const isByLine = isUtf8Text(bytes, encoding) && !hasLoneReturn(bytes);
  return {
    isByLine,
    secretsAcross: isByLine ? secretsAcross(bytes) : [],
    offsets: [startOfText(bytes)],
  };
}

function secretsAcross(bytes: Buffer): readonly SecretSpan[] {
  const hints = hintsAcrossLines(bytes);
  return hints.size === 0 ? [] : secretsAcrossLines(UTF_8.decode(bytes), hints);
}

/**
 * Masks secrets: the lines around a hit may contain secrets that are not in the index, and the client may send the
 * answer to others. `secretsOf` returns the secrets of the whole text.
 */
export function maskedLines(
  content: Buffer,
  encoding: string | undefined,
  { isByLine, secretsAcross: found, offsets }: LineTraits,
  secretsOf: (text: string) => readonly SecretSpan[],
): LinesOf {
  let bytes = content;
  let whole: LinesOf | undefined;
  const parts = new Map<string, readonly string[]>();
  let own = isByLine ? new LineParts(bytes, offsets) : undefined;
  const across = found.length === 0 ? undefined : partsMasked(bytes, found);
  const readWhole = (): LinesOf => {
    const text = decode(bytes, encoding) ?? "";
    bytes = Buffer.alloc(0);
    own = undefined;
    return allLines(splitLines(maskSecrets(text, secretsOf(text))));
  };
  const readPart = (range: Lines): readonly string[] | undefined => {
    // The lines above may mark a value as an example.
    const above = Math.min(range.start, ANNOUNCING_LINES);
    const extended = { start: range.start - above, end: range.end };
    const part = range.end < range.start ? undefined : own?.of(extended);
    if (part === undefined) return undefined;
    const masked = maskSecrets(UTF_8.decode(part));
    const others = across?.of(extended);
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

/** The text with these secrets masked. */
function partsMasked(bytes: Buffer, secrets: readonly SecretSpan[]): LineParts {
  const masked = Buffer.from(maskSecrets(UTF_8.decode(bytes), secrets));
  return new LineParts(masked, [startOfText(masked)]);
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

/** The bytes of ranges of lines. */
class LineParts {
  readonly #bytes: Buffer;
  readonly #offsets: LineOffsets;

  constructor(bytes: Buffer, offsets: number[]) {
    this.#bytes = bytes;
    this.#offsets = new LineOffsets(bytes, offsets);
  }

  /** Without the end of the last line; undefined for the whole file. */
  of({ start, end }: Lines): Buffer | undefined {
    if (start < 0 || end < start) return undefined;
    const from = this.#offsets.startOf(start);
    if (from < 0) return undefined;
    const to = this.#offsets.startOf(end + 1);
    if (to < 0) return start === 0 ? undefined : this.#bytes.subarray(from);
    const isLong = this.#bytes[to - 2] === RETURN;
    return this.#bytes.subarray(from, to - (isLong ? 2 : 1));
  }
}

/** Behind a byte order mark. */
function startOfText(bytes: Buffer): number {
  return BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte) ? BYTE_ORDER_MARK.length : 0;
}

/** Classic Mac OS line ends, and terminal output. */
function hasLoneReturn(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(RETURN); at >= 0; at = bytes.indexOf(RETURN, at + 1))
    if (bytes[at + 1] !== NEWLINE) return true;
  return false;
}

/** Encoding detection by bytes: byte order marks, valid UTF-8, and the zero bytes of UTF-16 and UTF-32. */

import { isUtf8 } from "node:buffer";
import type { FileEncoding } from "../../contracts/model.ts";
import { decodeAs } from "./decode-as.ts";

/** The part of a file that decides whether it is binary. */
const HEAD_BYTES = 8192;
/** Text has few control characters besides tabs, line ends, form feeds and escapes of terminal colors. */
const MAX_CONTROL_SHARE = 0.05;
/** A source may have a stray zero byte or two; a tar archive of text files has hundreds in a kilobyte. */
const BYTES_PER_ZERO = 1000;
/** Half of the bytes of English text in UTF-16 are zero; less with Chinese comments. */
const MIN_ZERO_SHARE = 0.3;

/** Few characters of UTF-32 text, such as emoji, use the third byte. */
const MIN_HIGH_SHARE = 0.9;

/** A few zero bytes and a line feed would pass as a line of UTF-32. */
const MIN_UNITS = 8;

const MARKS: readonly (readonly [name: string, mark: readonly number[]])[] = [
  // Before utf-16le, whose mark is a prefix of this one.
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-32be", [0, 0, 0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** Escape sequences that switch to Japanese (RFC 1468). */
const JAPANESE_ESCAPES = ["\u001b$B", "\u001b$@"];

/** Undefined for text in another 8-bit encoding, or in UTF-8 with invalid bytes. */
export function detectEncoding(bytes: Uint8Array): FileEncoding | "binary" | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte));
  if (marked !== undefined) return { name: marked[0], isGuess: false };
  const head = bytes.subarray(0, HEAD_BYTES);
  const zeros = head.includes(0) ? countZeros(head) : 0;
  if (zeros > 0) {
    const wide = wideEncoding(bytes, head);
    if (wide !== undefined) return { name: wide, isGuess: true };
    if (zeros > Math.max(1, head.length / BYTES_PER_ZERO)) return "binary";
  }
  if (controlsIn(head) > head.length * MAX_CONTROL_SHARE) return "binary";
  if (isUtf8(bytes)) return { name: isJapanese(bytes) ? "iso-2022-jp" : "utf-8", isGuess: false };
  return zeros > 0 ? "binary" : undefined;
}

function isJapanese(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!JAPANESE_ESCAPES.some((escape) => buffer.includes(escape, 0, "latin1"))) return false;
  return bytes.every((byte) => byte < 0x80) && isDecodable(bytes, "iso-2022-jp");
}

function countZeros(bytes: Uint8Array): number {
  let zeros = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === 0) zeros++;
  return zeros;
}

/** UTF-16 or UTF-32 without a byte order mark: zero bytes of ASCII are at the same position in each unit. */
function wideEncoding(bytes: Uint8Array, head: Uint8Array): string | undefined {
  const zeros = [0, 0, 0, 0];
  for (let i = 0; i < head.length; i++) if (head[i] === 0) (zeros[i % 4] as number)++;
  const share = (position: number) => ((zeros[position] ?? 0) * 4) / head.length;
  if (bytes.length % 4 === 0 && share(2) > MIN_HIGH_SHARE && share(3) === 1)
    return textOnly(head, "utf-32le");
  if (bytes.length % 4 === 0 && share(1) > MIN_HIGH_SHARE && share(0) === 1)
    return textOnly(head, "utf-32be");
  if (bytes.length % 2 !== 0) return undefined;
  const [even, odd] = [(share(0) + share(2)) / 2, (share(1) + share(3)) / 2];
  if (even === 0 && odd >= MIN_ZERO_SHARE) return textOnly(head, "utf-16le");
  return odd === 0 && even >= MIN_ZERO_SHARE ? textOnly(head, "utf-16be") : undefined;
}

/** Rejects binary arrays of small numbers, which have the same pattern: they decode to control characters. */
function textOnly(head: Uint8Array, name: string): string | undefined {
  const units = Array.from(decodeAs(head, name), (unit) => unit.charCodeAt(0));
  if (units.length < MIN_UNITS) return undefined;
  const wrong = units.filter((unit) => isControl(unit) || unit === REPLACEMENT).length;
  return wrong > units.length * MAX_CONTROL_SHARE ? undefined : name;
}

const REPLACEMENT = 0xfffd;

function isDecodable(bytes: Uint8Array, name: string): boolean {
  try {
    new TextDecoder(name, { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return false;
  }
}

function controlsIn(bytes: Uint8Array): number {
  let controls = 0;
  for (let i = 0; i < bytes.length; i++) if (isControl(bytes[i] as number)) controls++;
  return controls;
}

function isControl(byte: number): boolean {
  return byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 27;
}

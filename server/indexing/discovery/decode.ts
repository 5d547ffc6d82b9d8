/** Bytes of a file to text: UTF-8, or UTF-16 where a byte order mark says so; nothing for what is not text. */

/** The part of a file that shows whether it is binary. */
const HEAD_BYTES = 8192;
/** Text holds tabs, line ends, form feeds and the escape of terminal colors, and hardly another control character. */
const MAX_CONTROL_SHARE = 0.05;

/**
 * Undefined for a binary file. What is not valid becomes U+FFFD; a byte order mark is dropped, so offsets into the
 * text are not offsets into the file there, but lines and columns still are.
 */
export function decode(bytes: Uint8Array): string | undefined {
  const encoding = encodingOf(bytes);
  if (encoding === "utf-8" && isBinary(bytes)) return undefined;
  return new TextDecoder(encoding).decode(bytes);
}

/** Whether each line is text by itself, as `decode` would read it. */
export function isUtf8Text(bytes: Uint8Array): boolean {
  return encodingOf(bytes) === "utf-8" && !isBinary(bytes);
}

function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return "utf-8";
}

function isBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEAD_BYTES);
  if (head.includes(0)) return true;
  let controls = 0;
  for (let i = 0; i < head.length; i++) if (isControl(head[i] as number)) controls++;
  return controls > head.length * MAX_CONTROL_SHARE;
}

function isControl(byte: number): boolean {
  return byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 27;
}

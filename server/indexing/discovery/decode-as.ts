/** Decodes bytes in a named encoding: the encodings of `TextDecoder`, and UTF-32. */

/** Invalid sequences become U+FFFD; a byte order mark is dropped. */
export function decodeAs(bytes: Uint8Array, name: string): string {
  if (name.startsWith("utf-32")) return decodeUtf32(bytes, name === "utf-32le");
  const text = new TextDecoder(name).decode(bytes);
  return name === "windows-1252" ? fixWindows1252(text) : text;
}

const LAST_CODE_POINT = 0x10_ff_ff;
/** Code points per `String.fromCodePoint`, below the limit of arguments of a call. */
const UNITS_AT_ONCE = 4096;

/** `TextDecoder` does not support UTF-32. */
function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: string[] = [];
  for (let from = 0; from + 4 <= bytes.length; from += UNITS_AT_ONCE * 4) {
    const to = Math.min(bytes.length - 3, from + UNITS_AT_ONCE * 4);
    const points: number[] = [];
    for (let at = from; at < to; at += 4) points.push(codePoint(view.getUint32(at, isLittle)));
    parts.push(String.fromCodePoint(...points));
  }
  return parts.join("").replace(/^\ufeff/, "");
}

function codePoint(value: number): number {
  const isSurrogate = value >= 0xd800 && value < 0xe000;
  return value > LAST_CODE_POINT || isSurrogate ? 0xfffd : value;
}

/** Windows-1252 from 0x80 to 0x9f. */
const WINDOWS_1252_HIGH = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Node 20 decodes Windows-1252 as Latin-1, with control characters for its quotes and dashes. */
function fixWindows1252(text: string): string {
  return text.replaceAll(
    /[\u0080-\u009f]/g,
    (sign) => WINDOWS_1252_HIGH[sign.charCodeAt(0) - 0x80] ?? sign,
  );
}

/** The canonical name of an encoding; undefined if it is unknown or this build of Node lacks its ICU data. */
export function knownEncoding(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

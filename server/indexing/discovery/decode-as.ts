/** Decodes bytes in an encoding by its name: those that `TextDecoder` knows, and UTF-32. */

/** What is not valid becomes U+FFFD; a byte order mark is dropped. */
export function decodeAs(bytes: Uint8Array, name: string): string {
  if (name.startsWith("utf-32")) return decodeUtf32(bytes, name === "utf-32le");
  const text = new TextDecoder(name).decode(bytes);
  return name === "windows-1252" ? withWesternSigns(text) : text;
}

const LAST_CODE_POINT = 0x10_ff_ff;
/** Long enough to be quick, and short enough for the arguments of a call. */
const UNITS_AT_ONCE = 4096;

/** The Encoding Standard leaves it out. */
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
const WESTERN_SIGNS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Node 20 reads Windows-1252 as Latin-1: its quotes and dashes as control characters. */
function withWesternSigns(text: string): string {
  return text.replaceAll(
    /[\u0080-\u009f]/g,
    (sign) => WESTERN_SIGNS[sign.charCodeAt(0) - 0x80] ?? sign,
  );
}

/** How the Encoding Standard calls it; undefined where this Node does not know it, which was built with less of ICU. */
export function knownEncoding(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** Converts UTF-16 offsets in a text to lines and to UTF-8 byte offsets. Each table is built in one pass. */

/** Splits a text into lines as editors do, at LF, CR or CRLF. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Splits a text into lines that line feeds end: a final line feed begins no line. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The text on one line: each run of white space becomes a space, without those at the ends. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Whether the text contains the letters in this order, with any others between them. */
export function containsInOrder(text: string, letters: string): boolean {
  let found = 0;
  for (let i = 0; i < text.length && found < letters.length; i++) {
    if (text[i] === letters[found]) found++;
  }
  return found === letters.length;
}

/** The text with its percent escapes decoded, or the text itself if it contains a literal percent sign. */
export function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Replaces each lone CR by LF, so that code that counts line feeds finds the lines of `splitLines`. Offsets do not change. */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text;
}

/** The offset of each line. A line includes its line feed. */
export function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The line that contains an offset. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** UTF-16 units per table entry. A lookup counts at most this many. */
const STRIDE = 256;

/** Returns a function from UTF-16 offsets to UTF-8 byte offsets. An offset inside a surrogate pair maps to its beginning. */
export function byteOffsetsOf(text: string): (offset: number) => number {
  if (Buffer.byteLength(text) === text.length) return (offset) => offset;
  const table = new Uint32Array(Math.floor(text.length / STRIDE) + 1);
  let bytes = 0;
  // The table includes the end of the text.
  for (let i = 0; i <= text.length; i++) {
    if (i % STRIDE === 0) table[i / STRIDE] = bytes;
    bytes += bytesAt(text, i);
  }
  return (offset) => {
    const entry = Math.floor(offset / STRIDE);
    let at = table[Math.min(entry, table.length - 1)] ?? 0;
    for (let i = Math.min(entry, table.length - 1) * STRIDE; i < offset; i++)
      at += bytesAt(text, i);
    return at;
  };
}

/** The UTF-8 bytes of one unit. A surrogate pair counts four at its second half; a lone surrogate is encoded as U+FFFD. */
function bytesAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if (isHigh(unit)) return isLow(text.charCodeAt(index + 1)) ? 0 : 3;
  return isLow(unit) && isHigh(text.charCodeAt(index - 1)) ? 4 : 3;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** The offset, or one less if it would split a surrogate pair. */
export function wholeCharacter(text: string, offset: number): number {
  return isLow(text.charCodeAt(offset)) && isHigh(text.charCodeAt(offset - 1))
    ? offset - 1
    : offset;
}

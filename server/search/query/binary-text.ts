/** Detects binary data, or text in another encoding, that was decoded as characters. */

/** The number of leading characters to sample. */
const MAX_SAMPLE = 10_000;
/** Letters of another encoding in a text, and colors of a terminal in a log, stay below this share. */
const MAX_SHARE = 0.15;

const REPLACEMENT = 0xfffd;
const ESCAPE = 0x1b;

export function isBinaryText(text: string): boolean {
  const length = Math.min(text.length, MAX_SAMPLE);
  let unreadable = 0;
  for (let i = 0; i < length; i++) if (isUnreadable(text.charCodeAt(i))) unreadable++;
  return unreadable > MAX_SHARE * length;
}

/** Control characters except white space and the start of a terminal's color. */
function isUnreadable(code: number): boolean {
  if (code === REPLACEMENT) return true;
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  return isControl && !(code >= 0x09 && code <= 0x0d) && code !== ESCAPE;
}

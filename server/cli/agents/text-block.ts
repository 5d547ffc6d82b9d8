/** Appends a block of lines to a text, and cuts it out again so that the text has the same bytes as before. */

/** The line ending of a text. */
export function lineEnding(text: string): "\r\n" | "\n" {
  return /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** The block, whose lines end with line feeds, after an empty line. It ends with a line ending only if the text does. */
export function appendBlock(text: string, block: string): string {
  const eol = lineEnding(text);
  const lines = block.replaceAll("\n", eol);
  return text.endsWith("\n") ? `${text}${eol}${lines}${eol}` : `${text}${eol}${eol}${lines}`;
}

/** Reverses `appendBlock` for the block from `start` to `end`. */
export function cutBlock(text: string, start: number, end: number): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const following = /^\r?\n/.exec(after)?.[0];
  return following === undefined
    ? before.replace(/(?:\r?\n){1,2}$/, "") + after
    : before.replace(/\r?\n$/, "") + after.slice(following.length);
}

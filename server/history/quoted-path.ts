/** Parses paths in git's output, which are C-quoted if they contain a quote, a backslash or a control character. */

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

export function unquotePath(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"') || text.length < 2) return text;
  const bytes: Buffer[] = [];
  const pieces = text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g);
  for (const [, octal, escaped, plain] of pieces) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 255]));
    else if (escaped !== undefined) {
      const code = ESCAPES[escaped];
      bytes.push(code === undefined ? Buffer.from(escaped) : Buffer.from([code]));
    } else bytes.push(Buffer.from(plain ?? ""));
  }
  return Buffer.concat(bytes).toString("utf8");
}

/** The path of a line `--- a/…` or `+++ b/…`. Git appends a tab to a path with a space. */
export function pathInHeader(line: string, prefix: "a/" | "b/"): string {
  const text = unquotePath(line.slice(4).replace(/\t$/, ""));
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

/** Masks secrets in the lines of a diff. */

/** A base64 line of a private key whose BEGIN line is outside the hunk. */
const KEY_LINE = /^[A-Za-z0-9+/]{60,76}={0,2}$/;
const MIN_KEY_LINES = 3;

/** Keeps the first character of each line (`+`, `-`, space). `maskSecrets` writes stars and keeps the number of lines. */
export function maskPatch(
  lines: readonly string[],
  maskSecrets: (text: string) => string,
): readonly string[] {
  const texts = lines.map((line) => line.slice(1));
  const masked = maskSecrets(texts.join("\n")).split("\n");
  const isKey = keyLines(texts);
  return lines.map((line, i) => {
    const text = isKey.has(i) ? "*".repeat(texts[i]?.length ?? 0) : (masked[i] ?? "");
    return `${line.slice(0, 1)}${text}`;
  });
}

/** Indexes of lines in runs that look like the body of a key. */
function keyLines(lines: readonly string[]): Set<number> {
  const found = new Set<number>();
  let from = 0;
  for (let i = 0; i <= lines.length; i++) {
    if (i < lines.length && KEY_LINE.test(lines[i]?.trim() ?? "")) continue;
    if (i - from >= MIN_KEY_LINES) for (let at = from; at < i; at++) found.add(at);
    from = i + 1;
  }
  return found;
}

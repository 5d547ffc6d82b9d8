/** Removes trailing closures of Kotlin and Swift: `list.filter { ... }.first()`. */

/** Replaces trailing closures with an empty argument list or spaces. The length does not change. */
export function withoutTrailingClosures(text: string): string {
  if (!text.includes("{")) return text;
  let written = "";
  let from = 0;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", from)) {
    const between = text.slice(from, at);
    // After a removed block, the argument list of the call remains.
    const last = between.trimEnd().at(-1) ?? (from > 0 ? ")" : "");
    const isCall = /[\p{L}\p{N}_>]/u.test(last);
    const end = isCall || last === ")" ? closing(text, at) : -1;
    if (end < 0) break;
    const blank = " ".repeat(end - at - 1);
    written += between + (isCall ? `(${blank})` : ` ${blank} `);
    from = end + 1;
  }
  return written + text.slice(from);
}

/** The offset of the matching closing brace, or -1. */
function closing(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at;
  }
  return -1;
}

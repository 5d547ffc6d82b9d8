/** Blocks that are given to a call behind it, as Kotlin and Swift write them: `list.filter { ... }.first()`. */

/** The same text, as long as before, with such blocks written as an empty list of arguments or left out. */
export function withoutTrailingClosures(text: string): string {
  if (!text.includes("{")) return text;
  let written = "";
  let from = 0;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", from)) {
    const between = text.slice(from, at);
    // Behind a block that was left out stands the list of arguments that it was given to, or was written as.
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

/** The place of the brace that closes the one at a place; -1 where none does. */
function closing(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at;
  }
  return -1;
}

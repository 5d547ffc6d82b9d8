/** Blocks that are given to a call behind it, as Kotlin and Swift write them: `list.filter { ... }.first()`. */

/** The same text, as long as before, with such blocks written as an empty list of arguments or left out. */
export function withoutTrailingClosures(text: string): string {
  if (!text.includes("{")) return text;
  let written = "";
  let from = 0;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", from)) {
    const before = written + text.slice(from, at);
    const end = closing(text, at);
    const last = before.trimEnd().at(-1) ?? "";
    const isCall = /[\p{L}\p{N}_>]/u.test(last);
    if (end < 0 || (!isCall && last !== ")")) return before + text.slice(at);
    const blank = " ".repeat(end - at - 1);
    written = before + (isCall ? `(${blank})` : ` ${blank} `);
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

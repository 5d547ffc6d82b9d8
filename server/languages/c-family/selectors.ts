/** Parses selectors of Objective-C methods, whose parts precede the arguments: `session:task:didFinishWithError:`. */

/** Limit of lines of a method head. */
const MAX_LINES = 40;
const MAX_LENGTH = 4_000;

interface Selector {
  /** The parts with colons; a method with one argument is named by the word before it. */
  readonly name: string;
  /** The last line of the head. */
  readonly last: number;
}

/** Undefined if the end of the head is not found. */
export function selectorAt(
  lines: readonly { readonly text: string }[],
  first: number,
): Selector | undefined {
  let head = "";
  for (let last = first; last < first + MAX_LINES && last < lines.length; last++) {
    head += ` ${(lines[last]?.text ?? "").replace(/\/\/.*$/, "")}`;
    if (head.length > MAX_LENGTH) return undefined;
    const end = head.search(/[{;]/);
    const next = lines[last + 1]?.text ?? "";
    if (end >= 0 || next.startsWith("{")) {
      const name = nameOf(end < 0 ? head : head.slice(0, end));
      return name === undefined ? undefined : { name, last };
    }
  }
  return undefined;
}

function nameOf(head: string): string | undefined {
  const written = withoutParentheses(head);
  const parts = [...written.matchAll(/(\w*)\s*:/g)].map(([, word = ""]) => word);
  if (parts.length > 1) return parts.map((word) => `${word}:`).join("");
  return parts[0] || /^\s*[-+]\s*(\w+)/.exec(written)?.[1];
}

/** Types in parentheses. */
function withoutParentheses(text: string): string {
  let [result, depth] = ["", 0];
  for (const unit of text) {
    if (unit === "(") depth++;
    else if (unit === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) result += unit;
    // `open:(int)a with:(int)b`
    if (unit === ")" && depth === 0) result += " ";
  }
  return result;
}

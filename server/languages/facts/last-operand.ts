/**
 * Removes operands before a Swift call, which the grammar includes in the callee: `size + pool.open` in `size +
 * pool.open()`.
 */

const OPERATOR = /^\s[-+*/%]\s+$/;

/** The offset of the last operand; 0 if there is only one. */
export function lastOperandAt(text: string): number {
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === '"') at = afterText(text, at);
    else if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
    else if (depth === 0 && "-+*/%".includes(char)) {
      const behind = at + 1 + (/^\s*/.exec(text.slice(at + 1, at + 200))?.[0].length ?? 0);
      if (OPERATOR.test(text.slice(at - 1, behind))) start = behind;
    }
  }
  return start;
}

/** The offset of the closing quotation mark, or the end of the text. */
function afterText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

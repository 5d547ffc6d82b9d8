/**
 * Unwraps Rust macros around items, such as `pin_project! { struct Body { … } }`, whose content the grammar parses as plain
 * tokens.
 */

/** A macro call at the beginning of a line, before an item. */
const BEFORE_ITEMS =
  /^[ \t]*(?!macro_rules\b)[a-z_][\w:]{0,60}![ \t]\{(?=(?:\s|\/\/[^\n]*\n|#!?\[[^\n]*\n)*(?:#!?\[[^\n]*\]\s*)?(?:pub|struct|enum|union|trait|impl|fn|mod|async fn|unsafe|extern)\b)/gm;
/** Braces, `#name`, `$name`, and literals and comments, whose braces do not count; unterminated text extends to the end. */
const MARKS =
  /r(#{1,4})"[^]*?(?:"\1|$)|"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|'(?:[^'\\\n]|\\.[^'\n]{0,8})'|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|[{}]|[#$](?=[\w(])/gs;

/** Replaces such a macro with an empty call before its items. The length does not change. */
export function withItemsOfMacros(text: string): string {
  const opening = new Set(
    [...text.matchAll(BEFORE_ITEMS)].map(({ 0: head, index }) => index + head.length - 1),
  );
  if (opening.size === 0) return text;
  const parsable = text.split("");
  for (const { open, close } of blocksOf(text)) {
    if (!opening.has(open)) continue;
    parsable[open - 1] = "{";
    parsable[open] = "}";
    parsable[close] = " ";
  }
  return parsable.join("");
}

/** Whether braces are balanced and the code is not a template. */
function blocksOf(text: string): { readonly open: number; readonly close: number }[] {
  const blocks = [];
  const stack: number[] = [];
  let lastHole = -1;
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (mark === "#" || mark === "$") lastHole = index;
    else if (mark === "{") stack.push(index);
    else if (mark === "}") {
      const open = stack.pop();
      if (open !== undefined && lastHole < open) blocks.push({ open, close: index });
    }
  }
  return blocks;
}

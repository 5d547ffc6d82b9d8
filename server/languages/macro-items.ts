/** Macros around items, such as `pin_project! { struct Body { … } }`: a parser of Rust sees nothing but tokens in them. */

/** At the beginning of a line, as items are, and before what an item begins with. */
const BEFORE_ITEMS =
  /^[ \t]*(?!macro_rules\b)[a-z_][\w:]{0,60}![ \t]\{(?=(?:\s|\/\/[^\n]*\n|#!?\[[^\n]*\n)*(?:#!?\[[^\n]*\]\s*)?(?:pub|struct|enum|union|trait|impl|fn|mod|async fn|unsafe|extern)\b)/gm;
/** Braces, `#name` and `$name`, and what braces do not count in; without its end it reaches to that of the text. */
const MARKS =
  /r(#{1,4})"[^]*?(?:"\1|$)|"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|'(?:[^'\\\n]|\\.[^'\n]{0,8})'|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|[{}]|[#$](?=[\w(])/gs;

/** Leaves of such a macro its call with nothing in it, before its items. Of the same length as the text. */
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

/** Blocks that are closed, and no templates of code. */
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

/** Rewrites conditional compilation for a parser: blanks directives, and branches that are not complete on their own. */

const DIRECTIVE = /^[ \t]*#[ \t]*(if|elif|else|endif)\b[^\n]*$/gm;
/** Depth limit for untrusted files. */
const MAX_DEPTH = 16;
/** Strings, comments and directives, each with a limited length to avoid quadratic time. */
const NO_CODE = /"(?:[^"\\\n]|\\.){0,400}"|'(?:[^'\\\n]|\\.){1,8}'|\/\/[^\n]*|^[ \t]*#[^\n]*/gm;

interface Branch {
  readonly start: number;
  end: number;
}

/**
 * Blanks the directives. If a branch is incomplete, such as half of a statement, only the first branch of its group is
 * kept: otherwise braces would not balance. The length does not change.
 */
export function withoutDirectives(text: string): string {
  if (!text.includes("#")) return text;
  const blanks: Branch[] = [];
  const open: Branch[][] = [];
  for (const { 0: line, 1: word, index } of text.matchAll(DIRECTIVE)) {
    const end = index + line.length;
    const group = word === "if" ? [] : open.at(-1);
    if (group === undefined || open.length > MAX_DEPTH) return text;
    const before = group.at(-1);
    if (before !== undefined) before.end = index;
    blanks.push({ start: index, end });
    if (word === "if") open.push(group);
    if (word !== "endif") group.push({ start: end, end });
    else {
      open.pop();
      if (!group.every((branch) => isWhole(text, branch))) blanks.push(...group.slice(1));
    }
  }
  return open.length > 0 ? text : blanked(text, blanks);
}

/** Whether a text has balanced brackets and ends after a statement or member. */
function isWhole(text: string, { start, end }: Branch): boolean {
  const code = text.slice(start, end).replaceAll(NO_CODE, "").trim();
  let depth = 0;
  for (const [bracket] of code.matchAll(/[{}()]/g)) {
    depth += bracket === "{" || bracket === "(" ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0 && (code === "" || /[;}]$/.test(code));
}

function blanked(text: string, blanks: readonly Branch[]): string {
  let [result, at] = ["", 0];
  for (const { start, end } of blanks.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    result += text.slice(at, from) + text.slice(from, end).replaceAll(/[^\r\n]/g, " ");
    at = end;
  }
  return result + text.slice(at);
}

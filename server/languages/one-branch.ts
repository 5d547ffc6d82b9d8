/** Conditional compilation as a parser of its code can read it: without the lines that ask, and whole in what they let through. */

const DIRECTIVE = /^[ \t]*#[ \t]*(if|elif|else|endif)\b[^\n]*$/gm;
/** Deeper ones are no code that somebody wrote. */
const MAX_DEPTH = 16;
/** Strings, comments and directives; a limit to each, so that time does not go by the square of a line. */
const NO_CODE = /"(?:[^"\\\n]|\\.){0,400}"|'(?:[^'\\\n]|\\.){1,8}'|\/\/[^\n]*|^[ \t]*#[^\n]*/gm;

interface Branch {
  readonly start: number;
  end: number;
}

/**
 * Blanks the directives. Where a branch is not whole in itself, as half of a statement, only the first of its group stays:
 * with all of them braces would close what they do not belong to. Of the same length as the text.
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

/** Whether a part of the text opens what it closes, and ends where a statement or member does. */
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

/** Recognizes the line that seems to define a name, in a language without a grammar. */

import { escapeRegExp } from "../../common/escape-regexp.ts";
import { memoize } from "../../common/memoize.ts";

/** The keywords that may precede the name: `module NAME`, `pub fn NAME`, `export default class NAME`. */
const KEYWORDS = String.raw`^[ \t]*(?:[A-Za-z][\w-]*(?:\([\w, ]*\))?[ \t]+){1,3}`;
/** Text that may follow the name in a definition, but not in prose: a bracket, a type, a value, or the end of the line. */
const FOLLOWS = String.raw`(?=[ \t]*(?:[({\[<:;=,]|is\b|do\b|of\b|extends\b|$))`;
/** Words that begin a statement or sentence that uses the name. */
const USE =
  /^[ \t]*(?:a|an|and|assert|await|by|call|case|defer|delete|else|end|extends|for|from|go|goto|if|implements|import|in|include|instance|is|new|not|of|on|open|or|perform|raise|require|return|see|super|the|then|this|throw|to|try|use|using|when|while|with|yield)[ \t]/i;

const patternOf = memoize(
  (name: string) => new RegExp(KEYWORDS + escapeRegExp(name) + FOLLOWS),
  1_000,
);

/** Whether a line has the form `keyword NAME`; comments are excluded. */
export function seemsToDefine(line: string, name: string): boolean {
  return line.includes(name) && !USE.test(line) && patternOf(name).test(line);
}

/** Finds definitions of command-line flags: parsers of arguments take the name of a flag without its dashes. */

import { escapeRegExp } from "../../common/escape-regexp.ts";
import { type LiteralPlace, placeAt } from "./match-text.ts";

/** Parsers of Go accept names with dots: `--cluster.peer-timeout`. */
const FLAG = /^--?((?=\w{2})[a-z]\w*(?:[-.]\w+)*)$/i;

/** The name of a flag without its dashes; undefined for another text, and for a flag of one letter. */
export function flagName(text: string): string | undefined {
  return FLAG.exec(text)?.[1];
}

/** A single word in quotes is a common string. Beside one of these words it is a flag. */
const OPTION_WORD = /flag|opt|arg|param|long|accepts/i;
/** The call that begins a definition may be this many lines before the name. */
const LINES_BEFORE = 3;

/** The place of the name in quotes (`VarP(&x, "dry-run", …)`), or of the field with its name behind an attribute (`#[arg(long)]`). */
export function findFlag(lines: readonly string[], name: string): LiteralPlace | undefined {
  const quoted = new RegExp(`(["'])${escapeRegExp(name)}\\1`);
  const field = new RegExp(
    `^\\s*(?:pub(?:\\([^)]*\\))? )?${escapeRegExp(name.replaceAll("-", "_"))}\\s*:`,
  );
  for (const [line, text] of lines.entries()) {
    const before = () => lines.slice(Math.max(0, line - LINES_BEFORE), line + 1).join("\n");
    const inQuotes = quoted.exec(text);
    if (inQuotes !== null && (/[-.]/.test(name) || OPTION_WORD.test(before())))
      return placeOf(lines, line, inQuotes.index + 1, name);
    const asField = field.exec(text);
    if (asField !== null && /#\[[^\]]*\blong\b/.test(before()))
      return placeOf(lines, line, asField[0].search(/\w+\s*:$/), name);
  }
  return undefined;
}

function placeOf(
  lines: readonly string[],
  line: number,
  column: number,
  { length }: string,
): LiteralPlace {
  const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, column);
  const place = placeAt(lines.join("\n"), start, length);
  return { ...place, isSameCase: true, isAlone: true, hasNoDashes: true };
}

/** The place where text meets a terminal: what came from a repository can neither move the cursor nor hide itself. */

import { pathToFileURL } from "node:url";

// oxlint-disable no-control-regex -- control characters are what this file is about

/** Colors and weights that the program itself writes; not `8`, which hides. */
const OWN_STYLE = /\u001b\[(?:0|1|2|3|4|7|9|2[1-79]|3[0-79]|4[0-79]|9[0-7]|10[0-7])m/;

/** A link to a file of this machine, with nothing in its address that a terminal would obey: https://github.com/Alhadis/OSC8-Adoption */
const OWN_LINK = /\u001b\]8;;(?:file:\/\/[\w.~%!$&'()*+,;=:@/-]*)?\u001b\\/;

/**
 * Everything that moves a cursor, rings a bell, begins an escape sequence, or turns the order of letters round.
 * Line feeds and tabs stay.
 */
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** What replaces it. */
const MARK = "\u00b7";

const HARMFUL_OR_STYLE = new RegExp(
  `${OWN_STYLE.source}|${OWN_LINK.source}|${HARMFUL.source}`,
  "g",
);

/** The same text without what a terminal would obey; styles stay where they are in use. */
export function forTerminal(text: string, hasStyles: boolean): string {
  return text.replaceAll(HARMFUL_OR_STYLE, (found) =>
    hasStyles && found.length > 1 ? found : MARK,
  );
}

/** The text as a link to a file, for terminals that know such links; others show the text alone. */
export function linkTo(path: string, text: string): string {
  const url = pathToFileURL(path).href;
  return `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/** A JSON document with the same value, in which such letters are written as escapes. */
export function jsonForTerminal(json: string): string {
  return json.replaceAll(
    new RegExp(HARMFUL, "g"),
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

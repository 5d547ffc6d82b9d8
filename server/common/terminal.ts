/** Sanitizes text for a terminal: text from a repository can neither move the cursor nor hide itself. */

import { pathToFileURL } from "node:url";

// oxlint-disable no-control-regex -- control characters are what this file is about

/** Colors and weights that this program writes. `8` (hidden) is not among them. */
const OWN_STYLE = /\u001b\[(?:0|1|2|3|4|7|9|2[1-79]|3[0-79]|4[0-79]|9[0-7]|10[0-7])m/;

/** A link to a local file whose address has no control characters: https://github.com/Alhadis/OSC8-Adoption */
const OWN_LINK = /\u001b\]8;;(?:file:\/\/[\w.~%!$&'()*+,;=:@/-]*)?\u001b\\/;

/** Control characters, escape sequences and bidirectional overrides. Line feeds and tabs are allowed. */
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The replacement character. */
const MARK = "\u00b7";

const HARMFUL_OR_STYLE = new RegExp(
  `${OWN_STYLE.source}|${OWN_LINK.source}|${HARMFUL.source}`,
  "g",
);

/** Replaces control characters. The program's own styles stay if `hasStyles` is set. */
export function forTerminal(text: string, hasStyles: boolean): string {
  return text.replaceAll(HARMFUL_OR_STYLE, (found) =>
    hasStyles && found.length > 1 ? found : MARK,
  );
}

/** Makes the text a hyperlink to a file. Terminals without hyperlinks show the text alone. */
export function linkTo(path: string, text: string): string {
  const url = pathToFileURL(path).href;
  return `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/** Writes control characters in a JSON document as escapes; its value stays the same. */
export function jsonForTerminal(json: string): string {
  return json.replaceAll(
    new RegExp(HARMFUL, "g"),
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

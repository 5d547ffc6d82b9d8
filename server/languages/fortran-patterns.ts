/** How definitions begin in Fortran, also where the preprocessor fypp fills in parts of the names. */

import { type Pattern, raw } from "./pattern.ts";

/** `stdlib${ii}$_dlansb`: what is between the marks is filled in for each type. */
const PLAIN_NAME = String.raw`(?:\w|\$\{[^}]*\}\$)+`;
const NAME = `(?<name>${PLAIN_NAME})`;
/** A comment may be behind it. */
const END = String.raw`[ \t]*(?:!.*)?$`;
const OPERATOR = String.raw`(?:operator|assignment)[ \t]*\([^)]*\)`;
/** Not the first column of a comment in the fixed form. */
const START = String.raw`^(?![c*][ \t])[ \t]*(?!end)`;

/** Comments at the margin do not end them. */
const until = (words: string) => ({ until: new RegExp(String.raw`^end[ \t]*${words}\b`, "i") });

const fortran = (
  kind: "module" | "interface" | "class" | "function",
  form: string,
  more: Partial<Pattern> = {},
): Pattern => raw(kind, new RegExp(START + form, "i"), more);

export const FORTRAN: readonly Pattern[] = [
  fortran("module", String.raw`(?:sub)?module[ \t]*(?:\([^)]*\)[ \t]*|[ \t])${NAME}${END}`),
  // What an interface lists is elsewhere.
  fortran("function", String.raw`module[ \t]+procedure[ \t]+${NAME}${END}`, {
    only: "outside-interface",
  }),
  fortran(
    "interface",
    String.raw`interface[ \t]+(?<name>${OPERATOR}|${PLAIN_NAME})${END}`,
    until("interface"),
  ),
  fortran(
    "class",
    String.raw`type(?:[ \t]*,[^:!]*)?(?:[ \t]*::[ \t]*|[ \t]+)${NAME}(?:\([^)]*\))?${END}`,
    until("type"),
  ),
  fortran(
    "function",
    String.raw`(?:procedure|generic)\b[^:!]*::[ \t]*(?<name>${OPERATOR}|${PLAIN_NAME})`,
    {
      only: "field",
    },
  ),
  fortran(
    "function",
    String.raw`(?:[\w*()=,:.$\x7b\x7d[\] \t]+[ \t)])?(?:subroutine|function|program)[ \t]+${NAME}`,
  ),
];

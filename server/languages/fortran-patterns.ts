/** Definition patterns of Fortran, also for names with fypp placeholders. */

import { type Pattern, raw } from "./pattern.ts";

/** `stdlib${ii}$_dlansb`: fypp replaces the placeholder for each type. */
const PLAIN_NAME = String.raw`(?:\w|\$\{[^}]*\}\$)+`;
const NAME = `(?<name>${PLAIN_NAME})`;
/** The end of a line, with an optional comment. */
const END = String.raw`[ \t]*(?:!.*)?$`;
const OPERATOR = String.raw`(?:operator|assignment)[ \t]*\([^)]*\)`;
/** Excludes ends, and comments of the fixed form, which begin in the first column. */
const START = String.raw`^(?![c*][ \t])(?![ \t]*end)[ \t]*`;

/** Comments in the first column do not end a definition. */
const until = (words: string) => ({ until: new RegExp(String.raw`^end[ \t]*${words}\b`, "i") });

const fortran = (
  kind: "module" | "interface" | "class" | "function",
  form: string,
  more: Partial<Pattern> = {},
): Pattern => raw(kind, new RegExp(START + form, "i"), more);

export const FORTRAN: readonly Pattern[] = [
  fortran("module", String.raw`(?:sub)?module[ \t]*(?:\([^)]*\)[ \t]*|[ \t])${NAME}${END}`),
  // An interface block only declares procedures.
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

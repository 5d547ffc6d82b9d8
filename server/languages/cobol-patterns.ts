/** Definition patterns of COBOL, in fixed and free form. */

import { type Pattern, raw } from "./pattern.ts";

const NAME = String.raw`(?<name>[A-Z0-9][\w-]*)`;

const cobol = (kind: "module" | "class" | "function", form: string, more?: Partial<Pattern>) =>
  raw(kind, new RegExp(String.raw`^[ \t]*${form}`, "i"), more);

/** Standard section names are not definitions. */
const OWN_SECTIONS =
  "(?:configuration|input-output|file|working-storage|local-storage|linkage|communication|report|screen)";
/** Statements of one word, which look like paragraph names on a line. */
const STATEMENTS =
  "(?:exit|goback|continue|else|eject|skip[123]|end-(?:accept|add|call|compute|delete|display|divide|evaluate|exec|if|multiply|of-page|perform|read|receive|return|rewrite|search|start|string|subtract|unstring|write|xml))";

export const COBOL: readonly Pattern[] = [
  cobol(
    "class",
    String.raw`(?:program|function|class|interface|method)-id[ \t]*\.[ \t]*["']?${NAME}`,
  ),
  cobol("function", String.raw`(?!${OWN_SECTIONS}[ \t])${NAME}[ \t]+section(?:[ \t]+\d+)?[ \t]*\.`),
  cobol("class", String.raw`[fs]d[ \t]+${NAME}`),
  cobol(
    "class",
    String.raw`(?:0?[1-9]|[1-4]\d|66|77|78|88)[ \t]+(?!filler\b|pic\b)${NAME}(?=[ \t.]|$)`,
  ),
  cobol("function", String.raw`(?!${STATEMENTS}[ \t]*\.)${NAME}\.[ \t]*$`),
];

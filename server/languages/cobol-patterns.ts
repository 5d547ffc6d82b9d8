/** How definitions begin in COBOL, in the fixed form and in the free one. */

import { type Pattern, raw } from "./pattern.ts";

const NAME = String.raw`(?<name>[A-Z0-9][\w-]*)`;

const cobol = (kind: "module" | "class" | "function", form: string, more?: Partial<Pattern>) =>
  raw(kind, new RegExp(String.raw`^[ \t]*${form}`, "i"), more);

/** The sections that each program has are no names that somebody chose. */
const OWN_SECTIONS =
  "(?:configuration|input-output|file|working-storage|local-storage|linkage|communication|report|screen)";
/** Words that end a statement in a line of their own, as a paragraph's name stands in one. */
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

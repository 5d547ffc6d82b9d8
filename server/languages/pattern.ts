/** How the beginning of a definition is described where there is no grammar: an expression for one line, and where it counts. */

import type { Kind } from "./scopes.ts";

/**
 * `member`: directly in a class, an interface, or what makes methods. `field`: directly in a class. `top`: at the margin.
 * `in-module`: directly in a module. `outside-interface`: anywhere but directly in an interface.
 */
export type Surroundings = "member" | "field" | "top" | "in-module" | "outside-interface";

export interface Pattern {
  readonly kind: Kind;
  /** Matched against one line; the group `name` is the definition's name. */
  readonly line: RegExp;
  /** Where it counts. Elsewhere the same line would be a call, a variable, or a mention. */
  readonly only?: Surroundings;
  /** The last line of the definition, where indentation does not tell. */
  readonly until?: RegExp;
  /** Whether the lines that follow with the same name belong to it: equations, clauses. */
  readonly hasClauses?: true;
  /** Whether its name goes on behind each argument, as in Objective-C. */
  readonly hasSelector?: true;
  /** Whether it is only a declaration where its head ends with a semicolon. */
  readonly needsBody?: true;
}

/** Words that may precede the keyword, in any of the languages. */
const MODIFIERS = String.raw`^[ \t]*(?:@[\w.]+(?:\([^)\n]*\))?[ \t]+|\[[^\]\n]*\][ \t]*)*(?:(?:public|private|protected|internal|fileprivate|static|final|abstract|sealed|open|override|virtual|async|export|default|declare|pub|pub\([\w:]+\)|inline|noinline|external|extern|unsafe|partial|readonly|new|data|value|inner|annotation|companion|suspend|operator|infix|tailrec|implicit|lazy|transparent|opaque|mutating|nonmutating|indirect|dynamic|required|convenience|nonisolated|distributed|const|local|expect|actual|base|mixin|ref|file|global|strictfp|synchronized|package|private\[\w+\]|protected\[\w+\])[ \t]+)*`;

/** A definition that begins with modifiers and a keyword. */
export const keyword = (kind: Kind, rest: string, more: Partial<Pattern> = {}): Pattern => ({
  kind,
  line: new RegExp(MODIFIERS + rest, "u"),
  ...more,
});

export const raw = (kind: Kind, line: RegExp, more: Partial<Pattern> = {}): Pattern => ({
  kind,
  line,
  ...more,
});

/** `Type name(`: also what a call or a statement could look like, hence only where neither can be. */
export const typedMember = (only: "member" | "top"): Pattern =>
  keyword(
    "function",
    String.raw`(?!(?:return|await|throw|else|using|yield|if|for|foreach|while|switch|catch|case|when|do|in|is|as|new|delete|typeof|sizeof|goto|import|package|assert|lock|fixed)\b)(?:[\p{L}_$][\w.<>,\[\]?*&:]*[ \t]+(?:[*&][ \t]*)*)+(?<name>~?[\p{L}_$][\w$:~]*)[ \t]*(?:<[^<>()]*>)?\((?!\*|.*;\s*$)`,
    { only, needsBody: true },
  );
/** The same without a body: what an interface asks for. A type with a capital or a built-in one tells it from a call. */
export const typedSignature = keyword(
  "function",
  String.raw`(?:void|bool|boolean|byte|char|int|long|short|float|double|string|object|[A-Z][\w.<>,\[\]?]*)[ \t]+(?<name>[\p{L}_]\w*)[ \t]*(?:<[^<>()]*>)?\(.*;\s*$`,
  { only: "member" },
);
/** `Name(` with an access modifier before it. */
export const constructor = raw(
  "function",
  /^[ \t]*(?:public|private|protected|internal)[ \t]+(?:explicit[ \t]+)?(?<name>[A-Z]\w*)[ \t]*\(/,
  { only: "member" },
);

export const WORD = String.raw`(?<name>[\p{L}_$][\w$]*)`;
export const types = (words: string, kind: Kind = "class"): Pattern =>
  keyword(kind, String.raw`(?:${words})[ \t]+(?!(?:func|var|let|subscript)\b)${WORD}`);
export const functions = (words: string): Pattern =>
  keyword("function", String.raw`(?:${words})[ \t]+${WORD}`);

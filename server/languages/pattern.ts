/**
 * Definition patterns for languages without a grammar: a regular expression for one line, and its scopes.
 */

import type { Kind } from "./scopes.ts";

/**
 * `member`: directly in a class, interface or owner. `field`: directly in a class. `top`: without indentation. `in-module`:
 * directly in a module. `outside-interface`: anywhere except directly in an interface.
 */
export type LineContext = "member" | "field" | "top" | "in-module" | "outside-interface";

export interface Pattern {
  readonly kind: Kind;
  /** Matched against one line; the group `name` is the name of the definition. */
  readonly line: RegExp;
  /** The scope of the pattern; elsewhere such a line is a call, variable or mention. */
  readonly only?: LineContext;
  /** Matches the last line of the definition, if indentation does not determine it. */
  readonly until?: RegExp;
  /** Whether following lines with the same name belong to the definition: equations, clauses. */
  readonly hasClauses?: true;
  /** Whether the name continues after each argument, as in Objective-C. */
  readonly hasSelector?: true;
  /** Whether a head that ends with a semicolon is only a declaration. */
  readonly needsBody?: true;
}

/** Modifiers before the keyword, in all languages. */
const MODIFIERS = String.raw`^[ \t]*(?:@[\w.]+(?:\([^)\n]*\))?[ \t]+|\[[^\]\n]*\][ \t]*)*(?:(?:public|private|protected|internal|fileprivate|static|final|abstract|sealed|open|override|virtual|async|export|default|declare|pub|pub\([\w:]+\)|inline|noinline|external|extern|unsafe|partial|readonly|new|data|value|inner|annotation|companion|suspend|operator|infix|tailrec|implicit|lazy|transparent|opaque|mutating|nonmutating|indirect|dynamic|required|convenience|nonisolated|distributed|const|local|expect|actual|base|mixin|ref|file|global|strictfp|synchronized|package|private\[\w+\]|protected\[\w+\])[ \t]+)*`;

/** A definition with modifiers and a keyword. */
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

/** `Type name(`. Calls and statements look the same, so it applies only where neither can occur. */
export const typedMember = (only: "member" | "top"): Pattern =>
  keyword(
    "function",
    String.raw`(?!(?:return|await|throw|else|using|yield|if|for|foreach|while|switch|catch|case|when|do|in|is|as|new|delete|typeof|sizeof|goto|import|package|assert|lock|fixed)\b)(?:[\p{L}_$][\w.<>,\[\]?*&:]*[ \t]+(?:[*&][ \t]*)*)+(?<name>~?[\p{L}_$][\w$:~]*)[ \t]*(?:<[^<>()]*>)?\((?!\*|.*;\s*$)`,
    { only, needsBody: true },
  );
/** A method without a body, in an interface. A capitalized or built-in type distinguishes it from a call. */
export const typedSignature = keyword(
  "function",
  String.raw`(?:void|bool|boolean|byte|char|int|long|short|float|double|string|object|[A-Z][\w.<>,\[\]?]*)[ \t]+(?<name>[\p{L}_]\w*)[ \t]*(?:<[^<>()]*>)?\(.*;\s*$`,
  { only: "member" },
);
/** `Name(` after an access modifier. */
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

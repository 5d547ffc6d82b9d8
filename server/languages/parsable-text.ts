/**
 * What a parser is given: macros that no grammar can know, and what else it would stumble over, are blanked out, so that
 * all else stays at its place.
 */

import { readableCpp } from "./c-family/readable-cpp.ts";
import { withItemsOfMacros } from "./macro-items.ts";
import { withoutDirectives } from "./one-branch.ts";

/** A macro by its name, as nearly all projects write them. */
const MACRO = String.raw`(?<![A-Z0-9_])[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,60}`;

// Each repetition has a limit: a line that somebody made for it would otherwise take time by the square of its length.

/**
 * `class FOO_API Pool : Base {`, also with `[[nodiscard]]` before the name: otherwise the class is called FOO_API, and its
 * members are statements.
 */
const BEFORE_CLASS_NAME = new RegExp(
  String.raw`(?<=\b(?:class|struct|union)[ \t]{1,8})[A-Z][A-Z0-9_]{1,80}(?:\([^()\n]{0,80}\))?(?=[ \t]{1,8}(?:\[\[[^\][\n]{0,80}\]\][ \t]{0,8})?[A-Za-z_][\w:]{0,80}(?:<[^<>{};]{0,80}>)?(?:[ \t]{1,8}final)?\s{0,40}[:{])`,
  "g",
);

/** `FOO_BEGIN_NAMESPACE` in a line of its own, before what it belongs to, and `FOO_EXPORT template <class T>`. */
const BEFORE_DECLARATION = new RegExp(
  String.raw`^${MACRO}(?=[ \t]{0,8}\r?\n\s{0,80}(?:namespace|class|struct|template|enum|union|using|typedef|inline|static|extern)\b|[ \t]{1,8}template[ \t]{0,8}<)`,
  "gm",
);

/** A type: what is before the name that a macro follows, in the same line. */
const TYPE = String.raw`[\w:<>,*& \t]{0,80}[\w>*&][ \t*&]{1,8}`;

/** `int size_ GUARDED_BY(mutex_);`; to look for the macro first saves looking behind at each place. */
const BEHIND_FIELD = new RegExp(
  String.raw`(?=${MACRO}\()(?<=^[ \t]{1,40}(?!return\b|throw\b|else\b|case\b|goto\b|do\b|delete\b|typedef\b|using\b)${TYPE}\w{1,80}[ \t]{1,8})${MACRO}\([\w:.>-]{0,80}\)(?=[ \t]{0,8}(?:=[^=\n;]{1,80})?;)`,
  "gm",
);

/** `void lock() ACQUIRE_LOCK(mutex_);`, also in a line of its own; `if (x) CHECK_LOCK(y);` is a call. */
const BEHIND_FUNCTION = new RegExp(
  String.raw`(?=${MACRO}\()(?<=^[ \t]{1,40}(?![^\n]{0,200}\b(?:if|while|for|switch|return|else)\b)${TYPE}~?\w{1,80}\([^(){};]{0,200}\)(?:\s{1,40}(?:const|noexcept|override|final)){0,4}\s{1,40})${MACRO}\([\w:.>, -]{0,80}\)(?=\s{0,40}[;{])`,
  "gm",
);

/** `const char __user *name`, between a type and its star; `const __wsum *sum` has no other type. */
const BEFORE_STAR =
  /(?<=\w[ \t]{1,8})(?<!\b(?:case|const|else|enum|extern|inline|register|return|signed|sizeof|static|struct|typedef|typeof|union|unsigned|volatile)[ \t]{1,8})__(?!\w{0,40}_t\b)[a-z_]{2,40}(?=[ \t]{1,8}\*)/g;

/** `ref partial struct Pool`, of which the grammar knows only `ref struct`. */
const BEFORE_PARTIAL = /\bref(?=[ \t]{1,8}partial[ \t]{1,8}struct\b)/g;

/** `${PATHS:+${PATHS};}`, in which the grammar ends the statement. */
const IN_EXPANSION = /(?<=\$\{\w{1,60}:?[-+=?](?:[^{}"'`\n]|\$\{\w{1,60}\}){0,80});/g;

const BY_LANGUAGE: Readonly<Record<string, readonly RegExp[]>> = {
  bash: [IN_EXPANSION],
  c: [BEFORE_CLASS_NAME, BEFORE_STAR],
  csharp: [BEFORE_PARTIAL],
  cpp: [BEFORE_CLASS_NAME, BEFORE_DECLARATION, BEHIND_FIELD, BEHIND_FUNCTION],
};

/** A string, or what begins the name of an infix function behind its operand. */
const BEFORE_INFIX =
  /"(?:[^"\\\n]|\\.){0,400}"|(?<=[\w)\]}"'>!][ \t])(?<!(?:->|\b(?:as|by|do|else|fun|if|in|is|return|throw|val|var|when))[ \t])e(?!lse\b|num\b|xternal\b|xpect\b)(?=\w{0,60}[ \t]{1,8}[\w"'([{!-])/g;

/** The guard of a branch: `is Join if a.isWide -> …`. */
const BEFORE_GUARD =
  /(?<=^[ \t]{0,200}!?is[ \t]{1,8}[\w.<>*,? ]{1,100}[ \t])if(?=[ \t(][^\n{}]{1,200}->)/gm;

/** The receiver of a function's type, where it is more than a name: `Op<T>?.() -> Unit`. */
const BEFORE_FUNCTION_TYPE =
  /(?<=[(:,=<][ \t]{0,4})[A-Z]\w{0,60}(?:\.\w{1,60}|<[\w.,*? <>]{0,60}>|\?){1,4}\.(?=\([^()\n]{0,200}\)[ \t]{0,4}->)/g;

/** What the grammar of Kotlin does not know, written in a way that it does. */
function readableKotlin(text: string): string {
  return (
    text
      // `id _q 1`: behind an operand it takes all that begins like `else` for another statement.
      .replace(BEFORE_INFIX, (found) => (found === "e" ? "_" : found))
      .replace(BEFORE_GUARD, ", ")
      .replace(BEFORE_FUNCTION_TYPE, (found) => " ".repeat(found.length))
  );
}

const REWRITES: Readonly<Record<string, (text: string) => string>> = {
  bash: withTestsAsFunctions,
  cpp: readableCpp,
  csharp: withoutDirectives,
  kotlin: readableKotlin,
  rust: withItemsOfMacros,
};

/** Of the same length as the text. */
export function parsableText(text: string, languageId: string): string {
  let parsable = REWRITES[languageId]?.(text) ?? text;
  for (const macro of BY_LANGUAGE[languageId] ?? [])
    parsable = parsable.replace(macro, (found) => " ".repeat(found.length));
  return parsable;
}

const BATS_TEST =
  /^@test[ \t]{1,8}(?:"((?:[^"\\\n]|\\.){1,200})"|'([^'\n]{1,200})'|([^\s"'{]{1,200}))(?=[ \t]{0,8}\{)/gm;

/** `@test "splits lines" {` of Bats as `splits_lines      () {`. */
function withTestsAsFunctions(text: string): string {
  return text.replace(BATS_TEST, (test: string, ...names: (string | undefined)[]) => {
    const name = (names[0] ?? names[1] ?? names[2] ?? "").replaceAll(/[^\w-]/g, "_");
    // A function cannot be called by a number or an option.
    const called = /^[A-Za-z_]/.test(name) ? name : `_${name}`;
    return `${called.padEnd(test.length - 2)}()`;
  });
}

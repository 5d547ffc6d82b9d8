/** Rewrites a text for its parser: blanks macros and syntax that the grammar does not know. Offsets do not change. */

import { readableCpp } from "./c-family/readable-cpp.ts";
import { withoutDirectives } from "./conditional-compilation.ts";
import { withItemsOfMacros } from "./macro-items.ts";

/** A macro name by the convention of nearly all projects. */
const MACRO = String.raw`(?<![A-Z0-9_])[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,60}`;

// Each repetition has a limit, because a hostile line would take quadratic time.

/**
 * `class FOO_API Pool : Base {`, also with `[[nodiscard]]` before the name. Without the rewrite, the grammar names the
 * class FOO_API and parses its members as statements.
 */
const BEFORE_CLASS_NAME = new RegExp(
  String.raw`(?<=\b(?:class|struct|union)[ \t]{1,8})[A-Z][A-Z0-9_]{1,80}(?:\([^()\n]{0,80}\))?(?=[ \t]{1,8}(?:\[\[[^\][\n]{0,80}\]\][ \t]{0,8})?[A-Za-z_][\w:]{0,80}(?:<[^<>{};]{0,80}>)?(?:[ \t]{1,8}final)?\s{0,40}[:{])`,
  "g",
);

/** `FOO_BEGIN_NAMESPACE` on a line of its own, and `FOO_EXPORT template <class T>`. */
const BEFORE_DECLARATION = new RegExp(
  String.raw`^${MACRO}(?=[ \t]{0,8}\r?\n\s{0,80}(?:namespace|class|struct|template|enum|union|using|typedef|inline|static|extern)\b|[ \t]{1,8}template[ \t]{0,8}<)`,
  "gm",
);

/** A type: the text on the line before a name that a macro follows. */
const TYPE = String.raw`[\w:<>,*& \t]{0,80}[\w>*&][ \t*&]{1,8}`;

/** `int size_ GUARDED_BY(mutex_);`. Matching the macro first avoids a lookbehind at each offset. */
const BEHIND_FIELD = new RegExp(
  String.raw`(?=${MACRO}\()(?<=^[ \t]{1,40}(?!return\b|throw\b|else\b|case\b|goto\b|do\b|delete\b|typedef\b|using\b)${TYPE}\w{1,80}[ \t]{1,8})${MACRO}\([\w:.>-]{0,80}\)(?=[ \t]{0,8}(?:=[^=\n;]{1,80})?;)`,
  "gm",
);

/** `void lock() ACQUIRE_LOCK(mutex_);`, also with the macro on its own line. `if (x) CHECK_LOCK(y);` is a call. */
const BEHIND_FUNCTION = new RegExp(
  String.raw`(?=${MACRO}\()(?<=^[ \t]{1,40}(?![^\n]{0,200}\b(?:if|while|for|switch|return|else)\b)${TYPE}~?\w{1,80}\([^(){};]{0,200}\)(?:\s{1,40}(?:const|noexcept|override|final)){0,4}\s{1,40})${MACRO}\([\w:.>, -]{0,80}\)(?=\s{0,40}[;{])`,
  "gm",
);

/** `const char __user *name`, between a type and its star. In `const __wsum *sum`, the word is the type. */
const BEFORE_STAR =
  /(?<=\w[ \t]{1,8})(?<!\b(?:case|const|else|enum|extern|inline|register|return|signed|sizeof|static|struct|typedef|typeof|union|unsigned|volatile)[ \t]{1,8})__(?!\w{0,40}_t\b)[a-z_]{2,40}(?=[ \t]{1,8}\*)/g;

/** `ref partial struct Pool`; the grammar only knows `ref struct`. */
const BEFORE_PARTIAL = /\bref(?=[ \t]{1,8}partial[ \t]{1,8}struct\b)/g;

/** `#:sdk Cake.Sdk` and `#:package Name@1.2`, the directives of a program in one file. */
const FILE_DIRECTIVE = /^#:[^\n]{0,1000}/gm;

/** `${PATHS:+${PATHS};}`: the grammar ends the statement at the semicolon. */
const IN_EXPANSION = /(?<=\$\{\w{1,60}:?[-+=?](?:[^{}"'`\n]|\$\{\w{1,60}\}){0,80});/g;

const BY_LANGUAGE: Readonly<Record<string, readonly RegExp[]>> = {
  bash: [IN_EXPANSION],
  c: [BEFORE_CLASS_NAME, BEFORE_STAR],
  csharp: [BEFORE_PARTIAL, FILE_DIRECTIVE],
  cpp: [BEFORE_CLASS_NAME, BEFORE_DECLARATION, BEHIND_FIELD, BEHIND_FUNCTION],
};

/** A string, or the start of an infix function name after its operand. */
const BEFORE_INFIX =
  /"(?:[^"\\\n]|\\.){0,400}"|(?<=[\w)\]}"'>!][ \t])(?<!(?:->|\b(?:as|by|do|else|fun|if|in|is|return|throw|val|var|when))[ \t])e(?!lse\b|num\b|xternal\b|xpect\b)(?=\w{0,60}[ \t]{1,8}[\w"'([{!-])/g;

/** The guard of a branch: `is Join if a.isWide -> …`. */
const BEFORE_GUARD =
  /(?<=^[ \t]{0,200}!?is[ \t]{1,8}[\w.<>*,? ]{1,100}[ \t])if(?=[ \t(][^\n{}]{1,200}->)/gm;

/** A receiver type that is more than a name: `Op<T>?.() -> Unit`. */
const BEFORE_FUNCTION_TYPE =
  /(?<=[(:,=<][ \t]{0,4})[A-Z]\w{0,60}(?:\.\w{1,60}|<[\w.,*? <>]{0,60}>|\?){1,4}\.(?=\([^()\n]{0,200}\)[ \t]{0,4}->)/g;

/** Rewrites Kotlin syntax that the grammar does not know. */
function readableKotlin(text: string): string {
  return (
    text
      // In `id _q 1`, the grammar parses a name that begins like `else` as another statement.
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

/** Rewrites the text at the same length. */
export function parsableText(text: string, languageId: string): string {
  let parsable = REWRITES[languageId]?.(text) ?? text;
  for (const macro of BY_LANGUAGE[languageId] ?? [])
    parsable = parsable.replace(macro, (found) => " ".repeat(found.length));
  return parsable;
}

const BATS_TEST =
  /^@test[ \t]{1,8}(?:"((?:[^"\\\n]|\\.){1,200})"|'([^'\n]{1,200})'|([^\s"'{]{1,200}))(?=[ \t]{0,8}\{)/gm;

/** Rewrites `@test "splits lines" {` of Bats to `splits_lines      () {`. */
function withTestsAsFunctions(text: string): string {
  return text.replace(BATS_TEST, (test: string, ...names: (string | undefined)[]) => {
    const name = (names[0] ?? names[1] ?? names[2] ?? "").replaceAll(/[^\w-]/g, "_");
    // A function name cannot be a number or an option.
    const called = /^[A-Za-z_]/.test(name) ? name : `_${name}`;
    return `${called.padEnd(test.length - 2)}()`;
  });
}

/** What a parser is given: macros that no grammar can know are blanked out, so that all else stays at its place. */

/** A macro by its name, as nearly all projects write them. */
const MACRO = String.raw`[A-Z][A-Z0-9]*_[A-Z0-9_]+`;

/** `class FOO_API Pool : Base {`: otherwise the class is called FOO_API, and its members are statements. */
const BEFORE_CLASS_NAME = new RegExp(
  String.raw`(?<=\b(?:class|struct|union)[ \t]+)[A-Z][A-Z0-9_]+(?:\([^()\n]*\))?(?=[ \t]+[A-Za-z_][\w:]*(?:<[^<>{};]*>)?(?:[ \t]+final)?\s*[:{])`,
  "g",
);

/** `FOO_BEGIN_NAMESPACE` in a line of its own, before what it belongs to. */
const BEFORE_DECLARATION = new RegExp(
  String.raw`^${MACRO}(?=[ \t]*\r?\n\s*(?:namespace|class|struct|template|enum|union|using|typedef|inline|static|extern)\b)`,
  "gm",
);

/** `int size_ GUARDED_BY(mutex_);`; to look for the macro first saves looking behind at each place. */
const BEHIND_FIELD = new RegExp(
  String.raw`(?=${MACRO}\()(?<=^[ \t]+(?!return\b|throw\b|else\b|case\b|goto\b|do\b|delete\b|typedef\b|using\b)[\w:<>,*& \t]*[\w>*&][ \t*&]+\w+[ \t]+)${MACRO}\([\w:.>-]*\)(?=[ \t]*(?:=[^=\n;]+)?;)`,
  "gm",
);

/** `void lock() ACQUIRE_LOCK(mutex_);`, also in a line of its own; `if (x) CHECK_LOCK(y);` is a call. */
const BEHIND_FUNCTION = new RegExp(
  String.raw`(?=${MACRO}\()(?<=^[ \t]+(?![^\n]*\b(?:if|while|for|switch|return|else)\b)[\w:<>,*& \t]*[\w>*&][ \t*&]+~?\w+\([^(){};]*\)(?:\s+(?:const|noexcept|override|final))*\s+)${MACRO}\([\w:.>, -]*\)(?=\s*[;{])`,
  "gm",
);

const BY_LANGUAGE: Readonly<Record<string, readonly RegExp[]>> = {
  c: [BEFORE_CLASS_NAME],
  cpp: [BEFORE_CLASS_NAME, BEFORE_DECLARATION, BEHIND_FIELD, BEHIND_FUNCTION],
};

/** Of the same length as the text. */
export function parsableText(text: string, languageId: string): string {
  let parsable = text;
  for (const macro of BY_LANGUAGE[languageId] ?? [])
    parsable = parsable.replace(macro, (found) => " ".repeat(found.length));
  return parsable;
}

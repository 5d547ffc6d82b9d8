/** Rewrites syntax that the C++ grammar does not know: C++/CLI, and raw strings with long delimiters. */

const HAS_CLI =
  /^[ \t]{0,80}(?:(?:public|private|internal)[ \t]{1,8})?(?:ref|value|interface)[ \t]{1,8}(?:class|struct)[ \t]/m;

const blank = (found: string): string => " ".repeat(found.length);

/** Each replacement has the same length. */
const CLI: readonly (readonly [RegExp, (found: string) => string])[] = [
  [
    /(?:(?<=^[ \t]{0,80})(?:public|private|internal)[ \t]{1,8})?(?<=^[ \t]{0,80}(?:(?:public|private|internal)[ \t]{1,8})?)(?:ref|value|interface)(?=[ \t]{1,8}(?:class|struct)[ \t])/gm,
    blank,
  ],
  [/(?<=^[ \t]{0,80})(?:public|private)(?=[ \t]{1,8}enum\b)/gm, blank],
  [/(?<=\b(?:class|struct)[ \t]{1,8}\w{1,80}[ \t]{1,8})(?:sealed|abstract)(?=\s)/g, blank],
  [
    /(?<=^[ \t]{0,80}(?:(?:static|virtual)[ \t]{1,8})?)(?:property|event|delegate|literal|initonly)(?=[ \t]{1,8}[\w:])/gm,
    blank,
  ],
  // `String^ name` becomes a pointer; `a ^ b` is unchanged.
  [/\^/g, () => "*"],
  [/\bgcnew\b/g, () => "new  "],
  [/\bfor each(?=[ \t]{0,8}\()/g, () => "for     "],
  [/(?<=\bfor {5}[ \t]{0,8}\([^()\n]{1,200}[ \t])in(?=[ \t])/g, () => ": "],
];

/** The length does not change. */
export function readableCpp(text: string): string {
  const plain = withShortDelimiters(text);
  if (!HAS_CLI.test(plain)) return plain;
  return CLI.reduce((written, [form, by]) => written.replace(form, by), plain);
}

/** The grammar supports delimiters of up to 15 characters, C++ up to 16. */
const LONG_DELIMITER = /R"([^()\\\s"]{16,64})\(/g;

/** Blanks the strings, whose content may look like their end. */
function withShortDelimiters(text: string): string {
  if (!text.includes('R"')) return text;
  let [result, at] = ["", 0];
  LONG_DELIMITER.lastIndex = 0;
  for (let match = LONG_DELIMITER.exec(text); match !== null; match = LONG_DELIMITER.exec(text)) {
    const closing = `)${match[1] ?? ""}"`;
    const close = text.indexOf(closing, LONG_DELIMITER.lastIndex);
    // Unterminated strings are skipped; searching an end for each takes quadratic time.
    if (close < 0) break;
    const end = close + closing.length;
    const inner = text.slice(match.index + 'R"('.length, end - ')"'.length);
    result += `${text.slice(at, match.index)}R"(${inner.replaceAll(/[^\r\n]/g, " ")})"`;
    at = LONG_DELIMITER.lastIndex = end;
  }
  return result + text.slice(at);
}

/** Tokenizes C and C++, outside function bodies and inside. */

// Each alternative matches up to its end or the end of the text; retrying at each offset would take quadratic time.

const IGNORED = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))`;
const DIRECTIVE = String.raw`^[ \t]*#(?:[^\n\\/]|\\\r?\n|\\.|\/\*[^]{0,400}?\*\/|\/)*`;
const LITERAL = String.raw`(?:u8|[uUL])?R"([^()\\\s"]{0,16})\([^]*?(?:\)\1"|(?![^]))|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?`;
const NUMBER = String.raw`(?<!\w)\d(?:[\w.]|'(?=\w))*`;

/** Tokens outside function bodies. */
const IN_DECLARATIONS = new RegExp(
  String.raw`${DIRECTIVE}|${IGNORED}|${LITERAL}|[A-Za-z_$][\w$]*|${NUMBER}|::|->|[^\s]`,
  "gm",
);
/** Tokens inside a function body: braces, and text such as strings, whose braces do not count. */
const IN_BODY = new RegExp(`${DIRECTIVE}|${IGNORED}|${LITERAL}|${NUMBER}|[{}]`, "gm");

export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export class TokenReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next token that is not a comment; undefined at the end of the text. */
  next(isInBody: boolean): Token | undefined {
    const pattern = isInBody ? IN_BODY : IN_DECLARATIONS;
    for (;;) {
      pattern.lastIndex = this.#at;
      const match = pattern.exec(this.#text);
      if (match === null) return undefined;
      this.#at = pattern.lastIndex;
      const [text] = match;
      if (text.startsWith("//") || text.startsWith("/*")) continue;
      return { text, start: match.index, end: this.#at };
    }
  }
}

export function isWord({ text }: Token): boolean {
  return /^[A-Za-z_$]/.test(text) && !text.endsWith('"');
}

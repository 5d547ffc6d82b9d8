/** The tokens of C and C++ by which declarations are told apart, outside of the bodies of functions and in them. */

// Each alternative matches to its end or to that of the text: trying again at each place would take time by the square of it.

const IGNORED = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))`;
const DIRECTIVE = String.raw`^[ \t]*#(?:[^\n\\/]|\\\r?\n|\\.|\/\*[^]{0,400}?\*\/|\/)*`;
const LITERAL = String.raw`(?:u8|[uUL])?R"([^()\\\s"]{0,16})\([^]*?(?:\)\1"|(?![^]))|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?`;
const NUMBER = String.raw`(?<!\w)\d(?:[\w.]|'(?=\w))*`;

/** Where a declaration may be. */
const IN_DECLARATIONS = new RegExp(
  String.raw`${DIRECTIVE}|${IGNORED}|${LITERAL}|[A-Za-z_$][\w$]*|${NUMBER}|::|->|[^\s]`,
  "gm",
);
/** In a body only braces count, and what they do not count in. */
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

  /** Without comments; undefined at the end of the text. */
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
